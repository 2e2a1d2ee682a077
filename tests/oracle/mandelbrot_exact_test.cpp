/// Pixels whose c is exactly a point with a finite orbit: −1 at any depth, in all numbers and anywhere in the picture.
#include <gtest/gtest.h>

#include <map>

#include "oracle/mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/deep/exact_pixels.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr Size size{17, 11};

/// A picture that has a point of the plane exactly in the middle of one of its pixels.
struct Placed {
  double re = 0, im = 0;
  std::string spacing;
  std::uint32_t i = 8, j = 5;

  View view() const {
    const Decimal apart = Decimal::parse(spacing, "spacing");
    return {Decimal(re) - apart * (i - 8.0), Decimal(im) - apart * (5.0 - j), apart * size.width};
  }
  std::size_t index() const { return j * size.width + i; }
};

std::vector<Placed> placed_points() {
  std::vector<Placed> all;
  for (const Complex c : {Complex{0, 1}, {0, -1}, {-2, 0}})
    for (const char* spacing : {"0.125", "0.1", "1e-9", "1e-30", "1e-60", "1e-400"})
      for (const auto& [i, j] : {std::pair{8u, 5u}, {0u, 0u}, {11u, 3u}}) all.push_back({c.re, c.im, spacing, i, j});
  return all;
}

class MandelbrotExact : public MandelbrotOnDevice {
 protected:
  static const Kernels& kernels(const PrecisionChoice& choice) {
    static std::map<std::pair<Precision, bool>, Kernels> all;
    const auto key = std::pair(choice.precision, choice.exact);
    const auto found = all.find(key);
    if (found != all.end()) return found->second;
    return all.try_emplace(key, programs(), choose_variant(device().info(), choice, {}, Purpose::data)).first->second;
  }
  static std::vector<Cell> computed(const View& view, const char* precision, bool many_bits = false) {
    const PrecisionChoice choice = choose_precision(precision, view, size, fp64(), Purpose::data);
    const PictureRequest request{.view = view, .size = size, .limit = 3000, .many_bits = many_bits};
    std::vector<Cell> all;
    const auto take = [&](const Band&, std::span<const Cell> cells, int) {
      all.insert(all.end(), cells.begin(), cells.end());
    };
    compute_picture(device(), kernels(choice), request, 3000, take, [](double) { return true; });
    return all;
  }
};

TEST_F(MandelbrotExact, PointsWithFiniteOrbitsNeverEscape) {
  for (const Placed& placed : placed_points())
    for (const char* precision : {"auto", "single", "double", "perturbation"}) {
      if (!fp64() && std::string(precision) == "double") continue;
      const Cell cell = computed(placed.view(), precision)[placed.index()];
      EXPECT_EQ(cell.value(), -1) << placed.re << " " << placed.im << " at " << placed.i << ", " << placed.j
                                  << ", spacing " << placed.spacing << ", " << precision;
    }
}

// Published pictures are those of the window.
TEST_F(MandelbrotExact, PublishedPicturesHavePointsWithFiniteOrbits) {
  for (const Placed& placed : placed_points()) {
    const PrecisionChoice choice = choose_precision("auto", placed.view(), size, fp64(), Purpose::picture);
    if (is_ladder(choice.precision)) continue;
    Queue queue(device());
    Renderer renderer(device(), queue, kernels(choice));
    Frame frame = whole_frame(placed.view(), size);
    frame.limit = 3000;
    renderer.begin(frame);
    renderer.finish_blocking(queue, 1);
    const cl::Buffer surface = device().buffer(size.pixels() * renderer.planes() * sizeof(float));
    renderer.publish(queue, surface);
    const auto values = queue.read_blocking<float>(surface, size.pixels());
    EXPECT_LT(values[placed.index()], -1e29F) << placed.re << " " << placed.im << ", spacing " << placed.spacing;
  }
}

