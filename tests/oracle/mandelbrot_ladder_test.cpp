/// The ladder's pictures against arithmetic of any precision, against the other methods at the seams, and against
/// themselves where no other method works.
#include <gtest/gtest.h>

#include "oracle/mandelbrot_on_device.hpp"
#include "oracle/mandelbrot_points.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

using oracle::MandelbrotAgreement;
using oracle::MandelbrotSamples;

class MandelbrotLadder : public MandelbrotOnDevice {
 protected:
  static Kernels kernels(Precision precision, Purpose purpose) {
    return Kernels(programs(), choose_variant(device().info(), precision, 0, purpose));
  }
  static const Kernels& ladder_of_pairs() {
    static const Kernels with = kernels(Precision::ladder, Purpose::data);
    return with;
  }
  static const Kernels& ladder() {
    static const Kernels with = kernels(Precision::ladder, Purpose::picture);
    return with;
  }
  static Frame frame_at(const std::string& span, std::uint32_t limit, Size size = {96, 54}) {
    Frame frame = whole_frame(
        {Decimal::parse(feigenbaum, "re"), Decimal::parse(span, "im") * 0.1, Decimal::parse(span, "span")}, size);
    frame.limit = limit;
    return frame;
  }
  struct Picture {
    std::vector<Cell> cells;
    int exponent = 0;
  };
  static Picture computed(const Frame& frame, const Kernels& with) {
    Queue queue(device());
    Renderer renderer(device(), queue, with);
    renderer.begin(frame);
    renderer.finish_blocking(queue, 1);
    EXPECT_EQ(renderer.progress().decided, frame.part().pixels());
    return {renderer.cells_blocking(queue), renderer.value_exponent()};
  }
  static MandelbrotAgreement agreement(const std::string& name, const Kernels& with) {
    const std::filesystem::path here = ORRERY_ORACLE_FOLDER;
    const MandelbrotSamples view = oracle::read_mandelbrot_samples(here / "mandelbrot_points" / (name + ".txt"));
    EXPECT_FALSE(view.samples.empty()) << name;
    Frame frame =
        whole_frame({Decimal::parse(view.re, "re"), Decimal::parse(view.im, "im"), Decimal::parse(view.span, "span")},
                    {static_cast<std::uint32_t>(view.width), static_cast<std::uint32_t>(view.height)});
    frame.limit = view.limit;
    frame.escape_radius = view.radius;
    const Picture picture = computed(frame, with);
    return oracle::compare(
        view, [&](int i, int j) { return picture.cells[static_cast<std::size_t>(j * view.width + i)].value(); });
  }
};

struct Difference {  // parts of all pixels
  double same_kind = 0;
  double close = 0;  ///< ν equal to 1e-3
};

Difference compare(const std::vector<Cell>& a, const std::vector<Cell>& b) {
  double same_kind = 0, close = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].interior() != b[i].interior()) continue;
    ++same_kind;
    close += std::abs(a[i].value() - b[i].value()) <= 1e-3;
  }
  const auto all = static_cast<double>(a.size());
  return {same_kind / all, close / all};
}

TEST_F(MandelbrotLadder, AgreesWithArithmeticOfAnyPrecision) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  for (const char* name : {"feigenbaum-4", "feigenbaum-7", "feigenbaum-8", "feigenbaum-9"}) {
    const MandelbrotAgreement all = agreement(name, ladder_of_pairs());
    EXPECT_EQ(all.same_kind, 1) << name;
    EXPECT_GE(all.close, 0.999) << name;
  }
}

// ν magnifies the rounding of doubles by about δ per level, so that they agree on the first levels only.
TEST_F(MandelbrotLadder, PicturesAgreeAsFarAsDoublesTell) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  EXPECT_EQ(agreement("feigenbaum-4", ladder()).same_kind, 1);
  EXPECT_GE(agreement("feigenbaum-4", ladder()).close, 0.99);
  EXPECT_GE(agreement("feigenbaum-7", ladder()).close, 0.95);
}

