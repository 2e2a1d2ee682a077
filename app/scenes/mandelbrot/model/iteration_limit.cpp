#include "scenes/mandelbrot/model/iteration_limit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace orrery::mandelbrot {
namespace {

constexpr std::uint32_t lowest = 256;
constexpr std::uint32_t highest = 1u << 31;
// Escapes in the last doubling, as parts of all pixels: above `common` the next picture's passes should go further;
// below `rare` they can stop earlier, and another doubling would hardly be visible.
constexpr double common = 3e-3;
constexpr double rare = 5e-4;
constexpr double invisible = 1e-4;
// Where this part of the pixels is known to be interior and none escapes, a view lies across two components that touch.
// Their gap is a line for which no limit is high enough.
constexpr double almost_all = 0.9;
constexpr std::uint32_t enough_for_gaps = 1u << 20;

}  // namespace

std::uint32_t AutomaticLimit::first(const View& view) const {
  // Away from c∞, the counts of a busy view grow by some tens for each factor of two.
  const double octaves = std::max(0.0, std::log2(3.0) - view.span.log() / std::numbers::ln2);
  const auto guess = static_cast<std::uint32_t>(lowest + 40 * std::min(octaves, 1e6));
  return std::max(needed_, std::bit_ceil(guess));
}

std::optional<std::uint32_t> AutomaticLimit::next(const Progress& progress) {
  const auto pixels = static_cast<double>(progress.pixels);
  const auto late = static_cast<double>(progress.late);
  const bool nothing_yet = static_cast<double>(progress.escaped) < invisible * pixels;
  const bool gap = nothing_yet && static_cast<double>(progress.undecided) < (1 - almost_all) * pixels;
  const std::uint32_t most = std::min(gap ? enough_for_gaps : highest, progress.longest);
  const bool raise = progress.undecided > 0 && progress.limit < most && (late > invisible * pixels || nothing_yet);
  if (progress.renormalised) return raise ? std::optional(2 * progress.limit) : std::nullopt;
  if (raise && (late > common * pixels || nothing_yet)) {
    needed_ = 2 * progress.limit;
  } else if (progress.limit == progress.first_limit && late < rare * pixels) {
    needed_ = std::max(lowest, progress.limit / 2);
  }
  return raise ? std::optional(2 * progress.limit) : std::nullopt;
}

// While a view moves, no picture's limit is raised: the next picture begins with a higher one.
void AutomaticLimit::learn(const Progress& progress) {
  if (progress.renormalised || progress.first_limit >= highest || !too_low(progress)) return;
  needed_ = std::max(needed_, 2 * progress.first_limit);
}

bool AutomaticLimit::too_low(const Progress& progress) {
  const bool ends = std::max(progress.first_limit, progress.limit) >= progress.longest;
  return !ends && static_cast<double>(progress.late) > common * static_cast<double>(progress.decided);
}

}  // namespace orrery::mandelbrot
