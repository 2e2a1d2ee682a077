#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/mandelbrot_on_device.hpp"
#include "oracle/mandelbrot_reference.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

using oracle::MandelbrotPicture;
using oracle::MandelbrotPoint;

class MandelbrotDirect : public MandelbrotOnDevice {
 protected:
  static Kernels kernels(Precision precision, std::int64_t work_group = 0) {
    return Kernels(programs(), choose_variant(device().info(), precision, work_group));
  }
  static Frame frame_of(const MandelbrotPicture& picture) {
    const View view{Decimal(picture.re), Decimal(picture.im), Decimal(picture.span)};
    Frame frame =
        whole_frame(view, {static_cast<std::uint32_t>(picture.width), static_cast<std::uint32_t>(picture.height)});
    frame.limit = picture.limit;
    frame.escape_radius = picture.radius;
    return frame;
  }
  // One value for proved interior and pixels at the limit, which depend on the rounds.
  static std::vector<double> values(const std::vector<Cell>& cells) {
    std::vector<double> all;
    for (const Cell& cell : cells) all.push_back(cell.value());
    return all;
  }
  static std::vector<Cell> computed(const Frame& frame, Kernels with, double budget = 1) {
    Queue queue(device());
    Renderer renderer(device(), queue, std::move(with));
    renderer.begin(frame);
    renderer.finish_blocking(queue, budget);
    EXPECT_EQ(renderer.progress().decided, frame.part().pixels());
    return renderer.cells_blocking(queue);
  }
};

struct Agreement {  // parts of all pixels
  double same_kind = 0;
  double close = 0;  ///< |ν − ν_ref| ≤ 1e-3, or both interior
};

Agreement compare(const std::vector<Cell>& cells, const std::vector<MandelbrotPoint>& points) {
  double same_kind = 0, close = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].interior() != points[i].interior) continue;
    ++same_kind;
    close += std::abs(cells[i].value() - points[i].nu) <= 1e-3;
  }
  const auto all = static_cast<double>(cells.size());
  return {same_kind / all, close / all};
}

const std::vector<MandelbrotPicture> pictures{
    {},
    {.width = 1, .height = 1},
    {.width = 7, .height = 61, .limit = 1},
    {.width = 61, .height = 7, .limit = 2},
    {.width = 65, .height = 33, .limit = 65},
    {.width = 129, .height = 67, .limit = 1000, .radius = 2},
    {.re = -0.75, .im = 0.1, .span = 0.01, .width = 131, .height = 77, .limit = 2000},
    {.re = -0.743643887037151,
     .im = 0.13182590420533,
     .span = 1e-9,
     .width = 101,
     .height = 99,
     .limit = 5000,
     .radius = 1e6},
    {.re = 0, .im = 0, .span = 1e6, .width = 64, .height = 48},
};

// One pixel per work-item, as on GPUs, has a separate loop.
TEST_F(MandelbrotDirect, DataAgreeWithThePlainLoopInEveryPixelForAnyLanes) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  Variant variant = choose_variant(device().info(), Precision::double_, 0, Purpose::data);
  for (const std::uint32_t lanes : {1u, variant.lanes}) {
    variant.lanes = lanes;
    const Kernels with(programs(), variant);
    for (const MandelbrotPicture& picture : pictures) {
      SCOPED_TRACE(testing::Message() << lanes << " lanes, " << picture.width << "x" << picture.height << " span "
                                      << picture.span);
      const std::vector<Cell> cells = computed(frame_of(picture), with);
      const std::vector<MandelbrotPoint> points = mandelbrot_picture(picture);
      for (std::size_t i = 0; i < cells.size(); ++i) {
        ASSERT_EQ(cells[i].interior(), points[i].interior) << i;
        ASSERT_TRUE(points[i].interior || cells[i].n == points[i].n) << i;
        // The fraction is kept as a float, and is at most 8 in size.
        ASSERT_NEAR(cells[i].value(), points[i].nu, 5e-7) << i;
      }
    }
  }
}

// Fused multiply-adds round differently, which changes pixels with chaotic orbits.
TEST_F(MandelbrotDirect, PicturesInDoubleAgreeWithThePlainLoop) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const Kernels with = kernels(Precision::double_);
  for (const MandelbrotPicture& picture : pictures) {
    SCOPED_TRACE(testing::Message() << picture.width << "x" << picture.height << " span " << picture.span);
    const Agreement agreement = compare(computed(frame_of(picture), with), mandelbrot_picture(picture));
    EXPECT_GE(agreement.same_kind, 0.999);
    EXPECT_GE(agreement.close, picture.span < 1e-6 ? 0.8 : 0.99);
  }
}

