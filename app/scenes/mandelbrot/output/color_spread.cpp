#include "scenes/mandelbrot/output/color_spread.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/mandelbrot/deep/kernel_arguments.hpp"

namespace orrery::mandelbrot {

ValueRange range_of(std::span<const float> values) {
  if (values.empty()) return {};
  const auto [lowest, highest] = std::ranges::minmax(values);
  const bool finite = std::isfinite(lowest) && std::isfinite(highest);
  return {lowest, highest, finite && !is_interior(lowest) && !is_unknown(lowest)};
}

int color_spread(const ValueRange& range, const Colorist& colorist, bool equalized, const Cascade& cascade) {
  constexpr int most = 255, samples = 17;
  if (!range.all_escape || equalized || colorist.shades()) return most;
  Rgb low{255, 255, 255}, high{0, 0, 0};
  for (int i = 0; i < samples; ++i) {
    const double nu = std::lerp(static_cast<double>(range.lowest), static_cast<double>(range.highest),
                                static_cast<double>(i) / (samples - 1));
    for (const double part : {cascade.least, cascade.most}) {
      const Rgb color = colorist.color(nu, part);
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], color[k]);
        high[k] = std::max(high[k], color[k]);
      }
    }
  }
  int spread = 0;
  for (std::size_t k = 0; k < 3; ++k) spread = std::max(spread, high[k] - low[k]);
  return spread;
}

}  // namespace orrery::mandelbrot
