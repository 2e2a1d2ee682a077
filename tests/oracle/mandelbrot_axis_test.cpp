/// Pictures whose centre is real: their middle row lies on the real axis, and their rows mirror each other, however
/// deep they are and whichever numbers compute them. The truth is iteration in many bits (MPFR), which shares no code
/// with the product.
#include <gtest/gtest.h>

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "oracle/mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::uint32_t limit = 1000;
constexpr double radius = 100;

struct Real {
  mpfr_t x;
  explicit Real(mpfr_prec_t bits) { mpfr_init2(x, bits), mpfr_set_zero(x, 1); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  ~Real() { mpfr_clear(x); }
};

/// A picture around a point of the real axis.
struct Case {
  std::string re, span;
  Size size;
  std::string precision = "auto";
};

// ν on the axis, `right` pixels right of the centre; −1 if it does not escape.
double on_axis(const Case& picture, double right) {
  constexpr mpfr_prec_t bits = 256;  // 77 digits
  Real c(bits), step(bits), x(bits);
  mpfr_set_str(c.x, picture.re.c_str(), 10, MPFR_RNDN);
  mpfr_set_str(step.x, picture.span.c_str(), 10, MPFR_RNDN);
  mpfr_div_ui(step.x, step.x, picture.size.width, MPFR_RNDN);
  mpfr_mul_d(step.x, step.x, right, MPFR_RNDN);
  mpfr_add(c.x, c.x, step.x, MPFR_RNDN);
  for (std::uint32_t n = 0; n < limit; ++n) {
    const double modulus = std::abs(mpfr_get_d(x.x, MPFR_RNDN));
    if (modulus > radius) return n + 1 - std::log2(std::log(modulus) / std::log(radius));
    mpfr_sqr(x.x, x.x, MPFR_RNDN);
    mpfr_add(x.x, x.x, c.x, MPFR_RNDN);
  }
  return -1;
}

/// Bounds of ν in the middle row: its values at both ends of each pixel's uncertainty, in pixels.
struct Row {
  Row(const Case& picture, double uncertainty) {
    for (std::uint32_t i = 0; i < picture.size.width; ++i) {
      const double away = i + 0.5 - 0.5 * picture.size.width;
      left.push_back(on_axis(picture, away - uncertainty));
      right.push_back(on_axis(picture, away + uncertainty));
    }
  }
  std::vector<double> left, right;
};

class MandelbrotAxis : public MandelbrotOnDevice {
 protected:
  struct Cells {
    std::vector<Cell> values;
    std::vector<float> details;
    Size size;
    const Cell& at(std::size_t i, std::size_t j) const { return values[j * size.width + i]; }
  };

  static const Kernels& kernels(const PrecisionChoice& choice, Purpose purpose, bool detail) {
    static std::map<std::tuple<Precision, bool, Purpose, bool>, Kernels> all;
    const auto key = std::tuple(choice.precision, choice.exact, purpose, detail);
    const auto found = all.find(key);
    if (found != all.end()) return found->second;
    return all.try_emplace(key, programs(), choose_variant(device().info(), choice, {}, purpose, detail)).first->second;
  }

  static Cells computed(const Case& picture, Purpose purpose, bool detail = false) {
    const View view{Decimal::parse(picture.re, "re"), Decimal(0.0), Decimal::parse(picture.span, "span")};
    const PrecisionChoice choice = choose_precision(picture.precision, view, picture.size, fp64(), purpose);
    const PictureRequest request{.view = view, .size = picture.size, .limit = limit, .escape_radius = radius};
    Cells cells{.values = {}, .details = {}, .size = picture.size};
    const auto take = [&](const Band& band, std::span<const Cell> some, int) {
      cells.values.assign(some.begin(), some.end());
      cells.details.assign(band.details.begin(), band.details.end());
    };
    compute_picture(device(), kernels(choice, purpose, detail), request, limit, take, [](double) { return true; });
    return cells;
  }

  // Compares only the pixels that the digits of c decide.
  static void expect_row(const Row& row, const Cells& cells, int& compared) {
    for (std::uint32_t i = 0; i < cells.size.width; ++i) {
      const auto [least, most] = std::minmax(row.left[i], row.right[i]);
      if ((row.left[i] == -1) != (row.right[i] == -1)) continue;
      ++compared;
      const double value = cells.at(i, cells.size.height / 2).value();
      EXPECT_GE(value, least - 1e-3) << "column " << i;
      EXPECT_LE(value, most + 1e-3) << "column " << i;
    }
  }

