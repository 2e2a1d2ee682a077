/// Passages beside parabolic points: the points against algebra, the table of steps against iteration in many bits,
/// and pictures against proofs in many bits.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "oracle/mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/checks/proof.hpp"
#include "scenes/mandelbrot/deep/parabolic.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

using Plain = std::complex<double>;

constexpr Size picture_size{24, 16};

View view_at(const char* re, const char* im, const char* span) {
  return {Decimal::parse(re, "re"), Decimal::parse(im, "im"), Decimal::parse(span, "span")};
}

/// Views between the components that meet at a parabolic point: cusps of copies on and off the real axis, and roots
/// of the set and of a copy.
struct Beside {
  const char* name;
  View view;
  std::size_t period;
  int turns;
};

const std::vector<Beside>& places() {
  static const std::vector<Beside> all{
      {"cusp of period 3", view_at("-1.74999999", "0", "2e-11"), 3, 1},
      {"cusp of period 4", view_at("-0.154724605504344323069058", "1.031047227744459087426619", "6.849e-15"), 4, 1},
      {"cusp of period 5", view_at("0.359933133637405889457007", "0.641506666335544647825886", "3.686e-12"), 5, 1},
      {"root 1/3", view_at("-0.125054414474317738042666", "0.649519050274099540333079", "1.632e-8"), 1, 3},
      {"root 2/5", view_at("-0.481811088512629236294335", "0.531621628688980923215355", "1.793e-8"), 1, 5},
      {"root 1/8", view_at("0.353562591407164381661860", "0.103575606283984395418663", "7.214e-9"), 1, 8},
      {"root 1/4 of period 3", view_at("-1.750487084656771640967236", "0.009781313165485542430556", "2.554e-8"), 3, 4},
  };
  return all;
}

// ---- the points

using Exact = decltype(ParabolicPoint::c);

Plain plain(const Exact& z) { return {z.re.value(), z.im.value()}; }

TEST(MandelbrotParabolic, PointsMatchAlgebra) {
  const auto cusp = parabolic_near(view_at("-1.7499999999", "0", "2e-14"), picture_size);
  ASSERT_TRUE(cusp);
  EXPECT_EQ(cusp->period, 3u);
  EXPECT_EQ(cusp->turns, 1);
  EXPECT_LT(std::abs(plain(cusp->c) - Plain(-1.75, 0)), 1e-15);
  const auto root = parabolic_near(view_at("-0.12500001", "0.649519052838329", "1e-9"), picture_size);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->period, 1u);
  EXPECT_EQ(root->turns, 3);
  EXPECT_LT(std::abs(plain(root->c) - Plain(-0.125, 0.375 * std::numbers::sqrt3)), 1e-15);
  EXPECT_LT(std::abs(plain(root->z) - std::polar(0.5, 2 * std::numbers::pi / 3)), 1e-15);
}

TEST(MandelbrotParabolic, ViewsWithoutLongPassagesHaveNoPoint) {
  EXPECT_FALSE(parabolic_near(view_at("-0.743643887037151", "0.13182590420533", "1e-8"), picture_size))
      << "it escapes soon";
  EXPECT_FALSE(parabolic_near(view_at("-0.1", "0.2", "1e-8"), picture_size)) << "in the cardioid";
  EXPECT_FALSE(parabolic_near(view_at("-1.7499999999", "0", "2e-25"), picture_size))
      << "doubles do not tell its pixels apart";
  EXPECT_FALSE(parabolic_near(view_at("0.25", "0", "1e-200"), picture_size));
}

// ---- the table

