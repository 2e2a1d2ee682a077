/// Powers of z: random deep views and Formula against iteration in many bits by repeated multiplication; δ and α of
/// the real axis against their known digits.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "oracle/mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/deep/nucleus.hpp"
#include "scenes/mandelbrot/deep/real_cascade.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

mpfr_prec_t many = 512;  // bits

struct Many {
  BigFloat re{many}, im{many};

  friend Many operator*(const Many& a, const Many& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  friend Many operator+(const Many& a, const Many& b) { return {a.re + b.re, a.im + b.im}; }
};

Many raised(const Many& z, std::int64_t power) {
  Many product = z;
  for (std::int64_t k = 1; k < power; ++k) product = product * z;
  return product;
}

struct DeepView {
  std::int64_t power;
  std::string re, im, span;
  std::uint32_t limit;
  std::size_t period = 0;  ///< of the copy at its centre

  View view() const {
    return {.re = Decimal::parse(re, "re"),
            .im = Decimal::parse(im, "im"),
            .span = Decimal::parse(span, "span"),
            .formula = {power}};
  }
  Many c(Size size, std::uint32_t i, std::uint32_t j) const {
    const BigFloat pixel = BigFloat(many, span) / BigFloat(many, size.width);
    return {BigFloat(many, re) + pixel * BigFloat(many, i + 0.5 - 0.5 * size.width),
            BigFloat(many, im) + pixel * BigFloat(many, 0.5 * size.height - j - 0.5)};
  }
};

// ν with R = 100; -1 where the orbit stays up to the limit.
double nu_of(const DeepView& view, const Many& c) {
  constexpr double radius = 100;
  Many z;
  for (std::uint32_t n = 0; n < view.limit; ++n) {
    z = raised(z, view.power) + c;
    const double modulus = std::hypot(z.re.value(), z.im.value());
    if (modulus > radius)
      return n + 2 - std::log(std::log(modulus) / std::log(radius)) / std::log(static_cast<double>(view.power));
  }
  return -1;
}

// Views beside points whose orbits end in repelling cycles, and around copies of the set, with their periods.
const DeepView deep_views[] = {
    {3,
     "-0.207718362680756202436900331185063751384112645484050234761104069150203202605088862344751800924116990130540459093967245",
     "-1.231193438668031114389622842845603637525738394146197726662073268214223848768067628957795288168245242900139748369373958",
     "1.390e-98", 1000},
    {3, "0.640537448246346661164935175831035791", "-0.494732056333766107320576025381111149", "2.847e-17", 1000},
    {3, "0.68984179152779492105097897385887029210227", "-0.47858434933510346440655882895717861998001", "1.639e-22",
     3000, 44},
    {3, "-0.639126291862081465129188640654755999", "-0.466944156992685211912442364716854530", "3.746e-17", 3000, 49},
    {4, "-1.0721996492031451113616749820016756120816045756489044171722287887837444318050863229954047",
     "-0.1284233966085035193247937028341555432765528541606662972551659575957006782724695911239770", "1.820e-69", 1000},
    {4,
     "-0.126141512222866170097760217025119713869247989452959893926999286677584787453583985111974637603539888270921954147797",
     "0.830367673299658710394604657023441936575842540999063941059404198122455349175049995232246745275454882591774976225130",
     "9.242e-95", 1000},
    {4, "0.79370059012103206330633993", "-0.79370059901041872899493911", "5.576e-07", 3000, 12},
    {4, "-1.235482698691738658760833315828", "-0.035257959152096941606682177851", "1.434e-11", 3000, 13},
    {5, "-0.342541329864064484142484626699508498471688778797948832233584391236409883564330339807599652649297060",
     "0.734770028602098288247139487951045167555071710307617532641700839186034115677236956150699407588305926",
     "4.354e-80", 1000},
    {5, "-0.23727770527044758161565607657208543876458010591698",
     "-0.80859788191222751259066572312731191638747034223257", "7.964e-31", 1000},
    {5, "0.8853213862564410510927901546062835857643034789323", "0.7784147148488775940918817743146435675342232066172",
     "4.085e-30", 3000, 34},
    {5, "-0.86075088472368561074658251871096", "0.78345290464607153512804040760325", "1.089e-13", 3000, 23},
    {8, "0.3217451982856956176325916945", "0.8991748720139759603057548790", "6.850e-09", 1000},
    {8,
     "-0.8511867208338827346170802980598850096167874264022090010349980433813236951921634506212506565371451087334490210452464752",
     "0.2193407358133164541136563509452808969669417481646094118069836686313684940641998851346671555519055874848800245037162396",
     "5.615e-99", 1000},
    {8, "0.907516739268557464939141172254312983835", "-0.552969881403775303890665327832882834093", "2.480e-20", 3000,
     24},
    {8, "-1.08995464897138502976885364176770036618662313", "-0.06121054013857929053426049994387619081209156",
     "1.080e-25", 3000, 22},
};

class MandelbrotPowers : public MandelbrotOnDevice {
 protected:
  static std::vector<double> values(const DeepView& deep, Size size, const std::string& precision, Purpose purpose) {
    const PrecisionChoice choice = choose_precision(precision, deep.view(), size, fp64(), purpose);
    const Kernels kernels(programs(), choose_variant(device().info(), choice, {}, purpose));
    std::vector<double> values;
    const auto take = [&](const Band&, std::span<const Cell> cells, int) {
      for (const Cell& cell : cells) values.push_back(cell.value());
    };
    const PictureRequest request{.view = deep.view(), .size = size, .limit = deep.limit};
    compute_picture(device(), kernels, request, deep.limit, take, [](double) { return true; });
    return values;
  }