  static void expect_mirrored_rows(const Cells& cells) {
    const std::size_t last = cells.size.height - 1;
    for (std::size_t j = 0; 2 * j < last; ++j)
      for (std::size_t i = 0; i < cells.size.width; ++i) {
        ASSERT_EQ(cells.at(i, j), cells.at(i, last - j)) << "pixel (" << i << ", " << j << ")";
        if (cells.details.empty()) continue;
        ASSERT_EQ(cells.details[j * cells.size.width + i], cells.details[(last - j) * cells.size.width + i]) << i;
      }
  }
};

std::uint32_t below(std::mt19937& random, std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); }
double between(std::mt19937& random, double low, double high) {
  return low + (high - low) * (below(random, 1u << 31) * 0x1p-31);
}

// A random decimal number from `low` to `high` with `digits` digits after the point.
std::string decimal_between(std::mt19937& random, double low, double high, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9f", between(random, low, high));
  std::string all = text;
  while (digits-- > 9) all += std::to_string(below(random, 10));
  return all;
}

// Picks the tip of the antenna, where a row is interior up to a point and escapes beyond it, or any point of the axis.
Case drawn(std::mt19937& random, double least_depth, double most_depth) {
  const int digits = static_cast<int>(between(random, least_depth, most_depth));
  Case picture;
  picture.span = std::to_string(1 + below(random, 9)) + "." + std::to_string(below(random, 1000)) + "e-";
  picture.span += std::to_string(digits);
  picture.size = {1 + below(random, 12), 1 + 2 * below(random, 100)};
  picture.re = below(random, 4) == 0 ? "-2" : decimal_between(random, -1.999, 0.249, digits + 6);
  return picture;
}

TEST_F(MandelbrotAxis, ShallowPicturesHaveTheAxisInTheirMiddleRow) {
  std::mt19937 random(120);
  int compared = 0;
  for (int k = 0; k < 120; ++k) {
    Case picture = drawn(random, 1, 7);
    SCOPED_TRACE(testing::Message() << k << ": " << picture.re << " span " << picture.span << " size "
                                    << picture.size.width << "x" << picture.size.height);
    const double unit = 32 * picture.size.width / std::stod(picture.span);  // of c, in pixels
    const Row of_single(picture, 0x1p-24 * unit), of_double(picture, 0x1p-53 * unit);
    for (const std::string precision : {"auto", "single", "double", "perturbation"}) {
      if (precision == "double" && !fp64()) continue;
      SCOPED_TRACE(precision);
      picture.precision = precision;
      for (const Purpose purpose : {Purpose::picture, Purpose::data}) {
        const bool doubles = fp64() && precision != "single" && (precision != "auto" || purpose == Purpose::data);
        const Cells cells = computed(picture, purpose);
        expect_row(doubles ? of_double : of_single, cells, compared);
        expect_mirrored_rows(cells);
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 4000);
}

TEST_F(MandelbrotAxis, DeepPicturesHaveTheAxisInTheirMiddleRow) {
  std::mt19937 random(40);
  int compared = 0;
  for (int k = 0; k < 120; ++k) {
    const Case picture = drawn(random, 10, 41);
    SCOPED_TRACE(testing::Message() << k << ": " << picture.re << " span " << picture.span << " size "
                                    << picture.size.width << "x" << picture.size.height);
    const Cells cells = computed(picture, k % 2 == 0 ? Purpose::picture : Purpose::data);
    expect_row(Row(picture, 1e-6), cells, compared);
    expect_mirrored_rows(cells);
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, 500);
}

// Beside c∞ the ladder computes the picture and finds the discs of the cascade in another way.
TEST_F(MandelbrotAxis, LadderPicturesHaveTheAxisInTheirMiddleRow) {
  for (const std::string span : {"1e-7", "3.1e-12", "7e-20", "1.3e-30"}) {
    Case picture{.re = feigenbaum, .span = span, .size = {33, 7}, .precision = "ladder"};
    SCOPED_TRACE(span);
    const Cells cells = computed(picture, Purpose::picture);
    for (std::uint32_t i = 0; i < picture.size.width; ++i) EXPECT_TRUE(cells.at(i, 3).interior()) << i;
    expect_mirrored_rows(cells);
  }
}

TEST_F(MandelbrotAxis, DistancesAndPeriodsAreMirrored) {
  for (const auto& [re, span] : {std::pair{"-1.4", "0.2"},
                                 {"-1.76", "0.05"},
                                 {"-1.7548776662466927600495", "1e-14"},
                                 {"-1.62541372512330373", "1e-25"},
                                 {"-1.4011551890920506005238267878", "1e-16"}}) {
    SCOPED_TRACE(re);
    const Case picture{.re = re, .span = span, .size = {41, 31}};
    const Cells cells = computed(picture, Purpose::data, true);
    ASSERT_EQ(cells.details.size(), cells.values.size());
    expect_mirrored_rows(cells);
  }
}

}  // namespace
}  // namespace orrery::mandelbrot