/// f^(pq·2^level) in many bits, as the table's step counts.
Plain iterated(const ParabolicPoint& point, const PassageTable& table, int level, Plain x, Plain w) {
  const double radius = table.radius() * std::pow(table.mu(), level);
  const Plain moved_c = w * table.reach() * std::pow(table.delta(), -level), moved_z = x * radius;
  const auto near = [](const Exact& a, Plain by) { return moved(a, {by.real(), by.imag()}); };
  BigOrbit orbit(Formula{}, near(point.c, moved_c), near(point.z, moved_z));
  for (std::size_t n = point.iterations() << level; n > 0; --n) orbit.step();
  const FloatExpComplex y = difference(orbit.z(), point.z);
  return Plain(FloatExp(y.re(), y.exponent()).value(), FloatExp(y.im(), y.exponent()).value()) / radius;
}

TEST(MandelbrotParabolic, AStepEqualsItsIterations) {
  constexpr double step_error = 64 * 0x1p-53;
  for (const Beside& place : places()) {
    const auto point = parabolic_near(place.view, picture_size);
    ASSERT_TRUE(point) << place.name;
    EXPECT_EQ(point->period, place.period) << place.name;
    EXPECT_EQ(point->turns, place.turns) << place.name;
    const PassageTable table(*point);
    ASSERT_GT(table.levels(), 8) << place.name;
    for (const int level : {0, 1, 4, 8})
      for (int k = 0; k < 8; ++k) {
        const Plain x = std::polar(k % 3 == 2 ? 0.5 : 1.0, 0.39 * k), w = std::polar(k % 4 == 3 ? 0.2 : 1.0, 1.1 * k);
        const Plain error = table.step(level, x, w) - iterated(*point, table, level, x, w);
        EXPECT_LT(std::abs(error), step_error * (1 + level)) << place.name << ", level " << level << ", " << k;
      }
  }
}

// ---- the multipliers of the cycles

/// The multiplier of the cycle of this period that attracts the orbit of 0; nothing if it does not converge in time.
std::optional<Plain> multiplier_of_attractor(Plain c, std::size_t period) {
  Plain z = 0;
  for (int n = 0; n < 200000; ++n) z = z * z + c;
  const Plain first = z;
  Plain multiplier = 1;
  for (std::size_t n = 0; n < period; ++n) {
    multiplier *= 2.0 * z;
    z = z * z + c;
  }
  if (std::abs(z - first) > 1e-12) return {};
  return multiplier;
}

/// λ/λ_0 of the two cycles.
std::array<Plain, 2> multipliers_at(const CycleMultipliers& multipliers, int turns, Plain epsilon) {
  const Plain of_reach = epsilon / multipliers.reach(), s = turns == 1 ? std::sqrt(of_reach) : of_reach;
  std::array<Plain, 2> result{};
  for (std::size_t cycle = 0; cycle < 2; ++cycle) {
    Plain sum = 0;
    for (std::size_t k = CycleMultipliers::terms; k-- > 0;)
      sum = (sum + multipliers.coefficients()[cycle * CycleMultipliers::terms + k]) * s;
    result[cycle] = 1.0 + sum;
  }
  return result;
}

// λ of the fixed points is 1 ± √(1 − 4c), and of the cycle of period 2 it is 4·(1 + c).
TEST(MandelbrotParabolic, MultipliersMatchAlgebra) {
  for (const Plain direction : {Plain(1, 0), Plain(-1, 0), Plain(0.6, 0.8), Plain(0, -1)}) {
    const auto valley = parabolic_near(view_at("-0.75", "0", "1e-9"), picture_size);
    ASSERT_TRUE(valley);
    const PassageTable at_valley(*valley);
    const Plain epsilon = 0.9 * at_valley.multipliers().reach() * direction;
    const auto [first, second] = multipliers_at(at_valley.multipliers(), 2, epsilon);
    EXPECT_LT(std::abs(second - 4.0 * (0.25 + epsilon)), 1e-13);
    EXPECT_LT(std::abs(-first - (1.0 - std::sqrt(1.0 - 4.0 * (-0.75 + epsilon)))), 1e-13);
    const auto cusp = parabolic_near(view_at("0.2500000001", "0", "1e-12"), picture_size);
    ASSERT_TRUE(cusp);
    const PassageTable at_cusp(*cusp);
    const Plain beside = 0.9 * at_cusp.multipliers().reach() * direction, root = std::sqrt(-4.0 * beside);
    const auto both = multipliers_at(at_cusp.multipliers(), 1, beside);
    EXPECT_LT(std::abs((both[0] - 1.0) * (both[1] - 1.0) + root * root), 1e-13);
    EXPECT_LT(std::min(std::abs(both[0] - 1.0 - root), std::abs(both[0] - 1.0 + root)), 1e-13);
  }
}

