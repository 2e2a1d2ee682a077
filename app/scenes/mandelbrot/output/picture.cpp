#include "scenes/mandelbrot/output/picture.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <deque>
#include <functional>
#include <future>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "base/platform/parallel.hpp"
#include "base/platform/threads.hpp"
#include "scenes/mandelbrot/checks/judge.hpp"
#include "scenes/mandelbrot/deep/exact_pixels.hpp"

namespace orrery::mandelbrot {
namespace {

// The allowed difference of ν after a second computation, at four times the possible error of the first.
constexpr double tolerable = 1e-3;
constexpr double caution = 4;
constexpr std::uint32_t long_orbit = 4096;  // shorter orbits hardly come near enough to the set to need more than pairs
constexpr double most_in_many_bits = 1e7;   // iterations: a few seconds
constexpr float next_to_the_set = 1e-30F;   // the least distance in details
constexpr float unknown_detail = std::numeric_limits<float>::quiet_NaN();

// The apparent displacement of c, in pixels, by rounding and by the table.
double uncertainty(const Frame& frame, const Variant& variant) {
  constexpr double doubles = 0x1p-53;
  const double longest = frame.view.turn.reach(), stretch = longest * longest;  // of the widths, in finest pixels
  const double center = std::max(std::abs(frame.view.re.value()), std::abs(frame.view.im.value()));
  const double of_center = center / spacing(frame.view, frame.size) * longest;
  if (variant.precision == Precision::perturbation) {
    constexpr double reach = 4;  // from the reference, in widths
    // The errors of a long orbit's steps add up as in a random walk.
    const double steps = 1 + std::sqrt(frame.limit / 256.0);
    const double of_steps = reach * frame.size.width * stretch * PerturbedFormat{variant.perturbed}.epsilon() * steps;
    // Where cycles are searched, all of c is a pair.
    const double of_pairs = 8 * doubles * doubles * of_center;
    return is_pairs(variant.perturbed) && of_pairs < tolerable ? std::max(of_steps, of_pairs) : of_steps;
  }
  return 8 * doubles * (of_center + frame.size.width * stretch);
}

bool differ(const Cell& a, const Cell& b) {
  return a.interior() != b.interior() || std::abs(a.value() - b.value()) > tolerable;
}

// Moves the frame by the possible error of its pixels; only along the real axis where that is the picture's middle, so
// that the same pixels are doubtful on both sides of it.
Frame beside(const Frame& frame, const Variant& variant) {
  const double right = caution * uncertainty(frame, variant);
  const double down = frame.view.im.is_zero() && frame.view.turn.level() ? 0 : 0.5 * right;
  Frame moved = frame;
  if (variant.perturbed == PerturbedNumbers::double_pairs) {
    // A pixel's place in its picture has only a double's digits.
    moved.view.re = frame.view.re + frame.view.span * (right / frame.size.width);
    moved.view.im = frame.view.im + frame.view.span * (down / frame.size.width);
  } else {
    moved.shifts[0].x += right;
    moved.shifts[0].y += down;
  }
  return moved;
}

Cell cell_of(const Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::interior) return {.n = Cell::proved_interior};
  const double whole = std::max(1.0, std::floor(verdict.nu));
  return {.n = static_cast<std::uint32_t>(whole), .f = static_cast<float>(verdict.nu - whole)};
}

// Computes the pixels in many bits, on all cores.
void judge_cells(const Frame& frame, std::span<const cl_uint> pixels, std::span<Cell> cells) {
  in_parallel(pixels.size(), [&](std::size_t begin, std::size_t end) {
    const std::unique_ptr<Judge> judge = plain_judge_of(frame);
    for (const cl_uint k : pixels.subspan(begin, end - begin)) {
      const ProofPixel pixel{.i = k % frame.size.width, .j = frame.first_row + k / frame.size.width};
      cells[k] = cell_of(judge->judge(pixel, {}, std::numeric_limits<double>::infinity(), {}));
    }
  });
}

}  // namespace

Refinement::Refinement(const Device& device, Queue& queue, const Kernels& kernels)
    : again_(device, queue, kernels), exact_(device, queue, *kernels.exact), bits_left_(most_in_many_bits) {}

std::vector<Cell> Refinement::in_pairs(Queue& queue, const Frame& frame, const std::vector<cl_uint>& pixels,
                                       double slice_seconds, const std::function<void()>& during) {
  exact_.begin_pixels(frame, pixels);
  exact_.finish_blocking(queue, slice_seconds, [&](const Progress&) { during(); });
  iterations_ += exact_.progress().iterations;
  return exact_.cells_blocking(queue);
}

