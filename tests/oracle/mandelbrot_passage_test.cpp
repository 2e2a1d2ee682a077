/// The ladders of the passages at 1/4 and −3/4: their tables against plain iteration, their pictures against plain
/// iteration, against the limiting flow where no orbit can be iterated, and against perturbation at the seam.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <optional>

#include "oracle/mandelbrot_on_device.hpp"
#include "oracle/mandelbrot_points.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

// ---- the tables

class MandelbrotPassageTable : public testing::TestWithParam<LadderPoint> {
 protected:
  using Plain = std::complex<double>;
  struct Wide {
    BigFloat re, im;
    friend Wide operator+(const Wide& a, const Wide& b) { return {a.re + b.re, a.im + b.im}; }
    friend Wide operator*(const Wide& a, const Wide& b) {
      return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
  };
  static constexpr mpfr_prec_t wide_bits = 320;
  static Wide wide(Plain z) { return {BigFloat(wide_bits, z.real()), BigFloat(wide_bits, z.imag())}; }
  static Wide wide(BigFloat x) { return {std::move(x), BigFloat(wide_bits)}; }
  static double distance(const Wide& a, const Wide& b) {
    return std::hypot((a.re - b.re).value(), (a.im - b.im).value());
  }

  bool at_cusp() const { return GetParam() == LadderPoint::cusp; }
  double reach() const { return ladder_radius_of(GetParam()); }

  /// 2^level iterations of x -> ±x + Λ_0·x² + w, scaled to the level.
  Wide iterated(int level, const Wide& x, const Wide& w) const {
    const Wide c = w * wide(power(scales_.delta, -level)), lambda = wide(scales_.lambda),
               sign = wide(at_cusp() ? 1 : -1);
    Wide y = x * wide(power(scales_.mu, level));
    for (long i = 0; i < 1L << level; ++i) y = sign * y + lambda * y * y + c;
    return y * wide(power(scales_.mu, -level));
  }
  static Wide from_table(const LadderTable& table, int level, const Wide& x, const Wide& w) {
    Wide sum = wide(0.0);
    for (int m = table.extent().terms; m-- > 0;) {
      Wide row = wide(0.0);
      for (int n = table.extent().orders; n-- > 0;)
        row = row * w + wide(table.at(level, n, m).high) + wide(table.at(level, n, m).low);
      sum = sum * x + row;
    }
    return sum;
  }
  Plain x_of(int k) const { return std::polar(k % 3 == 2 ? 0.5 : 1.0, 0.39 * k); }
  Plain w_of(int k) const { return std::polar(k % 5 == 4 ? 0.2 * reach() : reach(), 1.1 * k); }
  double worst_error(const LadderTable& table, int level) const {
    double worst = 0;
    for (int k = 0; k < 16; ++k) {
      const Wide x = wide(x_of(k)), w = wide(w_of(k));
      worst = std::max(worst, distance(from_table(table, level, x, w), iterated(level, x, w)));
    }
    return worst;
  }
  /// The step of kernels/mandelbrot/mandelbrot_ladder.cl in doubles.
  Plain step_in_doubles(int level, Plain x, Plain w) const {
    const double twice = 2 * x.real(), norm = std::norm(x);
    Plain value = 0;
    for (int n = doubles_.extent().orders; n-- > 0;) {
      double b1 = 0, b2 = 0;
      for (int m = doubles_.extent().terms - 1; m >= 1; --m)
        b2 = std::exchange(b1, std::fma(twice, b1, std::fma(-norm, b2, doubles_.at(level, n, m).high)));
      value =
          value * w + Plain(std::fma(x.real(), b1, std::fma(-norm, b2, doubles_.at(level, n, 0).high)), x.imag() * b1);
    }
    return value;
  }
  /// The time 1 of the flow of y² + ε, or of −y³ − εy, scaled.
  Plain flow(Plain x, Plain w) const {
    const double lambda = scales_.lambda.value();
    const Plain root = std::sqrt(lambda * w);
    if (at_cusp()) return root * std::tan(root + std::atan(lambda * x / root)) / lambda;
    const Plain b = lambda * w, a = lambda * lambda * x * x / b;
    return x * std::exp(-b) / std::sqrt(1.0 + a * (1.0 - std::exp(-2.0 * b)));
  }

