/// Recognition of pictures with a single colour.
#include "scenes/mandelbrot/output/coloring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace orrery::mandelbrot {
namespace {

constexpr Size size{160, 90};
constexpr float inside = -1e30F;

// ν of the view's points in plain doubles, independent of all kernels.
std::vector<float> values_of(std::complex<double> centre, double span, int limit = 20000) {
  std::vector<float> values;
  for (std::uint32_t j = 0; j < size.height; ++j)
    for (std::uint32_t i = 0; i < size.width; ++i) {
      const std::complex<double> c = centre + std::complex<double>(span * ((i + 0.5) / size.width - 0.5),
                                                                   span * (0.5 * size.height - j - 0.5) / size.width);
      std::complex<double> z = 0;
      int n = 0;
      while (n < limit && std::norm(z) <= 1e4) z = z * z + c, ++n;
      values.push_back(n == limit ? inside
                                  : static_cast<float>(n + 1 - std::log2(std::log(std::abs(z)) / std::log(100.0))));
    }
  return values;
}

int spread_of(const std::vector<float>& values, ColorSettings colors = {}) {
  return color_spread(range_of(values), Colorist(colors, 20000), colors.scale == "histogram", Cascade{});
}

TEST(ColorSpread, IsSmallWhereAllPointsEscapeAlmostAlike) {
  EXPECT_LE(spread_of(values_of({-2.9, 0.4}, 1e-6)), 4) << "far outside";
  EXPECT_LE(spread_of(values_of({-1.401155189092, 1e-5}, 1e-10)), 4) << "beside the Feigenbaum point";
  EXPECT_LE(spread_of(values_of({0.3, 0.6}, 1e-9)), 4) << "an exterior place";
}

TEST(ColorSpread, IsLargeInViewsWithStructure) {
  EXPECT_GT(spread_of(values_of({-0.65, 0}, 4)), 50) << "the whole set";
  EXPECT_GT(spread_of(values_of({-1.25066, 0.02012}, 1.7e-4)), 50) << "filaments";
  EXPECT_GT(spread_of(values_of({-2.9, 0.4}, 1)), 8) << "a gradient";
}

TEST(ColorSpread, IsRaisedByASinglePixel) {
  std::vector<float> sea(10000, 40.0F);
  EXPECT_EQ(spread_of(sea), 0);
  sea[77] = inside;
  EXPECT_EQ(spread_of(sea), 255) << "a minibrot";
  sea[77] = 60;
  EXPECT_GT(spread_of(sea), 8) << "a filament";
  EXPECT_EQ(spread_of({}), 255);
  EXPECT_EQ(spread_of(std::vector<float>(100, inside)), 255) << "all inside is told otherwise";
}

TEST(ColorSpread, IsNotSmallForShadedAndEqualizedColours) {
  const std::vector<float> sea = values_of({-2.9, 0.4}, 1e-6);
  ColorSettings colors;
  colors.scale = "histogram";
  EXPECT_EQ(spread_of(sea, colors), 255);
  colors = {};
  colors.shading = "slope";
  EXPECT_EQ(spread_of(sea, colors), 255);
}

}  // namespace
}  // namespace orrery::mandelbrot
