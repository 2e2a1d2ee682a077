#include "model/mandelbrot/iteration_limit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orrery::mandelbrot {
namespace {

constexpr std::uint32_t lowest = 256;
constexpr std::uint32_t highest = 1u << 31;
// Escapes in the last doubling that are worth another one, and that were not worth this one, as parts of all pixels.
constexpr double worth_raising = 1e-4;
constexpr double worth_nothing = 2e-5;

}  // namespace

std::uint32_t AutomaticLimit::first(const View& view) const {
  // Away from c∞ the counts of a busy view grow by some tens for each factor of two.
  const double octaves = std::max(0.0, std::log2(3 / view.span.value()));
  const auto guess = static_cast<std::uint32_t>(lowest + 40 * std::min(octaves, 1e6));
  return std::max(needed_, std::bit_ceil(guess));
}

std::optional<std::uint32_t> AutomaticLimit::next(const Progress& progress) {
  const auto pixels = static_cast<double>(progress.pixels);
  const auto late = static_cast<double>(progress.late);
  const bool nothing_yet = static_cast<double>(progress.escaped) < worth_raising * pixels;
  needed_ = progress.limit;
  if (progress.undecided > 0 && progress.limit < highest && (late > worth_raising * pixels || nothing_yet)) {
    return progress.limit * 2;
  }
  if (late < worth_nothing * pixels) needed_ = std::max(lowest, progress.limit / 2);
  return std::nullopt;
}

}  // namespace orrery::mandelbrot