  LadderScales scales_ = ladder_scales(GetParam(), wide_bits);
  const LadderTable doubles_{LadderTable::passage_for_doubles, GetParam()};
  const LadderTable& pairs_ = ladder_table_of_pairs(GetParam());
};

TEST_P(MandelbrotPassageTable, IsThePlainIteration) {
  for (const int level : {0, 1, 2, 3, 5, 8, 12, 15}) {
    EXPECT_LT(worst_error(doubles_, level), 1e-16) << "level " << level;
    EXPECT_LT(worst_error(pairs_, level), 1e-32) << "level " << level;
  }
}

// This is the only check for levels beyond plain iteration.
TEST_P(MandelbrotPassageTable, TwoStepsAreOneOfTheNextLevel) {
  for (int level = 15; level + 1 < pairs_.extent().levels; level += 4)
    for (int k = 0; k < 8; ++k) {
      const Wide x = wide(x_of(k)), w = wide(w_of(k));
      const Wide before = x * wide(scales_.mu), shrunk = w * wide(power(scales_.delta, -1));
      const Wide twice = from_table(pairs_, level, from_table(pairs_, level, before, shrunk), shrunk);
      EXPECT_LT(distance(twice * wide(power(scales_.mu, -1)), from_table(pairs_, level + 1, x, w)), 1e-31) << level;
    }
}

TEST_P(MandelbrotPassageTable, LevelsApproachTheFlow) {
  const Plain x(-0.7, 0.3), w(0.05, 0.01);
  const auto away = [&](int level) { return distance(from_table(pairs_, level, wide(x), wide(w)), wide(flow(x, w))); };
  for (const int level : {10, 20, 30}) EXPECT_NEAR(away(level + 1) / away(level), scales_.mu.value(), 0.02) << level;
}

TEST_P(MandelbrotPassageTable, AStepLosesNoMoreThanTheStepErrorAndBendsNoMoreThanTheCurvature) {
  double lost = 0, bent = 0;
  const double h = 1e-4;
  for (const int level : {0, 1, 2, 5, 9, 20, 50})
    for (int k = 0; k < 60; ++k) {
      const auto step = [&](Plain at) { return step_in_doubles(level, at, w_of(k)); };
      const Plain x = x_of(k);
      lost = std::max(lost, distance(from_table(pairs_, level, wide(x), wide(w_of(k))), wide(step(x))));
      bent = std::max(bent, std::abs(step(x + h) - 2.0 * step(x) + step(x - h)) / (h * h));
    }
  EXPECT_LT(lost, 0.5 * ladder_step_error(LadderNumbers::doubles));
  EXPECT_GT(lost, ladder_step_error(LadderNumbers::doubles) / 1024) << "the bound says nothing";
  EXPECT_LT(bent, ladder_curvature(GetParam()) * (1 + 1e-6));  // level 0 has that curvature everywhere
  EXPECT_GT(bent, 0.1 * ladder_curvature(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Points, MandelbrotPassageTable, testing::Values(LadderPoint::cusp, LadderPoint::valley),
                         [](const auto& instance) { return instance.param == LadderPoint::cusp ? "Cusp" : "Valley"; });

// ---- pictures

class MandelbrotPassage : public MandelbrotOnDevice {
 protected:
  static const Kernels& kernels(Precision precision, Purpose purpose) {
    static std::map<std::pair<Precision, Purpose>, Kernels> all;
    const auto found = all.find({precision, purpose});
    if (found != all.end()) return found->second;
    const Variant variant = choose_variant(device().info(), precision, 0, purpose);
    return all.try_emplace({precision, purpose}, programs(), variant).first->second;
  }
  static Frame frame_at(const std::string& re, const std::string& im, const std::string& span, std::uint32_t limit,
                        Size size) {
    Frame frame = whole_frame({Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")}, size);
    frame.limit = limit;
    return frame;
  }
  static std::vector<double> values(const Frame& frame, const Kernels& with, std::uint32_t raised = 0) {
    Queue queue(device());
    Renderer renderer(device(), queue, with);
    renderer.begin(frame);
    renderer.finish_blocking(queue, 1);
    if (raised != 0) renderer.raise_limit(raised);
    if (raised != 0) renderer.finish_blocking(queue, 1);
    EXPECT_EQ(renderer.progress().decided, frame.part().pixels());
    std::vector<double> all;
    for (const Cell& cell : renderer.cells_blocking(queue)) all.push_back(value_of(cell, renderer.value_exponent()));
    unit_ = std::ldexp(1.0, renderer.value_exponent());
    return all;
  }
  /// Errors in units of cells. A limit of 0 in the file means no limit.
  static oracle::MandelbrotAgreement agreement(const std::string& name, Purpose purpose) {
    const std::filesystem::path here = ORRERY_ORACLE_FOLDER;
    oracle::MandelbrotSamples view = oracle::read_mandelbrot_samples(here / "mandelbrot_points" / (name + ".txt"));
    EXPECT_FALSE(view.samples.empty()) << name;
    Frame frame = frame_at(view.re, view.im, view.span, std::max(view.limit, 1u),
                           {static_cast<std::uint32_t>(view.width), static_cast<std::uint32_t>(view.height)});
    frame.escape_radius = view.radius;
    frame.automatic = view.limit == 0;
    const Precision precision = name.starts_with("cusp") ? Precision::cusp : Precision::valley;
    const std::vector<double> all = values(frame, kernels(precision, purpose));
    const auto in_units = [](double nu) { return nu == -1 ? -1 : nu / unit_; };
    for (oracle::MandelbrotSample& sample : view.samples) sample.nu = in_units(sample.nu);
    return oracle::compare(view,
                           [&](int i, int j) { return in_units(all[static_cast<std::size_t>(j * view.width + i)]); });
  }

 private:
  static inline double unit_ = 1;
};

TEST_F(MandelbrotPassage, AgreesWithArithmeticOfAnyPrecision) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  for (const char* name :
       {"cusp-6", "cusp-8", "cusp-10", "cusp-12", "cusp-axis", "passage-4", "passage-5", "passage-6"}) {
    const oracle::MandelbrotAgreement data = agreement(name, Purpose::data),
                                      picture = agreement(name, Purpose::picture);
    EXPECT_EQ(data.same_kind, 1) << name;
    EXPECT_EQ(data.close, 1) << name << ": by " << data.worst;
    EXPECT_GE(picture.same_kind, 0.98) << name;
    EXPECT_GE(picture.close, 0.95) << name << ": by " << picture.worst;
  }
}

TEST_F(MandelbrotPassage, AgreesWithTheFlowWhereNoOrbitCanBeIterated) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  for (const char* name : {"cusp-20", "cusp-30", "passage-10", "passage-15"})
    for (const Purpose purpose : {Purpose::data, Purpose::picture}) {
      const oracle::MandelbrotAgreement all = agreement(name, purpose);
      EXPECT_EQ(all.same_kind, 1) << name;
      EXPECT_EQ(all.close, 1) << name << ": by " << all.worst;
    }
}

TEST_F(MandelbrotPassage, ContinuesPerturbationWithoutASeam) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  Variant pairs = choose_variant(device().info(), Precision::perturbation, 0);
  pairs.perturbed = PerturbedNumbers::double_pairs;
  const Kernels perturbation(programs(), pairs);
  for (const Precision precision : {Precision::cusp, Precision::valley}) {
    const Frame frame = precision == Precision::cusp ? frame_at("0.25000001", "5e-13", "4e-12", 400000, {33, 21})
                                                     : frame_at("-0.75", "1e-4", "7e-8", 200000, {24, 16});
    const std::vector<double> a = values(frame, perturbation), b = values(frame, kernels(precision, Purpose::data));
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(a[k], b[k], 1e-3) << k;  // −1: interior
    }
  }
}

// The exterior beside the cusp is a sliver: nearly all pixels around it are interior at any limit, but the axis right
// of the cusp escapes.
TEST_F(MandelbrotPassage, OnTheAxisPixelsEscapeRightOfTheCuspAlone) {
  for (const char* span : {"1e-7", "1e-15", "1e-25", "1e-30"}) {
    Frame frame = frame_at("0.25", "0", span, 1, {32, 15});
    frame.automatic = true;
    const std::vector<double> all = values(frame, kernels(Precision::cusp, Purpose::picture));
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k] != -1, k / 32 == 7 && k % 32 >= 16) << k;
    const double epsilon = std::stod(span) * 15.5 / 32;
    EXPECT_NEAR(all[7 * 32 + 31] * std::sqrt(epsilon), std::numbers::pi, 2 * std::sqrt(epsilon) + 1e-9) << span;
  }
}

