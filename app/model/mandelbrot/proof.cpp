#include "model/mandelbrot/proof.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "base/clock.hpp"
#include "model/mandelbrot/judge.hpp"
#include "base/statistics.hpp"
#include "base/threads.hpp"

namespace orrery::mandelbrot {
namespace {

// What a published float may be off by for its rounding alone.
double rounding_of(float published) {
  const float next = std::nextafter(published, std::numeric_limits<float>::infinity());
  return 0.5 * (static_cast<double>(next) - static_cast<double>(published));
}

class Tally {
 public:
  void add(const ProofPixel& pixel, const Verdict& verdict) {
    if (verdict.kind == Verdict::Kind::unknown) {
      ++result_.left_out;
      return;
    }
    ++result_.checked;
    const bool interior = verdict.kind == Verdict::Kind::interior;
    if (interior != is_interior(pixel.published)) {
      ++result_.wrong_kind;
      note_worst(pixel, verdict, std::numeric_limits<double>::infinity());
      return;
    }
    const double error =
        interior
            ? 0
            : std::max(0.0, std::abs(static_cast<double>(pixel.published) - verdict.nu) - rounding_of(pixel.published));
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

std::optional<ProofResult> prove(const ProofRequest& request, const std::stop_token& stop) {
  const double began = now_seconds();
  const auto judge =
      judge_of(request.frame, request.exponent,
               request.most_iterations / static_cast<double>(std::max<std::size_t>(1, request.pixels.size())));
  Tally tally;
  double left = request.most_iterations;
  for (std::size_t k = 0; k < request.pixels.size(); ++k) {
    const ProofPixel& pixel = request.pixels[k];
    // A pixel may take what cheaper ones have left.
    const double share = 2 * left / static_cast<double>(request.pixels.size() - k + 1);
    const Verdict verdict = is_unknown(pixel.published) ? Verdict{} : judge->judge(pixel, share, stop);
    if (stop.stop_requested()) return {};
    left -= verdict.cost;
    tally.add(pixel, verdict);
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
  name_thread("proof");
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return wanted_.has_value(); })) {
    const ProofRequest request = *std::exchange(wanted_, std::nullopt);
    const std::stop_source own = current_stop_ = {};
    lock.unlock();
    std::optional<ProofResult> result = prove(request, own.get_token());
    lock.lock();
    if (own.stop_requested()) continue;
    result_ = std::move(result);
    busy_ = false;
  }
}

}  // namespace orrery::mandelbrot