TEST_F(MandelbrotDirect, PicturesInSingleAgreeWhereSingleIsChosen) {
  const Kernels with = kernels(Precision::single);
  for (const MandelbrotPicture& picture : pictures) {
    const Frame frame = frame_of(picture);
    if (choose_precision("auto", frame.view, frame.size, true, Purpose::picture).precision != Precision::single)
      continue;
    SCOPED_TRACE(testing::Message() << picture.width << "x" << picture.height << " span " << picture.span);
    const Agreement agreement = compare(computed(frame, with), mandelbrot_picture(picture));
    EXPECT_GE(agreement.same_kind, 0.99);
    // The rest lies at the boundary, where single and double differ; the share depends on the device's fused
    // operations.
    EXPECT_GE(agreement.close, picture.span < 0.1 ? 0.75 : 0.97);
  }
}

TEST_F(MandelbrotDirect, EveryWorkGroupSizeGivesTheSamePixels) {
  const Frame frame = frame_of({.width = 67, .height = 35, .limit = 300});
  const std::vector<double> expected = values(computed(frame, kernels(Precision::single)));
  for (const std::int64_t size : {1, 3, 8, 64, 256}) {
    if (static_cast<std::size_t>(size) > device().info().max_work_group) continue;
    EXPECT_TRUE(values(computed(frame, kernels(Precision::single, size))) == expected) << "work-group " << size;
  }
}

TEST_F(MandelbrotDirect, SlicesOfAnyLengthGiveTheSamePixels) {
  const Frame frame = frame_of({.width = 161, .height = 90, .limit = 1500});
  const Kernels with = kernels(Precision::single);
  const std::vector<double> expected = values(computed(frame, with));
  for (const double budget : {1e-9, 1e-5, 1e-3})
    EXPECT_TRUE(values(computed(frame, with, budget)) == expected) << budget;
}

TEST_F(MandelbrotDirect, RaisingTheLimitEqualsTheHigherLimitAtOnce) {
  const Kernels with = kernels(Precision::single);
  Frame frame = frame_of({.re = -0.75, .im = 0.1, .span = 0.05, .width = 160, .height = 90, .limit = 3000});
  const std::vector<double> expected = values(computed(frame, with));
  Queue queue(device());
  Renderer renderer(device(), queue, with);
  frame.limit = 100;
  renderer.begin(frame);
  renderer.finish_blocking(queue, 1);
  EXPECT_FALSE(values(renderer.cells_blocking(queue)) == expected);
  const double iterations = renderer.progress().iterations;
  const std::size_t undecided = renderer.progress().undecided;
  renderer.raise_limit(101);
  renderer.finish_blocking(queue, 1);
  EXPECT_EQ(renderer.progress().iterations - iterations, static_cast<double>(undecided)) << "it started again";
  const double of_both = renderer.iterations();
  EXPECT_EQ(of_both, renderer.progress().iterations);
  renderer.begin(renderer.frame());
  renderer.finish_blocking(queue, 1);
  EXPECT_GT(renderer.progress().iterations, 0);
  EXPECT_EQ(renderer.iterations(), of_both + renderer.progress().iterations);
  for (const std::uint32_t limit : {117u, 1000u, 3000u}) {
    renderer.raise_limit(limit);
    renderer.finish_blocking(queue, 1e-4);
    EXPECT_EQ(renderer.progress().limit, limit);
  }
  EXPECT_TRUE(values(renderer.cells_blocking(queue)) == expected);
}

TEST_F(MandelbrotDirect, ANewPictureDisplacesTheOldOne) {
  const Kernels with = kernels(Precision::single);
  const Frame old_frame = frame_of({.re = -0.2, .im = 0, .span = 0.5, .width = 200, .height = 120, .limit = 100000});
  const Frame frame = frame_of({.width = 64, .height = 36, .limit = 200});
  Queue queue(device());
  Renderer renderer(device(), queue, with);
  renderer.begin(old_frame);
  renderer.enqueue_slice(queue, 1e-6);
  renderer.begin(frame);
  renderer.finish_blocking(queue, 1);
  EXPECT_TRUE(values(renderer.cells_blocking(queue)) == values(computed(frame, with)));
}