std::size_t Refinement::refine(Queue& queue, const Frame& frame, std::span<Cell> cells, std::span<float> details,
                               double slice_seconds, const std::function<void()>& during) {
  again_.begin(beside(frame, again_.kernels().variant));
  again_.finish_blocking(queue, slice_seconds, [&](const Progress&) { during(); });
  iterations_ = again_.progress().iterations;
  const std::vector<Cell> others = again_.cells_blocking(queue);
  std::vector<cl_uint> doubtful;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (differ(cells[i], others[i])) doubtful.push_back(static_cast<cl_uint>(i));
  if (doubtful.empty()) return 0;
  const std::vector<Cell> exact = in_pairs(queue, frame, doubtful, slice_seconds, during);
  for (const cl_uint i : doubtful) cells[i] = exact[i];
  const std::vector<float> exact_details = exact_.details_blocking(queue);
  if (!exact_details.empty())
    for (const cl_uint i : doubtful) details[i] = exact_details[i];
  std::vector<cl_uint> late, undecided;
  for (const cl_uint i : doubtful)
    if (frame.limit > long_orbit && exact[i].n > long_orbit) (exact[i].interior() ? undecided : late).push_back(i);
  if (!late.empty()) {
    const std::vector<Cell> moved =
        in_pairs(queue, beside(frame, exact_.kernels().variant), late, slice_seconds, during);
    for (const cl_uint i : late)
      if (differ(exact[i], moved[i])) undecided.push_back(i);
  }
  const auto affordable = static_cast<std::size_t>(std::max(0.0, bits_left_ / frame.limit));
  const std::size_t judged = std::min(undecided.size(), affordable);
  judge_cells(frame, std::span(undecided).first(judged), cells);
  if (!exact_details.empty()) {
    for (const cl_uint i : std::span(undecided).first(judged))
      if (cells[i].interior() != exact[i].interior()) details[i] = cells[i].interior() ? 0 : next_to_the_set;
    for (const cl_uint i : std::span(undecided).subspan(judged)) details[i] = unknown_detail;
  }
  bits_left_ -= static_cast<double>(judged) * frame.limit;
  uncertain_ += undecided.size() - judged;
  return doubtful.size();
}

// ---- whole pictures

namespace {

constexpr std::size_t band_pixels = std::size_t{1} << 21;

// The size of the picture, reduced to at most a million pixels.
Size small_size(Size size) {
  const double factor = std::min(1.0, 1000 / std::sqrt(static_cast<double>(size.pixels())));
  const auto side = [&](std::uint32_t length) {
    return std::max(1u, static_cast<std::uint32_t>(std::lround(length * factor)));
  };
  return {side(size.width), side(size.height)};
}

Frame frame_of(const PictureRequest& request, Size size, std::uint32_t limit) {
  Frame frame = whole_frame(request.view, size);
  frame.escape_radius = request.escape_radius;
  frame.limit = limit;
  frame.automatic = request.limit == 0;
  frame.progressive = false;
  return frame;
}

void go_on(bool wanted) {
  if (!wanted) throw Cancelled{};
}

/// Gathers the pixels to be proved while a picture is computed.
class PictureProof {
 public:
  explicit PictureProof(const PictureRequest& request)
      : request_(request), rows_(ProofRows::wanted(request.size, request.proved == 0 ? 0 : most_rows, seed)) {}

  void take(const Band& band, std::span<const Cell> own) { rows_.take(band.first, own); }

  /// `frame` as its renderer had it in the end.
  std::optional<ProofResult> result(Frame frame, int exponent, const ShowProgress& show) const {
    if (request_.proved == 0) return {};
    frame.first_row = 0;
    frame.rows = request_.size.height;
    frame = with_samples(frame, 0, 1);
    const Extent extent = this->extent();
    const ProofRequest proof{.frame = frame,
                             .exponent = exponent,
                             .pixels = pick_pixels(rows_, extent.pixels, seed),
                             .most_iterations = extent.iterations,
                             .slack = request_.slack};
    std::stop_source called_off;
    const std::optional<ProofResult> result = [&] {
      const std::jthread watch([&](const std::stop_token& stop) {
        for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(5)))
          if (!show(1)) called_off.request_stop();
      });
      return prove(proof, called_off.get_token());
    }();
    go_on(!called_off.stop_requested());
    if (request_.insists && result && result->fails()) throw Unproved{*result, exponent == 0 ? frame.limit : 0};
    return result;
  }

 private:
  struct Extent {
    std::size_t pixels;
    double iterations;
  };
  // In passing, a few pixels; in small data pictures all pixels, within about a second.
  Extent extent() const {
    if (request_.proved != proved_in_passing) {
      const auto count = static_cast<std::size_t>(request_.proved);
      return {count, 1e6 * static_cast<double>(std::max<std::size_t>(1, count))};
    }
    constexpr std::size_t small = 4096;
    const bool all = request_.slack == 0 && request_.size.pixels() <= small;
    return all ? Extent{small, 6e6} : Extent{48, 2e6};
  }

  static constexpr std::size_t most_rows = 64;
  static constexpr std::uint64_t seed = 7;

  const PictureRequest& request_;
  ProofRows rows_;
};

