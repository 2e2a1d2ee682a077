/// Samples of a picture that are computed together have the same bits as each sample alone.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <tuple>

#include "oracle/mandelbrot_on_device.hpp"
#include "scenes/mandelbrot/output/picture.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"

namespace orrery::mandelbrot {
namespace {

/// One sample of a picture.
struct Shown {
  std::vector<double> values;
  std::vector<float> details, published;
};

std::vector<float> bits_of(const std::vector<float>& numbers) {  // NaN is equal to nothing
  std::vector<float> all = numbers;
  for (float& number : all)
    if (std::isnan(number)) number = -7;
  return all;
}

class MandelbrotStack : public MandelbrotOnDevice {
 protected:
  static std::vector<Shown> shown(const Frame& frame, const Kernels& kernels) {
    Queue queue(device());
    Renderer renderer(device(), queue, kernels);
    renderer.begin(frame);
    while (!renderer.idle()) renderer.finish_blocking(queue, 1);
    const std::vector<Cell> cells = renderer.cells_blocking(queue);
    const std::vector<float> details = renderer.details_blocking(queue);
    const std::size_t pixels = frame.part().pixels();
    EXPECT_EQ(cells.size(), pixels * frame.samples);
    EXPECT_EQ(renderer.progress().decided, cells.size());
    std::vector<Shown> all(frame.samples);
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (std::size_t i = k * pixels; i < (k + 1) * pixels; ++i) all[k].values.push_back(cells[i].value());
      if (!details.empty())
        all[k].details = bits_of({details.begin() + static_cast<std::ptrdiff_t>(k * pixels),
                                  details.begin() + static_cast<std::ptrdiff_t>((k + 1) * pixels)});
      const cl::Buffer surface = device().buffer(renderer.planes() * pixels * sizeof(float));
      renderer.publish(queue, surface, static_cast<std::uint32_t>(k));
      all[k].published = bits_of(queue.read_blocking<float>(surface, renderer.planes() * pixels));
      for (float& value : all[k].published)  // proved or at the limit: depends on the rounds
        if (is_interior(value)) value = interior_value;
    }
    return all;
  }