TEST_F(MandelbrotDirect, SomeRowsHaveThePixelsOfTheWholePicture) {
  const Kernels with = kernels(Precision::single);
  Frame frame = frame_of({.width = 63, .height = 40, .limit = 200});
  const std::vector<Cell> whole = computed(frame, with);
  frame.first_row = 17;
  frame.rows = 9;
  const std::vector<Cell> rows = computed(frame, with);
  EXPECT_TRUE(std::equal(rows.begin(), rows.end(), whole.begin() + 17 * 63));
}

TEST_F(MandelbrotDirect, ThePictureIsSymmetricAboutTheRealAxis) {
  // The rows' distances from the axis are exact numbers in a picture of 2^k rows.
  constexpr int width = 128, height = 64;
  const MandelbrotPicture picture{.re = -0.65, .im = 0, .span = 3, .width = width, .height = height, .limit = 500};
  const std::vector<Cell> cells = computed(frame_of(picture), kernels(Precision::single));
  for (int j = 0; j < height / 2; ++j)
    for (int i = 0; i < width; ++i)
      ASSERT_EQ(cells[static_cast<std::size_t>(j * width + i)].value(),
                cells[static_cast<std::size_t>((height - 1 - j) * width + i)].value());
}

// The area of the Mandelbrot set is 1.5065918849(28) (Förstemann 2012). A grid of spacing h misjudges pixels that the
// boundary crosses; its error is taken as that of independent coin tosses in the share of pixels near the boundary.
TEST_F(MandelbrotDirect, TheAreaIsKnown) {
  constexpr int width = 1200, height = 1000;
  constexpr double span = 3.0;
  const std::vector<Cell> cells =
      computed(frame_of({.re = -0.75, .im = 0, .span = span, .width = width, .height = height, .limit = 20000}),
               kernels(Precision::single));
  const auto interior = static_cast<double>(std::ranges::count_if(cells, &Cell::interior));
  const double pixel = (span / width) * (span / width);
  const double near_boundary = 0.05 * width * height;
  EXPECT_NEAR(interior * pixel, 1.5065918849, 3 * 0.5 * std::sqrt(near_boundary) * pixel + 2e-4);
}

TEST_F(MandelbrotDirect, InteriorTestsChangeNoPixel) {
  Variant variant = choose_variant(device().info(), Precision::single, 0);
  const Frame frame = frame_of({.width = 97, .height = 55, .limit = 700});
  const std::vector<Cell> with = computed(frame, Kernels(programs(), variant));
  variant.interior_tests = false;
  const std::vector<Cell> without = computed(frame, Kernels(programs(), variant));
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_EQ(with[i].value(), without[i].value()) << i;
}

// Drawing fills each unknown pixel with its pixel of the coarse pass, which is always known.
TEST_F(MandelbrotDirect, ThePublishedPictureHasTheCoarsePassAndMarksUnknownPixels) {
  Queue queue(device());
  Renderer renderer(device(), queue, kernels(Precision::single));
  const Frame frame = frame_of({.width = 83, .height = 45, .limit = 200});
  renderer.begin(frame);
  while (renderer.progress().stride == 0) {
    renderer.enqueue_slice(queue, 1e-9);
    queue.finish();
    renderer.collect();
  }
  const cl::Buffer surface = device().buffer(frame.part().pixels() * sizeof(float));
  renderer.publish(queue, surface);
  const auto values = queue.read_blocking<float>(surface, frame.part().pixels());
  const std::uint32_t stride = renderer.progress().stride;
  ASSERT_GT(stride, 1u);
  renderer.finish_blocking(queue, 1);
  const std::vector<Cell> cells = renderer.cells_blocking(queue);
  EXPECT_EQ(values[0], static_cast<float>(cells[0].value()));
  EXPECT_TRUE(std::ranges::any_of(values, is_unknown));
  for (std::uint32_t j = 0; j < 45; ++j)
    for (std::uint32_t i = 0; i < 83; ++i) {
      const float value = values[j * 83 + i];
      const bool coarse = i % stride == 0 && j % stride == 0;
      EXPECT_FALSE(coarse && is_unknown(value)) << i << ' ' << j;
      const Cell& cell = cells[j * 83 + i];
      const float inside = cell.n == Cell::proved_interior ? interior_value : at_limit_value;
      const float final_value = cell.interior() ? inside : static_cast<float>(cell.value());
      EXPECT_TRUE(is_unknown(value) || value == final_value) << i << ' ' << j << ": " << value;
    }
}

}  // namespace
}  // namespace orrery::mandelbrot
