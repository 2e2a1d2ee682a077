#include "scenes/mandelbrot/checks/proof.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>

#include "base/clock.hpp"
#include "base/platform/threads.hpp"
#include "base/statistics.hpp"
#include "scenes/mandelbrot/checks/judge.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double least_share = 0.125;

// The largest error of a published float by its rounding alone.
double rounding_of(float published) {
  const float next = std::nextafter(published, std::numeric_limits<float>::infinity());
  return 0.5 * (static_cast<double>(next) - static_cast<double>(published));
}

bool is_other_kind(float published, const Verdict& verdict) {
  return (verdict.kind == Verdict::Kind::interior) != is_interior(published);
}

// The difference of values of one kind, beyond a float's rounding.
double error_of(float published, const Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::interior) return 0;
  return std::max(0.0, std::abs(static_cast<double>(published) - verdict.nu) - rounding_of(published));
}

bool is_right(float published, const Verdict& verdict) {
  return verdict.kind == Verdict::Kind::unknown ||
         (!is_other_kind(published, verdict) && error_of(published, verdict) <= proof_tolerance);
}

// Points around a pixel whose values explain the published one. Where orbits are chaotic, rounding turns any result
// into that of a point close by, but hardly into that of a point chosen beforehand: a search finds one.
class Surroundings {
 public:
  /// `most_iterations`: for the searches of all pixels together.
  Surroundings(Judge& judge, const Frame& frame, double slack, double most_iterations)
      : judge_(judge), limit_(frame.limit), slack_(slack), left_(most_iterations) {}

  /// Whether ν varies so much within the slack that the published value may belong to a point there. `share`:
  /// iterations for each of the first points. Adds to the verdict's cost.
  bool explain(const ProofPixel& pixel, Verdict& verdict, double share, const std::stop_token& stop) {
    if (!(slack_ > 0)) return false;
    double farthest = 0;
    for (const Beside& place : first_places) {
      const Beside beside{slack_ * place.right, slack_ * place.down};
      const Verdict there = judge_.judge(pixel, beside, 2 * share + 1e5, stop);
      verdict.cost += there.cost;
      if (there.kind != verdict.kind && has_published_kind(pixel, there)) return true;
      farthest = std::max(farthest, distance(verdict, there));
    }
    if (!is_other_kind(pixel.published, verdict) && error_of(pixel.published, verdict) <= 2 * farthest) return true;
    return verdict.kind == Verdict::Kind::escapes && farthest > 0 && search(pixel, verdict, stop);
  }

 private:
  static bool has_published_kind(const ProofPixel& pixel, const Verdict& there) {
    return there.kind != Verdict::Kind::unknown && !is_other_kind(pixel.published, there);
  }

  static double distance(const Verdict& verdict, const Verdict& there) {
    if (there.kind == Verdict::Kind::unknown) return 0;
    if (there.kind != verdict.kind) return std::numeric_limits<double>::infinity();
    return verdict.kind == Verdict::Kind::escapes ? std::abs(there.nu - verdict.nu) : 0;
  }

  // A pixel that takes more than N iterations is interior.
  bool goes_half_way(const ProofPixel& pixel, const Verdict& verdict, const Verdict& there) const {
    if (there.kind == Verdict::Kind::unknown) return false;
    const double published = is_interior(pixel.published) ? limit_ : static_cast<double>(pixel.published);
    const double found = there.kind == Verdict::Kind::interior ? limit_ : there.nu;
    return published > verdict.nu ? 2 * (found - verdict.nu) >= published - verdict.nu
                                  : 2 * (verdict.nu - found) >= verdict.nu - published;
  }

  // Searches all scales down to the rounding of doubles, for an orbit that escapes.
  bool search(const ProofPixel& pixel, const Verdict& verdict, const std::stop_token& stop) {
    constexpr int most_places = 256;
    constexpr double octaves = 32;
    std::mt19937_64 random(std::uint64_t{pixel.j} << 32 | pixel.i);
    std::uniform_real_distribution<double> part;
    for (int k = 0; k < most_places && left_ > 0 && !stop.stop_requested(); ++k) {
      const double radius = slack_ * std::exp2(-octaves * part(random)), angle = 2 * std::numbers::pi * part(random);
      const Verdict there = judge_.judge(pixel, {radius * std::cos(angle), radius * std::sin(angle)}, left_, stop);
      left_ -= std::max(1.0, there.cost);
      if (goes_half_way(pixel, verdict, there)) return true;
    }
    return false;
  }

  static constexpr Beside first_places[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {0.5, 0}, {-0.5, 0}, {0, 0.5}, {0, -0.5}};
  Judge& judge_;
  double limit_, slack_, left_;
};

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
  std::vector<std::size_t> edges;  // the left pixel of each pair
  std::vector<Run> runs;           // runs of interior pixels
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
  Surroundings surroundings(*judge, request.frame, request.slack, 2 * request.most_iterations);
  Tally tally;
  double left = request.most_iterations;
  for (std::size_t k = 0; k < request.pixels.size(); ++k) {
    const ProofPixel& pixel = request.pixels[k];
    // A pixel may use the iterations that cheaper ones left over; a few expensive ones tell more than none.
    const double affordable = std::max(0.0, left);
    const double share =
        std::max(2 * affordable / static_cast<double>(request.pixels.size() - k + 1), least_share * affordable);
    Verdict verdict = is_unknown(pixel.published) || share == 0 ? Verdict{} : judge->judge(pixel, {}, share, stop);
    const bool explained = !is_right(pixel.published, verdict) && surroundings.explain(pixel, verdict, share, stop);
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
