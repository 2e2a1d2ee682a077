/// Two ways of computing one state: equal ways agree to the last bit, the error of a wrong kernel is measured, and
/// times add up.
#include "compute/measure/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/files/path.hpp"
#include "bench.hpp"
#include "compute/device/device.hpp"
#include "scenes/mandelbrot/output/comparison.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/comparison.hpp"

namespace orrery {
namespace {

const Device& device() {
  static const Device instance(choose_device(enumerate_devices(), ""));
  return instance;
}

ProgramLibrary& programs() {
  static ProgramLibrary library = uncached_programs(device());
  return library;
}

const BetweenSlices nothing = [](double) {};

double difference(const Comparison& comparison, const std::string& name) {
  for (const ComparedResult& each : comparison.differences)
    if (each.name == name) return each.value;
  ADD_FAILURE() << name;
  return 0;
}

/// A copy of the kernels in which one text of a file is replaced.
class ChangedKernels {
 public:
  ChangedKernels(const std::string& file, const std::string& from, const std::string& to)
      : folder_(std::filesystem::temp_directory_path() / ("orrery-changed-" + std::to_string(getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(kernel_folder(), folder_, std::filesystem::copy_options::recursive);
    const std::filesystem::path changed_file = find_below(folder_, file);
    std::stringstream text;
    text << std::ifstream(changed_file).rdbuf();
    std::string changed = text.str();
    const std::size_t at = changed.find(from);
    if (at == std::string::npos) throw std::runtime_error("the kernel has no " + from);
    std::ofstream(changed_file) << changed.replace(at, from.size(), to);
  }
  ~ChangedKernels() { std::filesystem::remove_all(folder_); }
  ChangedKernels(const ChangedKernels&) = delete;
  ChangedKernels& operator=(const ChangedKernels&) = delete;
  ProgramLibrary library() const { return {device(), folder_, {}}; }

 private:
  std::filesystem::path folder_;
};

NbodySettings settings(const std::string& precision = "single") {
  NbodySettings result;
  result.precision = precision;
  result.forces = "gather";
  result.dt = 1e-3;
  return result;
}

Bodies some_bodies() { return make_bodies("plummer", 500, 500, 7); }

mandelbrot::View view(double re, double im, double span) { return {Decimal(re), Decimal(im), Decimal(span)}; }

TEST(Comparison, OtherWorkGroupsGiveTheSameBits) {
  NbodySettings other = settings();
  other.work_group = 16;
  const Comparison comparison = compare_nbody({&programs(), &programs()}, {settings(), other}, some_bodies(), nothing);
  EXPECT_TRUE(comparison.same_bits);
  for (const ComparedResult& each : comparison.differences) EXPECT_EQ(each.value, 0) << each.name;
}

TEST(Comparison, KernelsTakeNoMoreThanTheWhole) {
  const Comparison comparison =
      compare_nbody({&programs(), &programs()}, {settings(), settings()}, some_bodies(), nothing);
  ASSERT_GE(comparison.kernels.size(), 2U);
  for (std::size_t side = 0; side < 2; ++side) {
    double seconds = 0;
    for (const ComparedKernel& kernel : comparison.kernels) {
      EXPECT_GT(kernel.launches[side], 0) << kernel.name;
      EXPECT_LE(kernel.seconds[side].least, kernel.seconds[side].median) << kernel.name;
      EXPECT_LE(kernel.seconds[side].median, kernel.seconds[side].most) << kernel.name;
      seconds += kernel.seconds[side].least;
    }
    EXPECT_GT(seconds, 0);
    EXPECT_LE(seconds, comparison.whole[side].most);
  }
}

TEST(Comparison, SinglePrecisionDiffersByItsRounding) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const Comparison comparison =
      compare_nbody({&programs(), &programs()}, {settings(), settings("double")}, some_bodies(), nothing);
  EXPECT_FALSE(comparison.same_bits);
  EXPECT_GT(difference(comparison, "Positions, median"), 1e-10);
  EXPECT_LT(difference(comparison, "Positions, median"), 1e-5);
}

// Two bodies at rest: with half the pull each moves half as far, as long as they have hardly moved.
TEST(Comparison, TheErrorOfAWrongKernelIsMeasured) {
  const ChangedKernels half("nbody_force.clh", "source.w * inverse_cube(r2)",
                            "(real)0.5 * source.w * inverse_cube(r2)");
  ProgramLibrary wrong = half.library();
  NbodySettings slow = settings();
  slow.dt = 1e-4;
  slow.softening = 1e-4;  // without softening, another kernel sums
  const double apart = 2;
  const Bodies two{{.mass = 1, .x = -apart / 2}, {.mass = 1, .x = apart / 2}};
  const Comparison comparison = compare_nbody({&programs(), &wrong}, {slow, slow}, two, nothing);
  const double time = slow.dt * std::stod(comparison.work.substr(comparison.work.find(", ") + 2));
  const double expected = 0.5 * time * time / (apart * apart) / 2;
  EXPECT_FALSE(comparison.same_bits);
  EXPECT_NEAR(difference(comparison, "Positions, largest") * extent_of(two) / expected, 1, 0.02);
}

TEST(Comparison, PicturesOfOtherWorkGroupsAreTheSame) {
  const mandelbrot::ComparedPicture picture{.view = view(-0.6, 0.0, 3.0), .size = {96, 64}, .limit = 300};
  MandelbrotSettings other;
  other.work_group = 8;
  const Comparison comparison =
      mandelbrot::compare_pictures({&programs(), &programs()}, {MandelbrotSettings{}, other}, picture, nothing);
  EXPECT_TRUE(comparison.same_bits);
  EXPECT_EQ(comparison.unit, "picture");
}

TEST(Comparison, APictureWithTooFewDigitsIsRecognised) {
  if (!device().info().fp64) GTEST_SKIP() << "the device has no doubles";
  const mandelbrot::ComparedPicture picture{
      .view = view(-0.743643887, 0.131825904, 1e-6), .size = {96, 64}, .limit = 2000};
  MandelbrotSettings single, double_;
  single.precision = "single";
  double_.precision = "double";
  const Comparison comparison =
      mandelbrot::compare_pictures({&programs(), &programs()}, {single, double_}, picture, nothing);
  EXPECT_FALSE(comparison.same_bits);
  EXPECT_GT(difference(comparison, "ν differs by more than 0.001"), 0.1);
}

TEST(Comparison, CanBeCancelledBetweenSlices) {
  struct Enough {};
  int asked = 0;
  const BetweenSlices stop = [&asked](double) {
    if (++asked == 3) throw Enough();
  };
  EXPECT_THROW(compare_nbody({&programs(), &programs()}, {settings(), settings()}, some_bodies(), stop), Enough);
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace orrery