TEST_F(MandelbrotExact, ProofsAcceptPointsWithFiniteOrbits) {
  for (const Placed& placed : placed_points()) {
    Frame frame = whole_frame(placed.view(), size);
    frame.limit = 3000;
    const ProofPixel pixel{.i = placed.i, .j = placed.j, .published = interior_value};
    const ProofResult proof = prove({.frame = frame, .pixels = {pixel}}).value_or(ProofResult{});
    EXPECT_EQ(proof.checked, 1) << placed.spacing;
    EXPECT_FALSE(proof.fails()) << placed.re << " " << placed.im << ", spacing " << placed.spacing;
  }
}

// A row other than the middle one lies on the axis and extends beyond both ends of the set.
TEST_F(MandelbrotExact, RealPointsOfTheSetAreInterior) {
  for (const char* precision : {"auto", "double", "perturbation"}) {
    if (!fp64() && std::string(precision) == "double") continue;
    const Placed placed{.re = -1, .im = 0, .spacing = "0.15625", .i = 8, .j = 9};
    const std::vector<Cell> cells = computed(placed.view(), precision);
    for (std::uint32_t i = 0; i < size.width; ++i) {
      const double re = -1 + 0.15625 * (i - 8.0);
      EXPECT_EQ(cells[9 * size.width + i].interior(), re >= -2 && re <= 0.25) << re << ", " << precision;
    }
  }
}

// −1 means interior.
TEST_F(MandelbrotExact, ValuesFarOutsideAreNotNegative) {
  for (const char* precision : {"single", "double", "perturbation"}) {
    if (!fp64() && std::string(precision) == "double") continue;
    const View view{Decimal(0.0), Decimal(0.0), Decimal(500.0)};
    const PrecisionChoice choice = choose_precision(precision, view, size, fp64(), Purpose::data);
    const PictureRequest request{.view = view, .size = size, .limit = 100, .escape_radius = 2, .proved = 187};
    int inside = 0, zeros = 0;
    const auto take = [&](const Band&, std::span<const Cell> cells, int) {
      for (const Cell& cell : cells) {
        inside += cell.value() == -1;
        zeros += cell.value() == 0;
        EXPECT_TRUE(cell.interior() || cell.value() >= 0) << precision;
      }
    };
    const PictureResult result =
        compute_picture(device(), kernels(choice), request, 100, take, [](double) { return true; });
    EXPECT_EQ(inside, 1) << precision;
    EXPECT_GT(zeros, 100) << precision;
    EXPECT_FALSE(result.proof.value_or(ProofResult{}).fails()) << precision;
  }
}

std::vector<std::uint32_t> exact_of(const View& view) { return exact_interior(whole_frame(view, size)); }

TEST(MandelbrotExactPixels, AreExactlyThePixelsOfFiniteOrbits) {
  const auto with = [](const char* re, const char* im, const char* span) {
    return View{Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")};
  };
  EXPECT_TRUE(exact_of(with("1e-300", "1", "3")).empty());
  EXPECT_TRUE(exact_of(with("0", "1", "3")) == std::vector<std::uint32_t>{5 * 17 + 8});
  EXPECT_TRUE(exact_of(with("-0.5", "0.3", "3")).empty());
  EXPECT_EQ(exact_of(with("-1", "0", "1")).size(), 17u);
  EXPECT_EQ(exact_of(with("0.25", "0", "1")).size(), 9u);
  EXPECT_EQ(exact_of(with("0.25", "0", "1e-5000")).size(), 9u);
  EXPECT_EQ(exact_of(with("0.25", "1e-5001", "1e-5000")).size(), 0u);
}

TEST(MandelbrotExactPixels, AreFoundInTurnedPicturesAndInParts) {
  View view{Decimal(0.0), Decimal(1.0), Decimal::parse("1e-40", "span")};
  view.turn = {.rotation = 33, .stretch = 2.5, .stretch_angle = 70};
  EXPECT_TRUE(exact_of(view) == std::vector<std::uint32_t>{5 * 17 + 8});
  Frame frame = whole_frame(view, size);
  frame.first_row = 4;
  frame.rows = 3;
  EXPECT_TRUE(exact_interior(frame) == std::vector<std::uint32_t>{17 + 8});
  frame.first_row = 6;
  EXPECT_TRUE(exact_interior(frame).empty());
}

}  // namespace
}  // namespace orrery::mandelbrot
