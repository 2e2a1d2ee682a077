/// The second plane of pictures: distances against arithmetic of many bits and against Koebe's theorem, periods against
/// known nuclei; and that smooth values are the same bits with and without it.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <array>
#include <complex>
#include <cstdio>
#include <numbers>
#include <random>

#include "oracle/mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

class MandelbrotDetail : public MandelbrotOnDevice {
 protected:
  static const Kernels& kernels(Precision precision, bool detail = true) {
    static std::map<std::pair<Precision, bool>, Kernels> all;
    const auto found = all.find({precision, detail});
    if (found != all.end()) return found->second;
    Variant variant = choose_variant(device().info(), precision, 0);
    variant.detail = detail;
    return all.try_emplace({precision, detail}, programs(), variant).first->second;
  }
  static Frame frame_at(const std::string& re, const std::string& im, const std::string& span, std::uint32_t limit) {
    Frame frame =
        whole_frame({Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")}, {64, 48});
    frame.limit = limit;
    return frame;
  }
  struct Picture {
    std::vector<Cell> cells;
    std::vector<float> details;
  };
  static Picture computed(const Frame& frame, Precision precision, bool detail = true, std::uint32_t first_limit = 0) {
    Queue queue(device());
    Renderer renderer(device(), queue, kernels(precision, detail));
    Frame first = frame;
    if (first_limit != 0) first.limit = first_limit;
    renderer.begin(first);
    renderer.finish_blocking(queue, 1);
    renderer.raise_limit(frame.limit);
    renderer.finish_blocking(queue, 1);
    return {renderer.cells_blocking(queue), renderer.details_blocking(queue)};
  }
};

/// |z| ln|z| / |dz/dc| at the escape of a pixel, in pixels; 0 where it does not escape.
double distance_in_many_bits(const Frame& frame, std::size_t i, std::size_t j, mpfr_prec_t bits) {
  std::array<mpfr_t, 9> v;
  for (mpfr_t& each : v) mpfr_init2(each, bits);
  auto& [cx, cy, x, y, dx, dy, a, b, pixel] = v;
  mpfr_set_str(pixel, frame.view.span.text().c_str(), 10, MPFR_RNDN);
  mpfr_div_ui(pixel, pixel, frame.size.width, MPFR_RNDN);
  mpfr_set_str(cx, frame.view.re.text().c_str(), 10, MPFR_RNDN);
  mpfr_set_str(cy, frame.view.im.text().c_str(), 10, MPFR_RNDN);
  mpfr_mul_d(a, pixel, static_cast<double>(i) + 0.5 - 0.5 * frame.size.width, MPFR_RNDN);
  mpfr_add(cx, cx, a, MPFR_RNDN);
  mpfr_mul_d(a, pixel, 0.5 * frame.size.height - static_cast<double>(j) - 0.5, MPFR_RNDN);
  mpfr_add(cy, cy, a, MPFR_RNDN);
  for (mpfr_t* each : {&x, &y, &dx, &dy}) mpfr_set_zero(*each, 1);
  double distance = 0;
  for (std::uint32_t n = 0; n < frame.limit && distance == 0; ++n) {
    if (std::hypot(mpfr_get_d(x, MPFR_RNDN), mpfr_get_d(y, MPFR_RNDN)) > frame.escape_radius) {
      mpfr_hypot(a, x, y, MPFR_RNDN);
      mpfr_log(b, a, MPFR_RNDN);
      mpfr_mul(a, a, b, MPFR_RNDN);
      mpfr_hypot(b, dx, dy, MPFR_RNDN);
      mpfr_div(a, a, b, MPFR_RNDN);
      mpfr_div(a, a, pixel, MPFR_RNDN);
      distance = mpfr_get_d(a, MPFR_RNDN);
    }
    mpfr_fmms(a, x, dx, y, dy, MPFR_RNDN);
    mpfr_fmma(b, x, dy, y, dx, MPFR_RNDN);
    mpfr_mul_2ui(dx, a, 1, MPFR_RNDN);
    mpfr_mul_2ui(dy, b, 1, MPFR_RNDN);
    mpfr_add_ui(dx, dx, 1, MPFR_RNDN);
    mpfr_fmms(a, x, x, y, y, MPFR_RNDN);
    mpfr_mul(b, x, y, MPFR_RNDN);
    mpfr_add(x, a, cx, MPFR_RNDN);
    mpfr_mul_2ui(b, b, 1, MPFR_RNDN);
    mpfr_add(y, b, cy, MPFR_RNDN);
  }
  for (mpfr_t& each : v) mpfr_clear(each);
  return distance;
}

struct Place {
  const char* name;
  Precision precision;
  std::string re, im, span;
  std::uint32_t limit;
  mpfr_prec_t bits;
  double agreeing;  // part of the pixels; the others depend on more digits than the numbers have
};

TEST_F(MandelbrotDetail, DistancesAgreeWithManyBits) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const std::string seahorse = "-0.743643887037158704752191506114774",
                    seahorse_im = "0.131825904205311970493132056385139";
  const std::array places{
      Place{"whole set, single", Precision::single, "-0.6", "0.01", "3", 400, 128, 0.95},
      Place{"whole set", Precision::double_, "-0.6", "0.01", "3", 400, 128, 0.97},
      Place{"whole set, perturbed", Precision::perturbation, "-0.6", "0.01", "3", 400, 128, 0.97},
      Place{"seahorses", Precision::double_, seahorse, seahorse_im, "1e-4", 3000, 192, 0.95},
      Place{"i at 1e-50", Precision::perturbation, "0.0", "1.0", "1e-50", 3000, 512, 0.97},
      Place{"i at 1e-400", Precision::perturbation, "0.0", "1.0", "1e-400", 8000, 3000, 0.97},
      Place{"ladder at 1e-3", Precision::ladder, feigenbaum, "1e-4", "1e-3", 20000, 256, 0.9},
      Place{"ladder at 1e-6", Precision::ladder, feigenbaum, "1e-7", "1e-6", 60000, 256, 0.8},
      Place{"beside the cusp", Precision::cusp, "0.250001", "1e-9", "6e-9", 100000, 256, 0.9},
      Place{"in the valley", Precision::valley, "-0.75", "1e-4", "8e-8", 80000, 256, 0.9},
  };
  for (const Place& place : places) {
    const Frame frame = frame_at(place.re, place.im, place.span, place.limit);
    const Picture picture = computed(frame, place.precision);
    std::mt19937 random(7);
    int told = 0, agreeing = 0;
    for (int k = 0; k < 60; ++k) {
      const std::size_t i = random() % frame.size.width, j = random() % frame.size.height;
      const std::size_t pixel = j * frame.size.width + i;
      if (picture.cells[pixel].interior()) continue;  // it would take all iterations
      const double expected = distance_in_many_bits(frame, i, j, place.bits);
      if (expected == 0) continue;
      ++told;
      agreeing += std::abs(static_cast<double>(picture.details[pixel]) / expected - 1) < 1e-3;
    }
    EXPECT_GE(told, 15) << place.name;
    EXPECT_GE(agreeing, place.agreeing * told) << place.name << ": of " << told;
  }
}

TEST_F(MandelbrotDetail, SmoothValuesHaveTheSameBitsWithoutDetails) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const std::array places{
      Place{"", Precision::single, "-0.6", "0.01", "3", 400, 0, 0},
      Place{"", Precision::double_, "-0.7436", "0.1318", "1e-3", 900, 0, 0},
      Place{"", Precision::perturbation, "0.0", "1.0", "1e-50", 3000, 0, 0},
      Place{"", Precision::perturbation, "0.0", "1.0", "1e-400", 8000, 0, 0},
      Place{"", Precision::ladder, feigenbaum, "1e-7", "1e-6", 60000, 0, 0},
      Place{"", Precision::ladder, feigenbaum, "1e-31", "1e-30", 1u << 30, 0, 0},
      Place{"", Precision::cusp, "0.250001", "1e-9", "6e-9", 100000, 0, 0},
      Place{"", Precision::valley, "-0.75", "1e-4", "8e-8", 80000, 0, 0},
  };
  for (const Place& place : places) {
    Frame frame = frame_at(place.re, place.im, place.span, place.limit);
    frame.automatic = is_ladder(place.precision);
    const Picture with = computed(frame, place.precision), without = computed(frame, place.precision, false);
    ASSERT_EQ(with.cells, without.cells) << name_of(place.precision) << " at " << place.span;
    for (const float detail : with.details) ASSERT_TRUE(std::isfinite(detail) && detail >= 0);
  }
}

