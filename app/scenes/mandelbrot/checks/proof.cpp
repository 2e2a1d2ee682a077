#include "scenes/mandelbrot/checks/proof.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "base/clock.hpp"
#include "base/platform/threads.hpp"
#include "base/statistics.hpp"
#include "scenes/mandelbrot/checks/judge.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double least_share = 0.125;

// What a published float may be off by for its rounding alone.
double rounding_of(float published) {
  const float next = std::nextafter(published, std::numeric_limits<float>::infinity());
  return 0.5 * (static_cast<double>(next) - static_cast<double>(published));
}

bool is_other_kind(float published, const Verdict& verdict) {
  return (verdict.kind == Verdict::Kind::interior) != is_interior(published);
}

// Of values of one kind, beyond a float's rounding.
double error_of(float published, const Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::interior) return 0;
  return std::max(0.0, std::abs(static_cast<double>(published) - verdict.nu) - rounding_of(published));
}

bool is_right(float published, const Verdict& verdict) {
  return verdict.kind == Verdict::Kind::unknown ||
         (!is_other_kind(published, verdict) && error_of(published, verdict) <= proof_tolerance);
}

// Whether ν varies so much within the slack that the published value may be that of a point there. Adds to the
// verdict's cost.
bool is_explained(Judge& judge, const ProofPixel& pixel, Verdict& verdict, double slack, double most_iterations,
                  const std::stop_token& stop) {
  if (!(slack > 0)) return false;
  double farthest = 0;
  constexpr std::pair<double, double> places[] = {{1, 0},   {-1, 0},   {0, 1},   {0, -1},
                                                  {0.5, 0}, {-0.5, 0}, {0, 0.5}, {0, -0.5}};
  for (const auto& [right, down] : places) {
    const Verdict beside = judge.judge(pixel, {slack * right, slack * down}, most_iterations, stop);
    verdict.cost += beside.cost;
    if (beside.kind == Verdict::Kind::unknown) continue;
    if (!is_other_kind(pixel.published, beside) && beside.kind != verdict.kind) return true;
    if (beside.kind != verdict.kind) farthest = std::numeric_limits<double>::infinity();
    if (beside.kind == verdict.kind && beside.kind == Verdict::Kind::escapes)
      farthest = std::max(farthest, std::abs(beside.nu - verdict.nu));
  }
  return !is_other_kind(pixel.published, verdict) && error_of(pixel.published, verdict) <= 2 * farthest;
}

class Tally {
 public:
  /// `explained`: a point within the slack around the pixel has the published value.
  void add(const ProofPixel& pixel, const Verdict& verdict, bool explained) {
    if (verdict.kind == Verdict::Kind::unknown) {
      ++result_.left_out;
      return;
    }
    ++result_.checked;
    const bool interior = verdict.kind == Verdict::Kind::interior;
    if (explained) return void(++result_.nearby);
    if (interior != is_interior(pixel.published)) {
      ++result_.wrong_kind;
      note_worst(pixel, verdict, std::numeric_limits<double>::infinity());
      return;
    }
    const double error = error_of(pixel.published, verdict);
    errors_.push_back(error);
    result_.misses += error > proof_tolerance;
    result_.largest_error = std::max(result_.largest_error, error);
    note_worst(pixel, verdict, error);
  }

  ProofResult result() {
    if (!errors_.empty()) result_.median_error = median(errors_);
    return result_;
  }

 private:
  void note_worst(const ProofPixel& pixel, const Verdict& verdict, double error) {
    if (error < worst_) return;
    worst_ = error;
    result_.worst = pixel;
    result_.worst_reference = verdict.kind == Verdict::Kind::interior ? -1 : verdict.nu;
  }

  ProofResult result_;
  std::vector<double> errors_;
  double worst_ = -1;
};

}  // namespace

ProofRows ProofRows::wanted(Size size, std::size_t most, std::uint64_t seed) {
  ProofRows wanted{.width = size.width, .rows = std::vector<std::uint32_t>(size.height), .values = {}};
  std::iota(wanted.rows.begin(), wanted.rows.end(), 0U);
  std::mt19937_64 random(seed);
  std::ranges::shuffle(wanted.rows, random);
  wanted.rows.resize(std::min<std::size_t>(wanted.rows.size(), most));
  std::ranges::sort(wanted.rows);
  return wanted;
}

void ProofRows::take(std::uint32_t first, std::span<const Cell> cells) {
  const std::size_t count = cells.size() / width;
  for (std::size_t k = values.size() / width; k < rows.size() && rows[k] < first + count; ++k)
    for (const Cell& cell : cells.subspan(std::size_t{rows[k] - first} * width, width))
      values.push_back(cell.interior() ? interior_value : static_cast<float>(cell.value()));
}

