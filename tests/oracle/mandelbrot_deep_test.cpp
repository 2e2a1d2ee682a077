/// Perturbed orbits against arithmetic of any precision, at every depth and in every kind of numbers.
#include <gtest/gtest.h>

#include <bit>

#include "oracle/mandelbrot_on_device.hpp"
#include "oracle/mandelbrot_points.hpp"
#include "scenes/mandelbrot/model/iteration_limit.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

using oracle::MandelbrotAgreement;
using oracle::MandelbrotSamples;

class MandelbrotDeep : public MandelbrotOnDevice {
 protected:
  static Kernels kernels(PerturbedNumbers numbers) {
    Variant variant = choose_variant(device().info(), Precision::perturbation, 0);
    variant.perturbed = numbers;
    return Kernels(programs(), variant);
  }
  static MandelbrotSamples samples(const std::string& name) {
    const std::filesystem::path here = ORRERY_ORACLE_FOLDER;
    MandelbrotSamples view = oracle::read_mandelbrot_samples(here / "mandelbrot_points" / (name + ".txt"));
    EXPECT_FALSE(view.samples.empty()) << name;
    return view;
  }
  static Frame frame_of(const MandelbrotSamples& view) {
    Frame frame =
        whole_frame({Decimal::parse(view.re, "re"), Decimal::parse(view.im, "im"), Decimal::parse(view.span, "span")},
                    {static_cast<std::uint32_t>(view.width), static_cast<std::uint32_t>(view.height)});
    frame.limit = view.limit;
    frame.escape_radius = view.radius;
    return frame;
  }
  static std::vector<Cell> computed(const Frame& frame, const Kernels& with, double budget = 1) {
    Queue queue(device());
    Renderer renderer(device(), queue, with);
    renderer.begin(frame);
    renderer.finish_blocking(queue, budget);
    EXPECT_EQ(renderer.progress().decided, frame.part().pixels());
    return renderer.cells_blocking(queue);
  }
  static MandelbrotAgreement agreement(const MandelbrotSamples& view, const Kernels& with) {
    const std::vector<Cell> cells = computed(frame_of(view), with);
    return oracle::compare(view, [&](int i, int j) {
      return cells[static_cast<std::size_t>(j) * static_cast<std::size_t>(view.width) + static_cast<std::size_t>(i)]
          .value();
    });
  }
};

// Views in which doubles decide nearly every pixel.
TEST_F(MandelbrotDeep, DoublesAgreeWhereTheyDecide) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const Kernels with = kernels(PerturbedNumbers::doubles);
  for (const char* name : {"wide", "seahorse-3", "i-40", "tip-25", "i-1000"}) {
    const MandelbrotAgreement all = agreement(samples(name), with);
    EXPECT_EQ(all.same_kind, 1) << name;
    EXPECT_GE(all.close, 0.999) << name;
  }
}

TEST_F(MandelbrotDeep, PairsOfFloatsAgreeOnDevicesWithoutDoubles) {
  const Kernels with = kernels(PerturbedNumbers::float_pairs);
  for (const char* name : {"wide", "i-40", "tip-25", "i-1000"}) {
    const MandelbrotAgreement all = agreement(samples(name), with);
    EXPECT_EQ(all.same_kind, 1) << name;
    EXPECT_GE(all.close, 0.998) << name;
  }
}

// Beside the root 2/5, orbits hardly move: the reference does not end, and no limit is high enough.
TEST_F(MandelbrotDeep, AnAutomaticLimitEndsAtTheLongestReferenceThatADeviceHolds) {
  constexpr std::uint32_t longest = 2048;
  DeviceInfo info = device().info();
  info.allocation_bytes = 128 * 3000;
  const Device small(info, device().handle(), device().context());
  ASSERT_EQ(std::bit_floor(Perturbation::most_points(info)), longest);
  if (!info.fp64) GTEST_SKIP() << "the device has no doubles";
  Variant variant = choose_variant(info, Precision::perturbation, 0);
  variant.exact = true;  // without the steps of passages
  const Kernels kernels(programs(), variant);
  Frame frame = whole_frame({Decimal::parse("-0.481811088512629236", "re"),
                             Decimal::parse("0.531621628688980923", "im"), Decimal::parse("3e-6", "span")},
                            {48, 32});
  frame.limit = longest;
  const std::vector<Cell> whole = computed(frame, kernels);

  Queue queue(small);
  Renderer renderer(small, queue, kernels);
  const auto limit_from = [&](std::uint32_t limit, bool automatic) {
    frame.limit = limit;
    frame.automatic = automatic;
    renderer.begin(frame);
    renderer.raise_limit(limit);
    renderer.finish_blocking(queue, 1);
    for (AutomaticLimit next; automatic;) {
      const auto higher = next.next(renderer.progress());
      if (!higher) break;
      renderer.raise_limit(*higher);
      renderer.finish_blocking(queue, 1);
    }
    return renderer.progress().limit;
  };
  for (const std::uint32_t first : {256U, longest, 1U << 20, ~0U}) {
    EXPECT_EQ(limit_from(first, true), longest) << first;
    EXPECT_FALSE(renderer.raises()) << first;
    const std::vector<Cell> cells = renderer.cells_blocking(queue);
    for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(cells[i].value(), whole[i].value()) << first << ' ' << i;
  }
  EXPECT_EQ(limit_from(3000, false), 3000U);
  EXPECT_THROW(limit_from(3001, false), Error);
}

}  // namespace
}  // namespace orrery::mandelbrot