TEST_F(MandelbrotDetail, ARaisedLimitContinuesTheOrbits) {
  const Frame frame = frame_at("-0.75", "0.05", "0.2", 600);
  for (const Precision precision : {Precision::single, Precision::perturbation}) {
    const Picture raised = computed(frame, precision, true, 80), at_once = computed(frame, precision);
    for (std::size_t i = 0; i < raised.cells.size(); ++i) {
      ASSERT_EQ(raised.cells[i].value(), at_once.cells[i].value());
      if (raised.cells[i].interior()) continue;
      ASSERT_EQ(raised.details[i], at_once.details[i]);
    }
  }
}

// By P. Koebe's quarter theorem the true distance is at least half of it.
TEST_F(MandelbrotDetail, NoInteriorPixelIsNearerThanHalfTheDistance) {
  const Frame frame = frame_at("-0.6", "0.0", "3", 5000);
  const Picture picture = computed(frame, Precision::single);
  const auto width = static_cast<int>(frame.size.width), height = static_cast<int>(frame.size.height);
  int looked_at = 0;
  for (int k = 0; k < width * height; ++k) {
    const auto pixel = static_cast<std::size_t>(k);
    if (picture.cells[pixel].interior() || picture.cells[pixel].n < 3) continue;
    ++looked_at;
    double nearest = 1e9;
    for (int other = 0; other < width * height; ++other)
      if (picture.cells[static_cast<std::size_t>(other)].interior())
        nearest = std::min(nearest, std::hypot(k % width - other % width, k / width - other / width));
    ASSERT_GE(nearest, 0.49 * static_cast<double>(picture.details[pixel])) << k;
  }
  EXPECT_GT(looked_at, 200);
}