  static void expect_right(const DeepView& deep, Size size, const std::string& precision,
                           Purpose purpose = Purpose::data) {
    SCOPED_TRACE("--power " + std::to_string(deep.power) + " --center " + deep.re + " " + deep.im + " --span " +
                 deep.span + ", " + precision);
    const std::vector<double> found = values(deep, size, precision, purpose);
    std::size_t far = 0;
    for (std::uint32_t j = 0; j < size.height; ++j)
      for (std::uint32_t i = 0; i < size.width; ++i) {
        const double expected = nu_of(deep, deep.c(size, i, j)), nu = found[j * size.width + i];
        EXPECT_EQ(nu < 0, expected < 0) << i << " " << j << ": " << nu << ", " << expected;
        far += std::abs(nu - expected) > 1e-3;
      }
    EXPECT_EQ(far, 0U);
  }
};

TEST_F(MandelbrotPowers, deep_views_agree_with_many_bits) {
  for (const DeepView& deep : deep_views) expect_right(deep, {7, 4}, "auto");
}

// Only steps of the table, without recomputing unsure pixels of data in numbers of twice the digits.
TEST_F(MandelbrotPowers, tables_are_as_exact_as_iterations) {
  if (!fp64()) GTEST_SKIP() << "pairs of floats leave more to chance";
  for (const DeepView& deep : deep_views)
    if (deep.power <= 5) expect_right(deep, {7, 4}, "perturbation", Purpose::picture);
}

// Views beyond the range of doubles.
TEST_F(MandelbrotPowers, views_with_exponents_of_their_own_agree_with_many_bits) {
  many = 1600;
  expect_right({4,
                "-1.2599210498948731647672106072782283505702514647015079800819751121552996765139594837293965624362550"
                "9415431025603561566525939902404061373722845911030426935524696064261662500097747452656548030686718540"
                "5518689245872516764199373709695098382783161399155129313695366183947463448576570303119095895984741105"
                "9811629070535908164780114735213254847712978802422085820532579725266622026690056656081994715628176405"
                "0606648267735726704194862076214429656942050793191724",
                "1e-401", "1e-400", 700},
               {9, 6}, "auto");
  many = 512;
}

// Explicitly requested precisions, in a view that does not need them.
TEST_F(MandelbrotPowers, every_precision_draws_the_same_set) {
  for (const std::int64_t power : {3, 4, 6, 7, 8})
    for (const char* const precision : {"double", "perturbation"})
      if (fp64() || std::string_view(precision) != "double")
        expect_right({power, "0.31", "0.52", "2.9", 60}, {24, 16}, precision);
}

// R^8 is beyond floats: ν of such a z is computed from the previous iterate.
TEST_F(MandelbrotPowers, large_escape_radii_leave_no_pixel_without_a_value) {
  const View view = whole_set({8});
  const Size size{48, 32};
  const auto nu = [&](double radius, const char* precision) {
    const PrecisionChoice choice = choose_precision(precision, view, size, fp64(), Purpose::picture);
    const Kernels kernels(programs(), choose_variant(device().info(), choice, {}, Purpose::picture));
    std::vector<double> values;
    const PictureRequest request{.view = view, .size = size, .limit = 200, .escape_radius = radius};
    compute_picture(
        device(), kernels, request, 200,
        [&](const Band&, std::span<const Cell> cells, int) {
          for (const Cell& cell : cells) values.push_back(cell.value());
        },
        [](double) { return true; });
    return values;
  };
  // ν differs by a constant, except for the effect of c, which is 1e-9 of z at the smaller radius.
  const std::vector<double> small = nu(1e3, "single"), large = nu(1e9, "single");
  const double shift = std::log(3.0) / std::log(8.0);
  for (std::size_t i = 0; i < small.size(); ++i) {
    ASSERT_EQ(small[i] < 0, large[i] < 0) << i;
    if (small[i] > 2) {
      EXPECT_NEAR(large[i] - small[i], shift, 2e-3) << i;
    }
  }
}

// ---- the formula

TEST(mandelbrot_formula, says_what_powers_are) {
  const std::complex<double> a(0.3, -0.7), b(-0.2, 0.9), c(0.1, 0.2);
  for (std::int64_t power = 2; power <= 8; ++power) {
    const Formula formula{power};
    const auto d = static_cast<double>(power);
    EXPECT_NEAR(std::abs(formula.next(a, c) - (std::pow(a, d) + c)), 0, 1e-14);
    EXPECT_NEAR(std::abs(formula.slope(a) - d * std::pow(a, d - 1)), 0, 1e-13);
    EXPECT_NEAR(std::abs(formula.steepness(a, b) - (std::pow(b, d) - std::pow(a, d)) / (b - a)), 0, 1e-13);
    EXPECT_NEAR(formula.smooth(7, std::log(50.0), 50), 8, 1e-12);
    EXPECT_NEAR(formula.smooth(7, d * std::log(50.0), 50), 7, 1e-12);
    BigOrbit orbit(formula, {BigFloat(many, 0.1), BigFloat(many, 0.4)});
    Many z;
    for (int n = 0; n < 12; ++n) {
      orbit.step();
      z = raised(z, power) + Many{BigFloat(many, 0.1), BigFloat(many, 0.4)};
      const double away = std::abs((orbit.z().re - z.re).value()) + std::abs((orbit.z().im - z.im).value());
      EXPECT_LT(away, 1e-130 * (1 + std::abs(z.re.value()) + std::abs(z.im.value())));
    }
  }
}

// Orbits stay at both ends and escape beyond them.
TEST(mandelbrot_formula, knows_the_ends_of_the_real_axis) {
  for (const std::int64_t power : {2, 4, 6, 8}) {
    const Formula formula{power};
    const auto stays = [&](double c) {
      double x = 0;
      for (int n = 0; n < 4000; ++n)
        if (!(std::abs(x = formula.next(x, c)) < 4)) return false;
      return true;
    };
    const auto [left, right] = formula.axis();
    EXPECT_TRUE(stays(right));
    EXPECT_FALSE(stays(right + 1e-4));
    EXPECT_FALSE(stays(left - 1e-4));
    EXPECT_NEAR(formula.next(formula.next(0.0, left), left), -left, 1e-12);  // −left is a fixed point
    EXPECT_NEAR(formula.next(-left, left), -left, 1e-12);
  }
}

// ---- copies, and the real axis

// The period is the number of steps after which 0 returns, in many bits.
TEST(mandelbrot_formula, finds_copies_of_every_power) {
  for (const DeepView& deep : deep_views) {
    if (deep.period == 0) continue;
    View view = deep.view();
    view.span = view.span * 4.0;
    const auto found = find_copy(view, {64, 48}, 5000, {});
    ASSERT_TRUE(found) << deep.re;
    EXPECT_LE(found->period, deep.period);
    EXPECT_EQ(found->copy.formula, view.formula);
    EXPECT_LT(found->copy.span, deep.view().span);
    Many z;
    for (std::size_t n = 1; n <= found->period; ++n) {
      z = raised(z, deep.power) + Many{BigFloat(many, found->re.text()), BigFloat(many, found->im.text())};
      if (n < found->period) {
        EXPECT_GT(std::hypot(z.re.value(), z.im.value()), 1e-40) << n;
      }
    }
    EXPECT_LT(std::hypot(z.re.value(), z.im.value()), 1e-9);
    // The middle of the copy is interior, and at its edge orbits escape.
    DeepView copy = deep;
    copy.re = found->copy.re.text();
    copy.im = found->copy.im.text();
    copy.span = found->copy.span.text();
    copy.limit = static_cast<std::uint32_t>(60 * found->period);
    EXPECT_EQ(nu_of(copy, copy.c({3, 3}, 1, 1)), -1) << copy.re;
    EXPECT_GT(nu_of(copy, copy.c({3, 3}, 0, 0)), 0) << copy.re;
  }
}

// K. Briggs, Math. Comp. 57 (1991) 435; J. Stephenson, Y. Wang, Appl. Math. Lett. 4 (1991) 53.
TEST(mandelbrot_formula, even_powers_have_cascades_of_their_own) {
  struct Known {
    std::int64_t power;
    double delta, alpha, accumulation;
  };
  for (const auto& [power, delta, alpha, accumulation] : {Known{2, 4.669201609, -2.502907875, -1.40115518909205060},
                                                          Known{4, 7.284686217, -1.690302971, -1.16836339620028432},
                                                          Known{6, 9.296246833, -1.467742450, -1.10976302485799331},
                                                          Known{8, 10.94862427, -1.358017279, -1.08202564431501509}}) {
    View view = whole_set({power});
    view.re = Decimal(accumulation);
    for (const auto& [span, digits] : {std::pair(0.5, 1.5), std::pair(1e-8, 5.3)}) {
      view.span = Decimal(span);
      const RealCascade cascade = *find_cascade(view, 1280, Depth::points, {});
      SCOPED_TRACE(std::to_string(power) + " " + view.span.text());
      const Superstable* best = nullptr;
      for (const Superstable& point : cascade.points)
        if (!point.delta.empty()) best = &point;
      ASSERT_NE(best, nullptr);
      EXPECT_NEAR(std::stod(best->delta), delta, delta * std::pow(10, -digits)) << best->period();
      EXPECT_NEAR(std::stod(best->alpha), alpha, std::abs(alpha) * std::pow(10, -digits)) << best->period();
      EXPECT_NEAR(universal_of({power})->delta, delta, 1e-7);
      EXPECT_NEAR(universal_of({power})->alpha, alpha, 1e-7);
    }
  }
  EXPECT_FALSE(universal_of({3}));
}

}  // namespace
}  // namespace orrery::mandelbrot