TEST_F(MandelbrotLadder, ContinuesDirectIterationWithoutASeam) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  const Frame frame = frame_at("3e-4", 20000);
  Variant doubles = choose_variant(device().info(), Precision::double_, 0, Purpose::data);
  doubles.exact = true;
  const Kernels with(programs(), doubles);
  std::vector<Cell> direct = computed(frame, with).cells;
  Queue queue(device());
  Refinement(device(), queue, with).refine(queue, frame, direct, {}, 1, [] {});
  const Difference all = compare(direct, computed(frame, ladder_of_pairs()).cells);
  EXPECT_GE(all.same_kind, 0.999);
  EXPECT_GE(all.close, 0.999);
}

TEST_F(MandelbrotLadder, ContinuesPerturbationWithoutASeam) {
  if (!fp64()) GTEST_SKIP() << "the device has no doubles";
  Variant pairs = choose_variant(device().info(), Precision::perturbation, 0);
  pairs.perturbed = PerturbedNumbers::double_pairs;
  // Off the real axis, perturbation takes over when the ladder's numbers are too short.
  Frame frame = frame_at("1e-9", 100000, {48, 27});
  frame.view.im = Decimal(3e-7);
  const Difference all =
      compare(computed(frame, Kernels(programs(), pairs)).cells, computed(frame, ladder_of_pairs()).cells);
  EXPECT_GE(all.same_kind, 0.999);
  EXPECT_GE(all.close, 0.999);
}

// A factor of δ is one level: all counts double, in any unit.
TEST_F(MandelbrotLadder, RepeatsItselfAtEveryLevel) {
  const double delta = feigenbaum_delta(53).value();
  for (const double level : {20.0, 45.0, 90.0}) {
    const auto at = [&](double k) {
      Frame frame = frame_at(Decimal::exp(-k * std::log(delta)).text(), 1);
      frame.automatic = true;
      return computed(frame, ladder());
    };
    const Picture upper = at(level), lower = at(level + 1);
    EXPECT_EQ(lower.exponent, upper.exponent + 1);
    std::size_t alike = 0, interior = 0;
    for (std::size_t i = 0; i < upper.cells.size(); ++i) {
      const Cell &a = upper.cells[i], &b = lower.cells[i];
      alike += a.interior() == b.interior() && std::abs(a.value() - b.value()) <= 1e-3 * a.value();
      alike += a.interior() && b.interior();
      interior += a.interior();
    }
    const auto all = static_cast<double>(upper.cells.size());
    EXPECT_GE(static_cast<double>(alike) / all, 0.95) << level;
    EXPECT_GT(static_cast<double>(interior) / all, 0.1) << level;
    EXPECT_LT(static_cast<double>(interior) / all, 0.6) << level;
  }
}

// Limits count iterations, or larger units of them, at every level; orbits beyond them are interior.
TEST_F(MandelbrotLadder, EndsAtTheLimitThatIsAskedFor) {
  Frame frame = frame_at("1e-7", 3000);
  const Picture low = computed(frame, ladder());
  frame.limit = 400000;
  const Picture high = computed(frame, ladder());
  ASSERT_EQ(high.exponent, 0);
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < low.cells.size(); ++i) {
    const bool within = !high.cells[i].interior() && high.cells[i].n < 3000;
    EXPECT_EQ(low.cells[i].interior(), !within) << i;
    beyond += !within && !high.cells[i].interior();
  }
  EXPECT_GT(beyond, 0u);
  frame = frame_at("1e-30", 1000000);
  for (const Cell& cell : computed(frame, ladder()).cells) ASSERT_TRUE(cell.interior());
}

TEST_F(MandelbrotLadder, RaisingTheLimitEqualsTheHigherLimitAtOnce) {
  Frame frame = frame_at("1e-6", 100000);
  const Picture at_once = computed(frame, ladder());
  frame.limit = 1000;
  Queue queue(device());
  Renderer renderer(device(), queue, ladder());
  renderer.begin(frame);
  renderer.finish_blocking(queue, 1);
  for (const std::uint32_t limit : {5000u, 100000u}) {
    renderer.raise_limit(limit);
    renderer.finish_blocking(queue, 1);
  }
  const std::vector<Cell> raised = renderer.cells_blocking(queue);
  for (std::size_t i = 0; i < raised.size(); ++i) EXPECT_EQ(raised[i].value(), at_once.cells[i].value()) << i;
}

}  // namespace
}  // namespace orrery::mandelbrot