// Left of −2 the nearest point of the set is −2, the end of a hair: there the estimate is nearly twice the distance.
TEST_F(MandelbrotDetail, AtTheTipTheDistanceIsKnown) {
  const Frame frame = frame_at("-2.004", "0.0", "0.008", 500);
  const Picture picture = computed(frame, Precision::single);
  for (std::size_t i = 8; i < 48; ++i) {
    const double away = std::hypot(64 - (static_cast<double>(i) + 0.5), 0.5);
    const double told = static_cast<double>(picture.details[std::size_t{24} * 64 + i]);
    EXPECT_GE(told, 0.5 * away);
    EXPECT_LE(told, 2.02 * away);
  }
}

struct Nucleus {
  double re, im;
  float period;
};

TEST_F(MandelbrotDetail, PeriodsOfKnownNuclei) {
  const std::array nuclei{Nucleus{0.01, 0.003, 1},
                          Nucleus{-1.01, 0.003, 2},
                          Nucleus{-0.1225611668766536, 0.7448617666197442, 3},
                          Nucleus{-1.7548776662466927, 0, 3},
                          Nucleus{-1.3107026413368328, 0, 4},
                          Nucleus{0.2822713907669139, 0.5300606175785253, 4},
                          Nucleus{-0.1565201668337551, 1.0322471089228318, 4},
                          Nucleus{-1.9407998065294847, 0, 4},
                          Nucleus{-1.7728929033816238, 0, 6}};
  for (const Precision precision : {Precision::single, Precision::double_, Precision::perturbation}) {
    if (precision == Precision::double_ && !device().info().fp64) continue;
    for (const Nucleus& nucleus : nuclei) {
      Frame frame = frame_at("0.0", "0.0", "2e-2", 4000);
      frame.view.re = Decimal(nucleus.re);
      frame.view.im = Decimal(nucleus.im);
      const Picture picture = computed(frame, precision);
      const std::size_t middle = std::size_t{24} * 64 + 32;
      EXPECT_EQ(picture.details[middle], nucleus.period)
          << name_of(precision) << " at " << nucleus.re << ", " << nucleus.im;
    }
  }
}

