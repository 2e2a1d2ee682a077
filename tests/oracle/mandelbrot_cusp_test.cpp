/// The ladder at the cusp 1/4: its table against plain iteration, and its pictures against plain iteration, against the
/// flow that a passage approaches where no orbit can be iterated, and against perturbation at the seam.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "oracle/mandelbrot_on_device.hpp"
#include "oracle/mandelbrot_points.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {
namespace {

// ---- the table

namespace cusp {

constexpr mpfr_prec_t bits = 320;
constexpr double lambda = 0.25, reach = ladder_radius_of(LadderPoint::cusp);

struct Wide {
  BigFloat re, im;
};
Wide operator+(const Wide& a, const Wide& b) { return {a.re + b.re, a.im + b.im}; }
Wide operator*(const Wide& a, const Wide& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Wide wide(std::complex<double> z) { return {BigFloat(bits, z.real()), BigFloat(bits, z.imag())}; }
double distance(const Wide& a, const Wide& b) { return std::hypot((a.re - b.re).value(), (a.im - b.im).value()); }

/// 2^level iterations of x -> x + Λ_0·x² + w, scaled to the level.
Wide iterated(int level, const Wide& x, const Wide& w) {
  const Wide shrink = wide(std::ldexp(1.0, -level)), c = w * shrink * shrink;
  Wide y = x * shrink;
  for (long i = 0; i < 1L << level; ++i) y = y + wide(lambda) * y * y + c;
  return y * wide(std::ldexp(1.0, level));
}

Wide from_table(const LadderTable& table, int level, const Wide& x, const Wide& w) {
  Wide sum = wide(0);
  for (int m = table.extent().terms; m-- > 0;) {
    Wide row = wide(0);
    for (int n = table.extent().orders; n-- > 0;)
      row = row * w + wide(table.at(level, n, m).high) + wide(table.at(level, n, m).low);
    sum = sum * x + row;
  }
  return sum;
}

double worst_error(const LadderTable& table, int level) {
  double worst = 0;
  for (int k = 0; k < 16; ++k) {
    const Wide x = wide(std::polar(k % 3 == 2 ? 0.5 : 1.0, 0.39 * k)), w = wide(std::polar(reach, 1.1 * k));
    worst = std::max(worst, distance(from_table(table, level, x, w), iterated(level, x, w)));
  }
  return worst;
}

const LadderTable& doubles() {
  static const LadderTable table(LadderTable::cusp_for_doubles, LadderPoint::cusp);
  return table;
}
const LadderTable& pairs() { return ladder_table_of_pairs(LadderPoint::cusp); }

}  // namespace cusp

TEST(MandelbrotCuspTable, IsThePlainIteration) {
  for (const int level : {0, 1, 2, 3, 5, 8, 12, 15}) {
    EXPECT_LT(cusp::worst_error(cusp::doubles(), level), 1e-16) << "level " << level;
    EXPECT_LT(cusp::worst_error(cusp::pairs(), level), 1e-32) << "level " << level;
  }
}

// Two steps of a level are one of the next: what levels beyond plain iteration have to go by.
TEST(MandelbrotCuspTable, TwoStepsAreOneOfTheNextLevel) {
  using namespace cusp;
  for (int level = 15; level + 1 < pairs().extent().levels; level += 4)
    for (int k = 0; k < 8; ++k) {
      const Wide x = wide(std::polar(1.0, 0.8 * k)), w = wide(std::polar(reach, 0.5 + 1.7 * k));
      const Wide half = x * wide(0.5), quarter = w * wide(0.25);
      const Wide twice = from_table(pairs(), level, from_table(pairs(), level, half, quarter), quarter);
      EXPECT_LT(distance(twice * wide(2), from_table(pairs(), level + 1, x, w)), 1e-31) << "level " << level;
    }
}

// The flow of y² + ε is √ε·tan: levels come nearer to it by 2.
TEST(MandelbrotCuspTable, ApproachesTheFlow) {
  using namespace cusp;
  const std::complex<double> x(-0.7, 0.3), w(0.05, 0.01), root = std::sqrt(lambda * w);
  const std::complex<double> flow = root * std::tan(root + std::atan(lambda * x / root)) / lambda;
  const auto away = [&](int level) { return distance(from_table(pairs(), level, wide(x), wide(w)), wide(flow)); };
  for (const int level : {10, 20, 30}) EXPECT_NEAR(away(level) / away(level + 1), 2, 0.05) << level;
}

TEST(MandelbrotCuspTable, AStepLosesNoMoreThanTheStepErrorAndBendsNoMoreThanTheCurvature) {
  using namespace cusp;
  double lost = 0, bent = 0;
  for (const int level : {0, 1, 2, 5, 9, 20, 50})
    for (int k = 0; k < 60; ++k) {
      const std::complex<double> x = std::polar(k % 4 == 0 ? 1.0 : 0.25 * (k % 4), 0.37 * k),
                                 w = std::polar(k % 3 == 0 ? reach : 0.02, 1.1 * k);
      const auto step = [&](std::complex<double> at) {
        const double twice = 2 * at.real(), norm = std::norm(at);
        std::complex<double> value = 0;
        for (int n = doubles().extent().orders; n-- > 0;) {
          double b1 = 0, b2 = 0;
          for (int m = doubles().extent().terms - 1; m >= 1; --m)
            b2 = std::exchange(b1, std::fma(twice, b1, std::fma(-norm, b2, doubles().at(level, n, m).high)));
          value = value * w + std::complex(std::fma(at.real(), b1, std::fma(-norm, b2, doubles().at(level, n, 0).high)),
                                           at.imag() * b1);
        }
        return value;
      };
      lost = std::max(lost, distance(from_table(pairs(), level, wide(x), wide(w)), wide(step(x))));
      const double h = 1e-4;
      bent = std::max(bent, std::abs(step(x + h) - 2.0 * step(x) + step(x - h)) / (h * h));
    }
  EXPECT_LT(lost, 0.5 * ladder_step_error(LadderNumbers::doubles));
  EXPECT_GT(lost, ladder_step_error(LadderNumbers::doubles) / 1024);
  EXPECT_LT(bent, ladder_curvature(LadderPoint::cusp));
  EXPECT_GT(bent, 0.1 * ladder_curvature(LadderPoint::cusp));
}

// ---- pictures

class MandelbrotCusp : public MandelbrotOnDevice {
 protected:
  static const Kernels& kernels(Purpose purpose) {
    static std::map<Purpose, Kernels> all;
    const auto found = all.find(purpose);
    if (found != all.end()) return found->second;
    return all.try_emplace(purpose, programs(), choose_variant(device().info(), Precision::cusp, 0, purpose))
        .first->second;
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
  /// Errors in units of cells. A limit of 0 in the file is none.
  static oracle::MandelbrotAgreement agreement(const std::string& name, Purpose purpose) {
    const std::filesystem::path here = ORRERY_ORACLE_FOLDER;
    oracle::MandelbrotSamples view = oracle::read_mandelbrot_samples(here / "mandelbrot_points" / (name + ".txt"));
    EXPECT_FALSE(view.samples.empty()) << name;
    Frame frame = frame_at(view.re, view.im, view.span, std::max(view.limit, 1u),
                           {static_cast<std::uint32_t>(view.width), static_cast<std::uint32_t>(view.height)});
    frame.escape_radius = view.radius;
    frame.automatic = view.limit == 0;
    const std::vector<double> all = values(frame, kernels(purpose));
    const auto in_units = [](double nu) { return nu == -1 ? -1 : nu / unit_; };
    for (oracle::MandelbrotSample& sample : view.samples) sample.nu = in_units(sample.nu);
    return oracle::compare(view,
                           [&](int i, int j) { return in_units(all[static_cast<std::size_t>(j * view.width + i)]); });
  }

 private:
  static inline double unit_ = 1;
};

TEST_F(MandelbrotCusp, AgreesWithArithmeticOfAnyPrecision) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  for (const char* name : {"cusp-6", "cusp-8", "cusp-10", "cusp-12", "cusp-axis"}) {
    const oracle::MandelbrotAgreement data = agreement(name, Purpose::data),
                                      picture = agreement(name, Purpose::picture);
    EXPECT_EQ(data.same_kind, 1) << name;
    EXPECT_EQ(data.close, 1) << name << ": by " << data.worst;
    EXPECT_GE(picture.same_kind, 0.98) << name;
    EXPECT_GE(picture.close, 0.95) << name << ": by " << picture.worst;
  }
}

TEST_F(MandelbrotCusp, AgreesWithTheFlowWhereNoOrbitCanBeIterated) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  for (const char* name : {"cusp-20", "cusp-30"})
    for (const Purpose purpose : {Purpose::data, Purpose::picture}) {
      const oracle::MandelbrotAgreement all = agreement(name, purpose);
      EXPECT_EQ(all.same_kind, 1) << name;
      EXPECT_EQ(all.close, 1) << name << ": by " << all.worst;
    }
}

TEST_F(MandelbrotCusp, ContinuesPerturbationWithoutASeam) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  Variant pairs = choose_variant(device().info(), Precision::perturbation, 0);
  pairs.perturbed = PerturbedNumbers::double_pairs;
  const Kernels perturbation(programs(), pairs);
  for (const Size size : {Size{33, 21}, Size{24, 16}}) {
    const Frame frame = frame_at("0.25000001", "5e-13", "4e-12", 400000, size);
    const std::vector<double> a = values(frame, perturbation), b = values(frame, kernels(Purpose::data));
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_NEAR(a[k], b[k], 1e-3) << k;  // −1: interior
    }
  }
}