// Sets the exact interior pixels: differences from a reference, and short numbers, displace their c.
void keep_exact(const Frame& frame, std::span<Cell> cells, std::span<float> details) {
  for (const std::uint32_t pixel : exact_interior(frame)) {
    if (!details.empty() && !(cells[pixel].interior() && details[pixel] > 0)) details[pixel] = 0;
    cells[pixel] = {.n = Cell::proved_interior};
  }
}

// Computes a few rows at a time; the limit must be set by the user.
PictureResult compute_in_many_bits(const PictureRequest& request, const TakeRows& take, const ShowProgress& show) {
  constexpr std::uint32_t rows = 8;
  PictureResult result{.limit = request.limit, .proof = {}};
  Frame frame = frame_of(request, request.size, request.limit);
  const std::uint32_t width = request.size.width, height = request.size.height;
  for (Band band; band.first < height; band.first += rows) {
    band.rows = std::min(rows, height - band.first);
    band.above = std::min(request.border, band.first);
    band.below = std::min(request.border, height - band.first - band.rows);
    const std::uint32_t all = band.above + band.rows + band.below;
    for (int sample = 0; sample < request.samples; ++sample) {
      frame = with_samples(frame, sample, 1);
      std::vector<Cell> cells(std::size_t{width} * all);
      std::vector<cl_uint> every(cells.size());
      std::iota(every.begin(), every.end(), cl_uint{0});
      frame.first_row = band.first - band.above;
      frame.rows = all;
      const double began = now_seconds();
      judge_cells(frame, every, cells);
      result.seconds += now_seconds() - began;
      take(band, cells, sample);
      const auto own = std::span(cells).subspan(std::size_t{width} * band.above, std::size_t{width} * band.rows);
      for (const Cell& cell : own) result.iterations += cell.interior() ? 0 : cell.n;
      result.interior += static_cast<std::size_t>(std::ranges::count_if(own, &Cell::interior));
    }
    go_on(show(static_cast<double>(band.first + band.rows) / height));
  }
  return result;
}

/// Samples of some rows that are computed together.
struct Part {
  Band band;
  int first = 0, count = 1;  // samples
};

/// The parts in the order in which they are handed over.
std::vector<Part> parts_of(const PictureRequest& request, std::uint32_t rows, int most) {
  std::vector<Part> parts;
  const std::uint32_t height = request.size.height;
  for (Band band; band.first < height; band.first += rows) {
    band.rows = std::min(rows, height - band.first);
    band.above = std::min(request.border, band.first);
    band.below = std::min(request.border, height - band.first - band.rows);
    for (int first = 0; first < request.samples; first += most)
      parts.push_back({band, first, std::min(most, request.samples - first)});
  }
  return parts;
}

/// Computes a picture's parts in order; a GPU begins the next ones beside the last few pixels of the present ones.
class PartsUnderWay {
 public:
  static constexpr std::size_t most = 4;

  PartsUnderWay(const Device& device, Queue& queue, const Kernels& kernels, const Frame& frame, std::vector<Part> parts)
      : device_(device), queue_(queue), kernels_(kernels), frame_(frame), parts_(std::move(parts)) {}

  bool has_next() const { return done_ < parts_.size(); }
  const Part& next() const { return parts_[done_]; }
  Frame frame_of(const Part& part) const {
    Frame frame = with_samples(frame_, part.first, static_cast<std::uint32_t>(part.count));
    frame.first_row = part.band.first - part.band.above;
    frame.rows = part.band.above + part.band.rows + part.band.below;
    return frame;
  }
  /// The renderer of the next part, once it is idle; it holds that part until take().
  Renderer& finish_next(double slice_seconds, const std::function<void(const Progress&)>& during) {
    if (running_.empty()) begin();
    Renderer& next = *running_.front();
    do {
      for (const auto& renderer : running_) renderer->advance_blocking(queue_, slice_seconds);
      while (has_room()) begin().advance_blocking(queue_, slice_seconds);
      wait();
      during(next.progress());
    } while (!next.idle());
    return next;
  }
  void take() {
    spare_.push_back(std::move(running_.front()));
    running_.pop_front();
    ++done_;
  }

