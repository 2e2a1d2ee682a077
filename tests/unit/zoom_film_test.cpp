#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "scenes/mandelbrot/output/zoom_film.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr Size size{96, 64};

Image noise(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Image picture(2 * size.width, 2 * size.height);
  for (std::uint8_t& channel : picture.rgb) channel = static_cast<std::uint8_t>(random());
  return picture;
}

// The sum of squared differences of neighbouring pixels.
double sharpness(const std::vector<float>& light) {
  constexpr std::size_t margin = 8;
  double sum = 0;
  for (std::size_t j = margin; j + margin < size.height; ++j)
    for (std::size_t i = margin; i + margin < size.width; ++i) {
      const float* pixel = &light[3 * (j * size.width + i)];
      sum += std::pow(double{pixel[3]} - double{pixel[0]}, 2) +
             std::pow(double{pixel[std::size_t{3} * size.width]} - double{pixel[0]}, 2);
    }
  return sum;
}

// The sharpness of a frame at `part` of an octave, mixed from its two key frames.
double sharpness_at(double part) {
  std::vector<float> light(3 * size.pixels(), 0.0F);
  if (part > 0) add_zoomed(noise(2), std::exp2(part - 2), size, static_cast<float>(part), light);
  add_zoomed(noise(1), std::exp2(part - 1), size, static_cast<float>(1 - part), light);
  return sharpness(light);
}

TEST(ZoomFilm, FramesAtWholeOctavesAreNoSharperThanTheirNeighbours) {
  const double whole = sharpness_at(0);
  for (const double neighbour : {sharpness_at(1.0 / 30), sharpness_at(29.0 / 30)}) {
    EXPECT_LT(whole, 1.1 * neighbour);
    EXPECT_GT(whole, 0.9 * neighbour);
  }
}

TEST(ZoomFilm, FramesKeepTheirBrightness) {
  Image gray(2 * size.width, 2 * size.height);
  std::ranges::fill(gray.rgb, std::uint8_t{188});
  for (const double zoom : {0.25, 0.4, 0.5, 0.7, 1.0}) {
    std::vector<float> light(3 * size.pixels(), 0.0F);
    add_zoomed(gray, zoom, size, 1, light);
    for (const float each : light) ASSERT_NEAR(each, light_of({188, 188, 188})[0], 1e-5) << zoom;
  }
}

}  // namespace
}  // namespace orrery::mandelbrot
