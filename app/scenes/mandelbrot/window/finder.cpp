#include "scenes/mandelbrot/window/finder.hpp"

#include <cmath>

#include "base/text.hpp"

namespace orrery {

using namespace mandelbrot;

void CopyFinder::begin(const View& view, Size size, std::size_t most_steps) {
  stop_.request_stop();
  stop_ = {};
  result_ = NotAsked{};
  search_.start([=, stop = stop_.get_token()] { return find_copy(view, size, most_steps, {stop}); });
}

bool CopyFinder::update() {
  auto done = search_.poll();
  if (!done) return false;
  if (*done) {
    result_ = std::move(**done);
  } else {
    result_ = Nothing{};
  }
  return true;
}

std::optional<Anchor> CopyFinder::anchor() const {
  const FoundCopy* found = copy();
  if (found == nullptr) return std::nullopt;
  return Anchor{"nucleus of period " + std::to_string(found->period), found->re, found->im};
}

CopySnapshot CopyFinder::snapshot() const {
  if (search_.busy()) return {.what = CopySnapshot::What::searching};
  if (std::holds_alternative<Nothing>(result_)) return {.what = CopySnapshot::What::nothing};
  const FoundCopy* found = copy();
  if (found == nullptr) return {};
  const double power = std::floor(found->log10_size);
  const std::string size = brief(std::pow(10, found->log10_size - power), 3) + "e" + brief(power, 9);
  return {.what = CopySnapshot::What::copy, .period = found->period, .size = size};
}

}  // namespace orrery