  // Some rows of a picture, from `first` on; limit 0: automatic.
  static void expect_same(const View& view, const std::string& precision, std::uint32_t limit, bool detail = false,
                          std::uint32_t first = 3) {
    SCOPED_TRACE(precision + " at " + view.re.text() + ", span " + view.span.text());
    const Size size{37, 23};
    const PrecisionChoice choice = choose_precision(precision, view, size, fp64(), Purpose::picture);
    const Kernels kernels(programs(), choose_variant(device().info(), choice, {}, Purpose::picture, detail));
    Frame frame = whole_frame(view, size);
    frame.automatic = limit == 0;
    frame.limit = std::max(limit, 1000U);
    frame.first_row = first;
    frame.rows = size.height - 2 * first;
    for (const auto& [from, count] : {std::pair{0, 3U}, std::pair{5, most_stacked}}) {
      const std::vector<Shown> together = shown(with_samples(frame, from, count), kernels);
      for (std::uint32_t k = 0; k < count; ++k) {
        const Shown alone = shown(with_samples(frame, from + static_cast<int>(k), 1), kernels).front();
        EXPECT_EQ(together[k].values, alone.values) << "sample " << from << " + " << k;
        EXPECT_EQ(together[k].details, alone.details) << "sample " << from << " + " << k;
        EXPECT_EQ(together[k].published, alone.published) << "sample " << from << " + " << k;
      }
      EXPECT_NE(together[0].values, together[1].values) << "samples lie in different places";
    }
  }
};

View view_at(const std::string& re, const std::string& im, const std::string& span) {
  return {.re = Decimal::parse(re, "re"), .im = Decimal::parse(im, "im"), .span = Decimal::parse(span, "span")};
}

TEST_F(MandelbrotStack, SamplesOfDirectIterationHaveTheBitsOfEachAlone) {
  for (const bool detail : {false, true}) {
    expect_same(view_at("-0.5", "0", "3.2"), "single", 300, detail);
    if (fp64()) expect_same(view_at("-0.7436", "0.1318", "1e-4"), "double", 40000, detail);
  }
}

TEST_F(MandelbrotStack, SamplesOfPerturbedOrbitsHaveTheBitsOfEachAlone) {
  for (const bool detail : {false, true}) {
    expect_same(view_at("-0.77568377", "0.13646737", "1e-8"), "perturbation", 3000, detail);
    expect_same(view_at("0", "1", "1e-18"), "perturbation", 3000, detail);
    expect_same(view_at("-1.7499999", "0", "1e-8"), "perturbation", 40000, detail);
  }
  expect_same(view_at("0", "1", "1e-400"), "perturbation", 4000);
}

// Only the first sample of a picture on the axis has a row of it.
TEST_F(MandelbrotStack, TheAxisBelongsToTheSampleThatLiesOnIt) {
  expect_same(view_at("-1.5", "0", "1e-3"), "perturbation", 500, false, 0);
  expect_same(view_at("-1.5", "0", "1e-3"), fp64() ? "double" : "single", 500, false, 0);
}

TEST_F(MandelbrotStack, SamplesOfLaddersHaveTheBitsOfEachAlone) {
  if (!fp64()) GTEST_SKIP() << "ladders in pairs of floats are slow";
  expect_same(view_at(feigenbaum, "0", "1e-30"), "ladder", 0);
  expect_same(view_at("0.2500000001", "0", "4e-15"), "cusp", 1U << 20);
}

// Samples follow their picture in this way when its proof has asked for finer steps.
TEST_F(MandelbrotStack, ARendererThatFollowsAnotherOneComputesTheSame) {
  const Kernels kernels = [&] {
    const View view = view_at("0", "1", "1e-18");
    const PrecisionChoice choice = choose_precision("perturbation", view, {37, 23}, fp64(), Purpose::picture);
    return Kernels(programs(), choose_variant(device().info(), choice, {}, Purpose::picture, false));
  }();
  Queue queue(device());
  Renderer first(device(), queue, kernels), second(device(), queue, kernels);
  const auto values = [&](Renderer& renderer, const View& view) {
    Frame frame = whole_frame(view, {37, 23});
    frame.limit = 3000;
    renderer.begin(frame);
    renderer.finish_blocking(queue, 1);
    std::vector<double> values;
    for (const Cell& cell : renderer.cells_blocking(queue)) values.push_back(cell.value());
    return values;
  };
  const View view = view_at("-0.77568377", "0.13646737", "1e-8"), elsewhere = view_at("0", "1", "1e-18");
  const std::vector<double> usual = values(first, view), there = values(first, elsewhere);
  first.set_epsilon(0x1p-12);
  const std::vector<double> rough = values(first, view);
  EXPECT_NE(usual, rough);
  second.follow(first);
  EXPECT_EQ(values(second, view), rough);
  // When one renderer changes its view or steps, the other keeps the orbit and the table that they shared.
  second.set_epsilon(0);
  EXPECT_EQ(values(second, elsewhere), there);
  EXPECT_EQ(values(first, view), rough);
  second.follow(first);
  second.set_epsilon(0);
  EXPECT_EQ(values(second, view), usual);
  first.set_epsilon(0);
  EXPECT_EQ(values(first, view), usual);
}

// A GPU begins further parts of a picture, in separate queues, during the last few pixels of the previous ones.
TEST_F(MandelbrotStack, PartsThatAGpuComputesSideBySideHaveTheBitsOfOneAfterAnother) {
  DeviceInfo info = device().info();
  info.device_class = DeviceClass::gpu;
  info.compute_units = 2;  // 512 pixels are few
  const Device gpu(info, device().handle(), device().context());
  for (const auto& [view, precision, limit] :
       {std::tuple{view_at("-0.7436", "0.1318", "3e-3"), fp64() ? "double" : "single", 60000U},
        std::tuple{view_at("0", "1", "1e-18"), "perturbation", 3000U},
        std::tuple{view_at("-1.7499999", "0", "1e-8"), "perturbation", 40000U}}) {
    const PictureRequest request{.view = view, .size = {96, 64}, .limit = limit, .samples = 45, .slice_seconds = 1e-4};
    const PrecisionChoice choice = choose_precision(precision, view, request.size, fp64(), Purpose::picture);
    const Kernels kernels(programs(), choose_variant(device().info(), choice, {}, Purpose::picture, false));
    std::array<std::vector<double>, 2> values;
    std::array<PictureResult, 2> results;
    for (const std::size_t k : {0U, 1U}) {
      int expected = 0;
      const auto take = [&](const Band&, std::span<const Cell> cells, int sample) {
        EXPECT_EQ(sample, expected++);
        for (const Cell& cell : cells) values[k].push_back(cell.value());
      };
      results[k] = compute_picture(k == 0 ? device() : gpu, kernels, request, limit, take, [](double) { return true; });
      EXPECT_EQ(expected, request.samples);
    }
    EXPECT_EQ(values[0], values[1]) << view.re.text();
    EXPECT_EQ(results[0].interior, results[1].interior);
  }
}

}  // namespace
}  // namespace orrery::mandelbrot