// On the vertical through −3/4, where n·|c + 3/4| approaches π (D. Boll, 1991), and nowhere beside it.
TEST_F(MandelbrotPassage, InTheValleyOneColumnEscapes) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles: its proofs say that ν needs more digits here";
  for (const char* span : {"1e-6", "1e-9", "1e-14"}) {
    Frame frame = frame_at("-0.75", "0", span, 1, {15, 32});
    frame.automatic = true;
    const std::vector<double> all = values(frame, kernels(Precision::valley, Purpose::picture), 1u << 30);
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k] != -1, k % 15 == 7) << k;
    const double y = std::stod(span) * 15.5 / 15;
    EXPECT_NEAR(all[7] * y, std::numbers::pi, 4 * y + 1e-9) << span;
    EXPECT_NEAR(all[31 * 15 + 7] * y, std::numbers::pi, 4 * y + 1e-9) << span;
  }
}

TEST_F(MandelbrotPassage, LimitsCountIterations) {
  const Frame low = frame_at("0.2500000001", "1e-15", "6e-15", 400000, {33, 21});
  Frame high = low;
  high.limit = 2000000;
  const std::vector<double> few = values(low, kernels(Precision::cusp, Purpose::picture)),
                            all = values(high, kernels(Precision::cusp, Purpose::picture));
  std::size_t beyond = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool within = all[k] != -1 && all[k] < 400000 - 1;
    EXPECT_TRUE((few[k] != -1) == within || std::abs(all[k] - 400000) < 2) << k;
    beyond += all[k] != -1 && !within;
  }
  EXPECT_GT(beyond, 0u);
  EXPECT_EQ(values(low, kernels(Precision::cusp, Purpose::picture), 2000000), all) << "raised";
}

}  // namespace
}  // namespace orrery::mandelbrot