// The superstable parameters of the cascade: J. C. Sprott, "Chaos and Time-Series Analysis" (2003), table 4.
TEST_F(MandelbrotDetail, PeriodsOfTheCascade) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const std::array nuclei{Nucleus{-1.3969453597045606, 0, 16}, Nucleus{-1.4002530812147828, 0, 32}};
  Frame frame = frame_at(feigenbaum, "0.0", "2e-2", 20000);
  const Picture picture = computed(frame, Precision::ladder);
  for (const Nucleus& nucleus : nuclei) {
    const double away = (nucleus.re - frame.view.re.value()) / frame.view.span.value() * 64 + 32;
    EXPECT_EQ(picture.details[std::size_t{24} * 64 + static_cast<std::size_t>(away)], nucleus.period);
  }
}

// The nuclei of the discs 1/q of the cardioid, by Newton's method in many digits: an orbit on their cycles takes one
// passage at the cusp for q iterations.
TEST_F(MandelbrotDetail, PeriodsOfDiscsBesideTheCusp) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  struct Disc {
    const char *re, *im, *span;
    float period;
  };
  const std::array discs{
      Disc{"0.2499", "1e-6", "1e-6", 1},
      Disc{"0.2509654377282068954573635594672", "5.7024509238144277040904395939883e-5", "6.1e-8", 101},
      Disc{"0.2500096939538129687848764659015", "5.7253173953500540295868946054504e-8", "6.1e-11", 1009},
      Disc{"0.25000009855781370715205727302136", "5.8691534116664150994296761196328e-11", "6.2e-14", 10007}};
  for (const Disc& disc : discs) {
    const Picture picture = computed(frame_at(disc.re, disc.im, disc.span, 4000000), Precision::cusp);
    EXPECT_EQ(picture.details[std::size_t{24} * 64 + 32], disc.period);
  }
}

/// The least period of the cycle that attracts 0 at c, by iteration alone; 0 if no strongly attracting one is found.
std::uint32_t least_period(std::complex<long double> c) {
  std::complex<long double> z = 0;
  for (int n = 0; n < 60000; ++n) z = z * z + c;
  const std::complex<long double> start = z;
  std::complex<long double> multiplier = 1;
  for (std::uint32_t period = 1; period <= 4096; ++period) {
    multiplier *= 2.0L * z;
    z = z * z + c;
    if (std::abs(z - start) < 1e-12L) return std::abs(multiplier) < 0.95L ? period : 0;
  }
  return 0;
}

TEST_F(MandelbrotDetail, PeriodsAreMinimal) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const std::array places{Place{"discs", Precision::ladder, "-1.3995", "0", "2e-3", 60000, 0, 0},
                          Place{"a copy, period 6", Precision::ladder, "-1.47601464", "0", "3e-4", 60000, 0, 0},
                          Place{"a copy, period 12", Precision::ladder, "-1.4172", "0", "1e-3", 60000, 0, 0},
                          Place{"discs, perturbed", Precision::perturbation, "-1.3995", "0", "2e-3", 60000, 0, 0},
                          Place{"a copy, perturbed", Precision::perturbation, "-1.4172", "0", "1e-3", 60000, 0, 0},
                          Place{"a copy, directly", Precision::double_, "-1.4172", "0", "1e-3", 60000, 0, 0}};
  for (const Place& place : places) {
    const Frame frame = frame_at(place.re, place.im, place.span, place.limit);
    const Picture picture = computed(frame, place.precision);
    int told = 0;
    for (std::size_t pixel = 5; pixel < picture.cells.size(); pixel += 29) {
      if (!picture.cells[pixel].interior() || picture.details[pixel] == 0) continue;
      const long double spacing = std::stold(frame.view.span.text()) / frame.size.width;
      const std::uint32_t expected =
          least_period({std::stold(frame.view.re.text()) + (static_cast<long double>(pixel % 64) - 31.5L) * spacing,
                        (23.5L - static_cast<long double>(pixel / 64)) * spacing});
      if (expected == 0) continue;
      ++told;
      EXPECT_EQ(picture.details[pixel], static_cast<float>(expected)) << place.name << ", pixel " << pixel;
    }
    EXPECT_GE(told, 50) << place.name;
  }
}

// ---- beside the roots of components, where orbits approach their cycles within 1/ε periods

/// The point at which a component touches the cardioid (`period` 1) or the disc of period 2; the multiplier of the
/// parent's cycle is e^(2πi p/q) there.
struct Root {
  int period, p, q;
};