// The outside beside the cusp is a sliver: around it nearly all is interior, whatever the limit, and the axis right of
// the cusp is not.
TEST_F(MandelbrotCusp, OnTheAxisPixelsEscapeRightOfTheCuspAlone) {
  for (const char* span : {"1e-7", "1e-15", "1e-25", "1e-30"}) {
    Frame frame = frame_at("0.25", "0", span, 1, {32, 15});
    frame.automatic = true;
    const std::vector<double> all = values(frame, kernels(Purpose::picture));
    for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k] != -1, k / 32 == 7 && k % 32 >= 16) << k;
    const double epsilon = std::stod(span) * 15.5 / 32;
    EXPECT_NEAR(all[7 * 32 + 31] * std::sqrt(epsilon), std::numbers::pi, 2 * std::sqrt(epsilon) + 1e-9) << span;
  }
}

TEST_F(MandelbrotCusp, LimitsCountIterations) {
  const Frame low = frame_at("0.2500000001", "1e-15", "6e-15", 400000, {33, 21});
  Frame high = low;
  high.limit = 2000000;
  const std::vector<double> few = values(low, kernels(Purpose::picture)), all = values(high, kernels(Purpose::picture));
  std::size_t beyond = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const bool within = all[k] != -1 && all[k] < 400000 - 1;
    EXPECT_TRUE((few[k] != -1) == within || std::abs(all[k] - 400000) < 2) << k;
    beyond += all[k] != -1 && !within;
  }
  EXPECT_GT(beyond, 0u);
  EXPECT_EQ(values(low, kernels(Purpose::picture), 2000000), all) << "raised";
}

}  // namespace
}  // namespace orrery::mandelbrot