std::vector<ProofPixel> pick_pixels(const ProofRows& rows, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto pixel_at = [&](std::size_t index, bool at_edge) {
    return ProofPixel{static_cast<std::uint32_t>(index % rows.width), rows.rows[index / rows.width], rows.values[index],
                      at_edge};
  };
  struct Run {
    std::size_t begin = 0, length = 0;
  };
  std::vector<std::size_t> edges;  // the left one of each two
  std::vector<Run> runs;           // of interior
  for (std::size_t index = 0; index < rows.values.size(); ++index) {
    const bool begins_row = index % rows.width == 0, interior = is_interior(rows.values[index]);
    const bool before = !begins_row && is_interior(rows.values[index - 1]);
    if (!begins_row && interior != before) edges.push_back(index - 1);
    if (interior && !before) runs.push_back({index, 0});
    if (interior) ++runs.back().length;
  }
  std::ranges::shuffle(edges, random);
  std::ranges::shuffle(runs, random);
  std::ranges::stable_sort(runs, std::greater<>{}, &Run::length);
  std::vector<std::size_t> others(rows.values.size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  std::ranges::shuffle(others, random);
  std::vector<bool> taken(rows.values.size());
  std::vector<ProofPixel> pixels;
  const auto take = [&](std::size_t index, bool at_edge) {
    if (!taken[index]) pixels.push_back(pixel_at(index, at_edge));
    taken[index] = true;
  };
  std::size_t edge = 0, run = 0, other = 0;
  for (std::size_t turn = 0; pixels.size() < count && other < others.size(); ++turn) {
    if (turn % 3 == 0 && edge < edges.size()) {
      take(edges[edge], true);
      take(edges[edge++] + 1, true);
    } else if (turn % 6 == 1 && run < runs.size()) {
      take(runs[run].begin + runs[run].length / 2, runs[run].length < 3);
      ++run;
    } else {
      take(others[other++], false);
    }
  }
  pixels.resize(std::min(pixels.size(), count));
  return pixels;
}

std::vector<ProofPixel> pick_pixels(const Frame& frame, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<ProofPixel> pixels(count);
  for (ProofPixel& pixel : pixels) {
    pixel.i = static_cast<std::uint32_t>(random() % frame.size.width);
    pixel.j = frame.first_row + static_cast<std::uint32_t>(random() % frame.rows);
  }
  return pixels;
}

std::vector<ProofPixel> pick_pixels(const Frame& frame, std::span<const Cell> cells, std::size_t count,
                                    std::uint64_t seed) {
  std::vector<ProofPixel> pixels = pick_pixels(frame, count, seed);
  for (ProofPixel& pixel : pixels) {
    const Cell& cell = cells[std::size_t{pixel.j - frame.first_row} * frame.size.width + pixel.i];
    pixel.published = cell.interior() ? interior_value : static_cast<float>(cell.value());
  }
  return pixels;
}

std::vector<ProofPixel> pick_pixels(const Frame& frame, std::span<const float> published, std::size_t count,
                                    std::uint64_t seed) {
  std::vector<ProofPixel> pixels = pick_pixels(frame, count, seed);
  for (ProofPixel& pixel : pixels)
    pixel.published = published[std::size_t{pixel.j - frame.first_row} * frame.size.width + pixel.i];
  return pixels;
}

std::string text_of(const ProofResult& proof) {
  std::string text = std::to_string(proof.wrong_kind + proof.misses) + " of " + std::to_string(proof.checked) +
                     " pixels differ when computed in " + std::to_string(proof.bits) + " bits";
  if (proof.wrong_kind > 0) text += " (" + std::to_string(proof.wrong_kind) + " misclassified)";
  return text;
}

std::optional<ProofResult> prove(const ProofRequest& request, const std::stop_token& stop) {
  const double began = now_seconds();
  const auto judge =
      judge_of(request.frame, request.exponent,
               request.most_iterations / static_cast<double>(std::max<std::size_t>(1, request.pixels.size())));
  Tally tally;
  double left = request.most_iterations;
  for (std::size_t k = 0; k < request.pixels.size(); ++k) {
    const ProofPixel& pixel = request.pixels[k];
    // A pixel may take what cheaper ones have left; a few dear ones tell more than none.
    const double affordable = std::max(0.0, left);
    const double share =
        std::max(2 * affordable / static_cast<double>(request.pixels.size() - k + 1), least_share * affordable);
    Verdict verdict = is_unknown(pixel.published) || share == 0 ? Verdict{} : judge->judge(pixel, {}, share, stop);
    const bool explained = !is_right(pixel.published, verdict) &&
                           is_explained(*judge, pixel, verdict, request.slack, 2 * share + 1e5, stop);
    if (stop.stop_requested()) return {};
    left -= verdict.cost;
    tally.add(pixel, verdict, explained);
  }
  ProofResult result = tally.result();
  result.bits = judge->bits();
  result.iterations = request.most_iterations - left;
  result.seconds = now_seconds() - began;
  return result;
}

// ---- in the background

Prover::Prover() : worker_([this](const std::stop_token& stop) { work(stop); }) {}

Prover::~Prover() {
  worker_.request_stop();
  cancel();
}

void Prover::begin(ProofRequest request) {
  {
    const std::scoped_lock lock(mutex_);
    current_stop_.request_stop();
    wanted_ = std::move(request);
    result_.reset();
    busy_ = true;
  }
  changed_.notify_all();
}

void Prover::cancel() {
  const std::scoped_lock lock(mutex_);
  current_stop_.request_stop();
  wanted_.reset();
  result_.reset();
  busy_ = false;
}

bool Prover::busy() const {
  const std::scoped_lock lock(mutex_);
  return busy_;
}

std::optional<ProofResult> Prover::collect() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

void Prover::work(const std::stop_token& stop) {
  give_signal_stack();
  name_thread("proof");
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return wanted_.has_value(); })) {
    const ProofRequest request = *std::exchange(wanted_, std::nullopt);
    const std::stop_source own = current_stop_ = {};
    lock.unlock();
    const std::optional<ProofResult> result = prove(request, own.get_token());
    lock.lock();
    if (own.stop_requested()) continue;
    result_ = result;
    busy_ = false;
  }
}

}  // namespace orrery::mandelbrot