 private:
  bool has_room() const {
    const std::size_t begun = done_ + running_.size();
    if (begun == parts_.size() || running_.size() == most) return false;
    const Size stack = frame_of(parts_[begun]).stack();
    if (running_.size() >= stacks_that_fit(device_.info(), kernels_.variant, stack)) return false;
    return std::ranges::all_of(running_, [](const auto& renderer) { return renderer->leaves_room(); });
  }
  // Waits until there is more to enqueue, or to take.
  void wait() {
    Renderer& next = *running_.front();
    if (running_.size() == 1) return next.wait_blocking(queue_);
    queue_.wait_until([&] {
      return next.idle() ||
             std::ranges::any_of(running_, [](const auto& renderer) { return !renderer->busy() && !renderer->idle(); });
    });
    next.collect();
  }
  Renderer& begin() {
    std::unique_ptr<Renderer> renderer;
    if (!spare_.empty()) {
      renderer = std::move(spare_.back());
      spare_.pop_back();
    } else {
      renderer = std::make_unique<Renderer>(device_, queue_, kernels_);
      renderer->compute_few_beside(queue_, std::ssize(running_) + 1);
      if (!running_.empty()) renderer->follow(*running_.front());
    }
    renderer->begin(frame_of(parts_[done_ + running_.size()]));
    return *running_.emplace_back(std::move(renderer));
  }

  const Device& device_;
  Queue& queue_;
  const Kernels& kernels_;
  Frame frame_;
  std::vector<Part> parts_;
  std::deque<std::unique_ptr<Renderer>> running_;  // for the next parts
  std::vector<std::unique_ptr<Renderer>> spare_;
  std::size_t done_ = 0;
};

/// The cells of each sample follow those of the one before, and so do the details, if any.
struct Stack : Part {
  std::vector<Cell> cells;
  std::vector<float> details;

  std::span<Cell> cells_of(int k) { return part(cells, k); }
  std::span<float> details_of(int k) { return part(details, k); }

 private:
  template <class T>
  std::span<T> part(std::vector<T>& all, int k) const {
    const std::size_t pixels = all.size() / static_cast<std::size_t>(count);
    return std::span(all).subspan(static_cast<std::size_t>(k) * pixels, pixels);
  }
};

void refine(Refinement& refinement, Queue& queue, const Frame& sample, Stack& stack, int k, double slice_seconds,
            const std::function<void()>& during, PictureResult& result) {
  result.refined += refinement.refine(queue, sample, stack.cells_of(k), stack.details_of(k), slice_seconds, during);
  result.iterations += refinement.iterations();
  result.uncertain = refinement.uncertain();
}

// Returns the sample's cells in the band's own rows.
std::span<const Cell> hand_over(Stack& stack, int k, const TakeRows& take, PictureResult& result) {
  Band band = stack.band;
  band.details = stack.details_of(k);
  const std::span<const Cell> cells = stack.cells_of(k);
  take(band, cells, stack.first + k);
  const std::size_t width = cells.size() / (band.above + band.rows + band.below);
  const auto own = cells.subspan(width * band.above, width * band.rows);
  std::atomic<std::size_t> interior = 0, undecided = 0;
  in_parallel(own.size(), [&](std::size_t begin, std::size_t end) {
    const auto part = own.subspan(begin, end - begin);
    interior += static_cast<std::size_t>(std::ranges::count_if(part, &Cell::interior));
    undecided += static_cast<std::size_t>(std::ranges::count(part, Cell::at_limit, &Cell::n));
  });
  result.interior += interior;
  result.undecided += undecided;
  return own;
}

}  // namespace

// The exponent of both the small picture and the whole one: rounding may put them on different levels.
int exponent_of(const Kernels& kernels, const Frame& frame) {
  if (!is_ladder(kernels.variant.precision)) return 0;
  const auto place = ladder_place(frame.view, frame.size);
  return place ? LadderCounting(*place, frame.automatic).exponent : 0;
}

SampleShift sample_shift(int sample) {
  constexpr double plastic = 1.32471795724474602596;
  const auto part = [](double x) { return x - std::floor(x); };
  return {part(0.5 + sample / plastic), part(0.5 + sample / (plastic * plastic))};
}