/// c for the parent's multiplier μ, and dμ/dc. A. Douady, J. H. Hubbard, "Étude dynamique des polynômes complexes"
/// (1984): μ = 1 - √(1 - 4c) of period 1, 4(c + 1) of period 2.
struct RootPoint {
  std::complex<long double> multiplier, c, slope;
};

RootPoint point_of(const Root& root) {
  const long double angle = 2 * std::numbers::pi_v<long double> * root.p / root.q;
  const std::complex<long double> mu = std::polar(1.0L, angle), one = 1;
  if (root.period == 1) return {mu, mu / 2.0L - mu * mu / 4.0L, 2.0L / (one - mu)};
  return {mu, mu / 4.0L - one, 4};
}

Decimal decimal(long double x) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.21Lg", x);
  return Decimal::parse(text.data(), "x");
}

// On one side of the parent's boundary its cycle attracts, on the other the child's, q times as long.
TEST_F(MandelbrotDetail, PeriodsBesideRoots) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  struct Look {
    Precision precision;
    const char* span;
  };
  const std::array roots{Root{2, 1, 2}, Root{1, 1, 3}, Root{2, 1, 3}, Root{1, 2, 5}, Root{1, 3, 7}};
  const std::array looks{Look{Precision::double_, "1e-5"}, Look{Precision::perturbation, "1e-12"}};
  for (const Root& root : roots) {
    const RootPoint point = point_of(root);
    for (const Look& look : looks) {
      Frame frame =
          whole_frame({decimal(point.c.real()), decimal(point.c.imag()), Decimal::parse(look.span, "span")}, {20, 16});
      frame.limit = 1 << 20;
      const Picture picture = computed(frame, look.precision);
      const long double spacing = std::stold(look.span) / frame.size.width;
      int told = 0;
      for (std::size_t pixel = 0; pixel < picture.cells.size(); ++pixel) {
        const std::complex<long double> away((static_cast<long double>(pixel % 20) - 9.5L) * spacing,
                                             (7.5L - static_cast<long double>(pixel / 20)) * spacing);
        const long double outward = std::real(std::conj(point.multiplier) * point.slope * away);
        if (std::abs(outward) < std::abs(point.slope) * spacing) continue;  // the boundary is curved
        const int expected = outward < 0 ? root.period : root.period * root.q;
        told += picture.cells[pixel].n == Cell::proved_interior;
        EXPECT_EQ(picture.details[pixel], static_cast<float>(expected))
            << "period " << root.period << ", " << root.p << "/" << root.q << ", span " << look.span << ", pixel "
            << pixel;
      }
      EXPECT_GE(told, 260);
    }
  }
}

// Random places on boundaries: pixels reported as interior do not escape.
TEST_F(MandelbrotDetail, NothingInteriorEscapes) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  std::mt19937 random(11);
  for (int k = 0; k < 8; ++k) {
    const RootPoint point = point_of({1 + k % 2, 1 + static_cast<int>(random() % 97), 101});
    Frame frame = frame_at("0.0", "0.0", k < 4 ? "1e-3" : "1e-5", 40000);
    frame.view.re = decimal(point.c.real());
    frame.view.im = decimal(point.c.imag());
    const Picture picture = computed(frame, Precision::double_);
    const double spacing = mandelbrot::spacing(frame.view, frame.size);
    int looked_at = 0;
    for (std::size_t pixel = 3; pixel < picture.cells.size(); pixel += 17) {
      if (picture.cells[pixel].n != Cell::proved_interior) continue;
      ++looked_at;
      const std::complex<double> c(frame.view.re.value() + (static_cast<double>(pixel % 64) - 31.5) * spacing,
                                   frame.view.im.value() + (23.5 - static_cast<double>(pixel / 64)) * spacing);
      std::complex<double> z = 0;
      int n = 0;
      while (n < 200000 && std::norm(z) <= 4) {
        z = {z.real() * z.real() - z.imag() * z.imag() + c.real(), 2 * z.real() * z.imag() + c.imag()};
        ++n;
      }
      EXPECT_EQ(n, 200000) << "view " << k << ", pixel " << pixel;
    }
    EXPECT_GT(looked_at, 20) << "view " << k;
  }
}

}  // namespace
}  // namespace orrery::mandelbrot