TEST(MandelbrotParabolic, MultipliersMatchTheAttractingCycles) {
  std::vector<Beside> all = places();
  all.push_back({"root 3/11", view_at("0.1687158242669819", "0.5653438601508237", "1e-6"), 1, 11});
  all.push_back({"root 5/12", view_at("-0.5580127018922194", "0.4665063509461096", "1e-6"), 1, 12});
  for (const Beside& place : all) {
    const auto point = parabolic_near(place.view, picture_size);
    ASSERT_TRUE(point) << place.name;
    const PassageTable table(*point);
    ASSERT_GT(table.multipliers().reach(), 0) << place.name;
    int compared = 0;
    for (int k = 0; k < 64; ++k) {
      const Plain epsilon = table.multipliers().reach() * std::polar(k % 2 == 0 ? 0.95 : 0.4, 0.1 * k);
      const auto found = multipliers_at(table.multipliers(), point->turns, epsilon);
      for (std::size_t cycle = 0; cycle < 2; ++cycle) {
        if (!(std::abs(found[cycle]) < 0.99)) continue;
        const bool parts = cycle == 1 && point->turns > 1;
        const auto attractor =
            multiplier_of_attractor(plain(point->c) + epsilon, parts ? point->iterations() : point->period);
        ASSERT_TRUE(attractor) << place.name << ", " << k;
        EXPECT_LT(std::abs(std::abs(*attractor) - std::abs(found[cycle])), 2e-9) << place.name << ", " << k;
        ++compared;
      }
    }
    EXPECT_GT(compared, 3) << place.name;
  }
}

// ---- pictures

class MandelbrotParabolicPictures : public MandelbrotOnDevice {
 protected:
  void SetUp() override {
    if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  }
  static const Kernels& kernels(bool detail = false) {
    static std::map<bool, Kernels> all;
    const auto found = all.find(detail);
    if (found != all.end()) return found->second;
    Variant variant = choose_variant(device().info(), Precision::perturbation, 0);
    variant.detail = detail;
    return all.try_emplace(detail, programs(), variant).first->second;
  }
  struct Picture {
    std::vector<Cell> cells;
    std::vector<float> details;
    Progress progress;
  };
  static Frame frame_of(const View& view, std::uint32_t limit) {
    Frame frame = whole_frame(view, picture_size);
    frame.limit = limit;
    frame.progressive = false;
    return frame;
  }
  /// An epsilon below 0: every step is an iteration.
  static Picture computed(const Frame& frame, bool detail = false, double epsilon = 0, std::uint32_t first_limit = 0) {
    Queue queue(device());
    Renderer renderer(device(), queue, kernels(detail));
    renderer.set_epsilon(epsilon);
    Frame first = frame;
    if (first_limit != 0) first.limit = first_limit;
    renderer.begin(first);
    renderer.finish_blocking(queue, 1);
    renderer.raise_limit(frame.limit);
    renderer.finish_blocking(queue, 1);
    return {renderer.cells_blocking(queue), renderer.details_blocking(queue), renderer.progress()};
  }
  /// The iterations of all pixels that are not proved to be interior.
  static double iterations_of(const Picture& picture, std::uint32_t limit) {
    double sum = 0;
    for (const Cell& cell : picture.cells) sum += cell.n == Cell::at_limit ? limit : cell.interior() ? 0 : cell.n;
    return sum;
  }
};