Frame with_samples(Frame frame, int first, std::uint32_t count) {
  frame.shifts = {};
  frame.samples = count;
  for (std::uint32_t k = 0; k < count; ++k) frame.shifts[k] = sample_shift(first + static_cast<int>(k));
  return frame;
}

Preview preview_of(const Device& device, const Kernels& kernels, const PictureRequest& request, bool equalized,
                   const ShowProgress& show) {
  const int exponent = exponent_of(kernels, frame_of(request, request.size, 1));
  Preview preview{.limit = request.limit, .exponent = exponent, .equalization = {}};
  if (request.limit != 0 && !equalized) return preview;
  Queue queue(device);
  Renderer renderer(device, queue, kernels);
  AutomaticLimit automatic;
  const auto finish = [&] {
    renderer.finish_blocking(queue, request.slice_seconds, [&](const Progress&) { go_on(show(0)); });
  };
  const std::uint32_t first = request.limit != 0 ? request.limit : automatic.first(request.view);
  renderer.begin(frame_of(request, small_size(request.size), first));
  finish();
  while (request.limit == 0) {
    const auto limit = automatic.next(renderer.progress());
    if (!limit) break;
    renderer.raise_limit(*limit);
    finish();
  }
  const int smaller = renderer.value_exponent();
  const double limit = std::ldexp(renderer.progress().limit, smaller - exponent);
  preview.limit = static_cast<std::uint32_t>(std::clamp(limit, 1.0, 4294967293.0));
  if (!equalized) return preview;
  std::vector<double> values;
  for (const Cell& cell : renderer.cells_blocking(queue)) values.push_back(value_of(cell, smaller - exponent));
  preview.equalization = equalization_of(values);
  return preview;
}

PictureResult compute_picture(const Device& device, const Kernels& kernels, const PictureRequest& request,
                              std::uint32_t limit, const TakeRows& take, const ShowProgress& show) {
  if (request.many_bits) return compute_in_many_bits(request, take, show);
  PictureProof proof(request);
  Queue queue(device);
  std::optional<Refinement> refinement;
  if (kernels.exact) refinement.emplace(device, queue, kernels);
  const Frame whole = frame_of(request, request.size, limit);
  PictureResult result{.limit = limit, .exponent = exponent_of(kernels, whole), .proof = {}};
  const std::uint32_t width = request.size.width;
  const auto rows = static_cast<std::uint32_t>(std::max<std::size_t>(1, band_pixels / width));
  const auto most = static_cast<int>(stackable(device.info(), kernels.variant, {width, rows}));
  PartsUnderWay parts(device, queue, kernels, whole, parts_of(request, rows, most));
  const double all = static_cast<double>(request.size.pixels()) * request.samples;
  double done = 0;
  Frame computed;
  std::future<Stack> taking;  // while the next one is computed
  Stack taken;                // its memory is reused for the next but one
  for (; parts.has_next(); parts.take()) {
    const Part& part = parts.next();
    const Frame frame = parts.frame_of(part);
    const double share = static_cast<double>(part.band.rows) / frame.rows;
    const double began = now_seconds();
    Renderer& renderer = parts.finish_next(request.slice_seconds, [&](const Progress& p) {
      go_on(show((done + share * static_cast<double>(p.decided)) / all));
    });
    Stack stack{part, renderer.cells_blocking(queue, std::move(taken.cells)),
                renderer.details_blocking(queue, std::move(taken.details))};
    const auto during = [&] { go_on(show((done + share * static_cast<double>(frame.stack().pixels())) / all)); };
    for (int k = 0; k < part.count; ++k) {
      const Frame sample = frame.sample(static_cast<std::uint32_t>(k));
      if (refinement) refine(*refinement, queue, sample, stack, k, request.slice_seconds, during, result);
      keep_exact(sample, stack.cells_of(k), stack.details_of(k));
    }
    result.seconds += now_seconds() - began;
    done += static_cast<double>(width) * part.band.rows * part.count;
    result.iterations += renderer.progress().iterations;
    computed = renderer.published_frame();
    if (taking.valid()) taken = taking.get();
    taking = std::async(std::launch::async, [&, stack = std::move(stack)]() mutable {
      give_signal_stack();
      for (int k = 0; k < stack.count; ++k) {
        const std::span<const Cell> own = hand_over(stack, k, take, result);
        if (stack.first + k == 0) proof.take(stack.band, own);
      }
      return std::move(stack);
    });
  }
  if (taking.valid()) taking.get();
  result.limit = std::min(limit, computed.limit);
  result.proof = proof.result(computed, result.exponent, show);
  return result;
}

}  // namespace orrery::mandelbrot
