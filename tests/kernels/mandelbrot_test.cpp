/// The Mandelbrot kernels on pictures that fit neither groups nor lanes, for Oclgrind to watch.
#include <gtest/gtest.h>

#include "base/files/path.hpp"
#include "scenes/mandelbrot/model/renderer.hpp"

using namespace orrery;
using namespace orrery::mandelbrot;

namespace {

struct Case {
  Precision precision = Precision::single;
  std::uint32_t lanes = 1;
  std::uint32_t work_group = 4;
  Size size{13, 7};
  std::uint32_t limit = 40;
  std::uint32_t raised = 0;
  double slice = 1;
  bool detail = false;
  View view = {};
};

/// The point at which two components touch; all orbits are long.
const View root{Decimal(-1.25), Decimal(0.0), Decimal(1e-3)};

/// A picture with points of every kind, in passes and rounds, published while it is coarse and when it is complete.
void compute(const Case& c) {
  const Device device(choose_device(enumerate_devices(), ""));
  if (c.precision == Precision::double_ && !device.info().fp64) GTEST_SKIP() << "no fp64";
  ProgramLibrary programs(device, kernel_folder(), {});
  Queue queue(device);
  Kernels kernels(programs,
                  {.precision = c.precision, .detail = c.detail, .lanes = c.lanes, .work_group = c.work_group});
  Renderer renderer(device, queue, std::move(kernels));
  Frame frame = whole_frame(c.view, c.size);
  frame.limit = c.limit;
  renderer.begin(frame);
  renderer.enqueue_slice(queue, c.slice);
  const cl::Buffer surface = device.buffer(renderer.planes() * c.size.pixels() * sizeof(float));
  renderer.publish(queue, surface);
  renderer.finish_blocking(queue, c.slice);
  if (c.raised != 0) {
    renderer.raise_limit(c.raised);
    renderer.finish_blocking(queue, c.slice);
  }
  renderer.publish(queue, surface);
  const auto published = queue.read_blocking<float>(surface, c.size.pixels());
  const std::vector<Cell> cells = renderer.cells_blocking(queue);
  std::size_t interior = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    ASSERT_NE(cells[i].n, Cell::undecided);
    ASSERT_EQ(is_interior(published[i]), cells[i].interior());
    interior += cells[i].interior();
  }
  EXPECT_GT(interior, 0u);
  if (c.view == View{}) {
    EXPECT_LT(interior, cells.size());
  } else {
    EXPECT_EQ(interior, cells.size());
  }
}

}  // namespace

TEST(mandelbrot_direct, PixelsMayFillNoGroup) { compute({}); }
TEST(mandelbrot_direct, EverySmallGroupTakesOnePixelTooMany) {
  for (const std::uint32_t group : {1U, 2U, 3U, 5U, 6U, 7U, 16U})
    compute({.work_group = group, .size = {2 * group + 1, 1}});
}
TEST(mandelbrot_direct, LanesLieBesideEachOther) { compute({.lanes = 4, .work_group = 3}); }
TEST(mandelbrot_direct, DoublesAreIterated) { compute({.precision = Precision::double_, .lanes = 4, .work_group = 2}); }
TEST(mandelbrot_direct, RoundsGoOnToAHigherLimit) { compute({.limit = 90, .raised = 300}); }
TEST(mandelbrot_direct, VectorsGoOnToAHigherLimit) {
  compute({.lanes = 8, .work_group = 2, .limit = 90, .raised = 300});
}
TEST(mandelbrot_direct, LongOrbitsAreExamined) {
  compute({.work_group = 2, .size = {3, 1}, .limit = 33000, .view = root});
  compute({.precision = Precision::double_,
           .lanes = 4,
           .work_group = 2,
           .size = {5, 1},
           .limit = 33000,
           .detail = true,
           .view = root});
}
TEST(mandelbrot_direct, SlicesMayBeOfOneGroup) { compute({.size = {9, 6}, .limit = 70, .slice = 1e-9}); }
TEST(mandelbrot_direct, ARowOfPixelsIsAPicture) { compute({.size = {21, 1}}); }
TEST(mandelbrot_direct, DetailsAreKept) { compute({.limit = 90, .raised = 300, .detail = true}); }
TEST(mandelbrot_direct, DetailsAreKeptOfVectors) {
  compute({.lanes = 4, .work_group = 2, .limit = 90, .detail = true});
}
TEST(mandelbrot_direct, DetailsAreKeptOfPerturbedOrbits) {
  compute({.precision = Precision::perturbation, .limit = 90, .raised = 300, .detail = true});
}
TEST(mandelbrot_direct, LongPerturbedOrbitsAreExamined) {
  compute({.precision = Precision::perturbation,
           .work_group = 2,
           .size = {2, 1},
           .limit = 33000,
           .detail = true,
           .view = root});
}