TEST_F(MandelbrotParabolicPictures, AgreeWithManyBitsInFewSteps) {
  constexpr std::uint32_t limit = 400000;
  for (const Beside& place : places()) {
    const Frame frame = frame_of(place.view, limit);
    const Picture picture = computed(frame);
    const auto proof = prove({.frame = frame,
                              .pixels = pick_pixels(frame, picture.cells, 12, 5),
                              .most_iterations = 8e6,
                              .slack = slack_of_pictures});
    ASSERT_TRUE(proof);
    EXPECT_GE(proof->checked, 6) << place.name;
    EXPECT_FALSE(proof->fails()) << place.name << ": " << text_of(*proof);
    const double all = iterations_of(picture, limit);
    EXPECT_GT(all, 1e6) << place.name;
    EXPECT_LT(picture.progress.iterations, 0.1 * all) << place.name;
  }
}

// An orbit that reaches a limit within a passage continues from there.
TEST_F(MandelbrotParabolicPictures, AreTheSameAfterRaisingALowerLimit) {
  const Frame frame = frame_of(places().front().view, 200000);
  const Picture once = computed(frame), raised = computed(frame, false, 0, 7777);
  for (std::size_t i = 0; i < once.cells.size(); ++i)
    EXPECT_NEAR(once.cells[i].value(), raised.cells[i].value(), 1e-3) << i;
}

// Beside a root only pixels in the gap escape; all others are proved at once.
TEST_F(MandelbrotParabolicPictures, InteriorBesideARootIsProvedInFewSteps) {
  struct Root {
    const char *re, *im;
    int turns;
    std::vector<const char*> spans;
    double proved;  // at least this part of all pixels
    double apart;   // largest difference in size of the two components, as a part of all pixels
  };
  const std::vector<Root> roots{
      {"-0.125", "0.64951905283832898507279237806470213760352", 3, {"1e-5", "1e-8", "1e-11"}, 1, 0},
      {"0.1687158242669819", "0.5653438601508237", 11, {"1e-4", "1e-6", "1e-8"}, 0.95, 0.06},
      {"-0.5580127018922194", "0.4665063509461096", 12, {"1e-4", "1e-6", "1e-8"}, 0.95, 0.06},
      {"0.3080127018922193", "0.03349364905389032", 12, {"1e-6", "1e-8"}, 0.95, 0.06},
  };
  for (const Root& root : roots) {
    for (const char* span : root.spans) {
      const Frame frame = frame_of(view_at(root.re, root.im, span), 1 << 20);
      const Picture picture = computed(frame, true);
      const auto all = static_cast<double>(picture.cells.size());
      double first = 0, parted = 0;
      for (std::size_t i = 0; i < picture.cells.size(); ++i) {
        if (picture.cells[i].n != Cell::proved_interior) continue;
        first += picture.details[i] == 1;
        parted += picture.details[i] == static_cast<float>(root.turns);
      }
      EXPECT_GE(first + parted, root.proved * all) << root.turns << ", " << span;
      EXPECT_NEAR(first, parted, root.apart * all)
          << root.turns << ", " << span << ": the cardioid and the disc beside it";
      EXPECT_LT(picture.progress.iterations, 1000 * all) << root.turns << ", " << span;
    }
  }
}

TEST_F(MandelbrotParabolicPictures, DistancesAreThoseOfPlainSteps) {
  const Frame frame = frame_of(places().front().view, 200000);
  const Picture steps = computed(frame, true), plain = computed(frame, true, -1);
  ASSERT_EQ(steps.details.size(), plain.details.size());
  for (std::size_t i = 0; i < steps.details.size(); ++i) {
    EXPECT_NEAR(steps.cells[i].value(), plain.cells[i].value(), 1e-3) << i;
    EXPECT_NEAR(steps.details[i], plain.details[i], 1e-4F * plain.details[i]) << i;
  }
}

}  // namespace
}  // namespace orrery::mandelbrot
