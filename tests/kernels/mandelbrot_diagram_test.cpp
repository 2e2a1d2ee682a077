// The kernels of the bifurcation diagram, with memory accesses and races checked.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/files/path.hpp"
#include "compute/device/device.hpp"
#include "compute/program/program.hpp"
#include "scenes/mandelbrot/model/diagram.hpp"

namespace orrery::mandelbrot {
namespace {

struct Seen {
  const char *re, *span;
  DiagramWay way;
};

TEST(mandelbrot_diagram, counts_visits_in_every_way) {
  const Device device(choose_device(enumerate_devices(), ""));
  ProgramLibrary programs(device, kernel_folder(), {});
  const auto kernels = std::make_shared<DiagramKernels>(programs, Formula{});
  Queue queue(device);
  for (const auto& [re, span, way] : {Seen{"-0.8", "0.01", DiagramWay::plain},
                                      Seen{"-1.401155189092050600523826787893861292", "1e-12", DiagramWay::ladder},
                                      Seen{"-1.754877666246692760049508896358", "1e-18", DiagramWay::perturbed}}) {
    SCOPED_TRACE(re);
    const View view{Decimal::parse(re, "re"), Decimal(), Decimal::parse(span, "span")};
    constexpr std::uint32_t columns = 2, rows = 5;
    const auto cascade = std::make_shared<const RealCascade>(*find_cascade(view, columns, Depth::scales, {}));
    Diagram diagram(device, kernels);
    ASSERT_TRUE(diagram.begin(queue, diagram_frame(view, columns, rows, cascade)));
    EXPECT_EQ(diagram.way(), way);
    // Launches until visits are counted; the other ways search for cycles first.
    for (int launch = 0; launch < (way == DiagramWay::ladder ? 2 : 5); ++launch) diagram.enqueue(queue, 1e9);
    const cl::Buffer buffer = device.buffer(columns * rows * sizeof(float));
    diagram.publish(queue, buffer);
    const std::vector<float> values = queue.read_blocking<float>(buffer, columns * rows);
    for (std::uint32_t column = 0; column < columns; ++column) {
      float sum = 0;
      for (std::uint32_t row = 0; row < rows; ++row) sum += values[row * columns + column];
      EXPECT_TRUE(sum == 0 || std::abs(sum - rows) < 1e-4F) << column;  // the mean is 1
    }
    EXPECT_GT(std::accumulate(values.begin(), values.end(), 0.0F), 0);
  }
}

}  // namespace
}  // namespace orrery::mandelbrot
