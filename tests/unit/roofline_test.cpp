#include "compute/measure/roofline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/files/file.hpp"
#include "compute/measure/ceilings_store.hpp"
#include "compute/queue/profiler.hpp"
#include "scenes/nbody/model/kernels.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

constexpr Ceilings device{.multiply_adds = 1e12,
                          .multiply_adds_double = 5e11,
                          .roots = 1e11,
                          .read_bytes = 1e11,
                          .copy_bytes = 9e10,
                          .local_bytes = 1e12,
                          .launch_seconds = 1e-5,
                          .launch_interval = 5e-6};

RooflinePlace place(double operations, double bytes, double median_us = 100, bool doubles = false) {
  KernelStatistics kernel;
  kernel.operations_per_second = operations;
  kernel.bytes_per_second = bytes;
  kernel.median_us = median_us;
  kernel.doubles = doubles;
  return roofline_place(kernel, device);
}

TEST(Roofline, AKernelIsBoundByTheRoofThatIsNearest) {
  EXPECT_EQ(place(8e11, 1e9).bound, Bound::compute);
  EXPECT_DOUBLE_EQ(place(8e11, 1e9).fraction, 0.8);
  EXPECT_DOUBLE_EQ(place(8e11, 1e9).intensity, 800);
  EXPECT_EQ(place(1e11, 7e10).bound, Bound::memory);
  EXPECT_DOUBLE_EQ(place(1e11, 7e10).fraction, 0.7);
  EXPECT_EQ(place(3e11, 1e10).bound, Bound::latency) << "far from both";
  EXPECT_EQ(place(3e11, 1e10, 3).bound, Bound::launch) << "shorter than a launch takes";
  EXPECT_DOUBLE_EQ(place(4e11, 1e9, 100, true).fraction, 0.8) << "of the roof of doubles";
}

TEST(Roofline, NoWorkTakesLessTimeThanUnderTheNearerRoof) {
  EXPECT_DOUBLE_EQ(least_seconds({1e9, {800, 1}, false}, device), 0.8);
  EXPECT_DOUBLE_EQ(least_seconds({1e9, {400, 1}, true}, device), 0.8) << "under the roof of doubles";
  EXPECT_DOUBLE_EQ(least_seconds({1e9, {100, 70}, false}, device), 0.7);
  EXPECT_EQ(least_seconds(Work(1e9), device), 0);
  EXPECT_EQ(least_seconds({1e9, {800, 1}, true}, Ceilings{.multiply_adds = 1e12}), 0) << "no double precision";
}

TEST(Roofline, UnknownWorkIsNotGuessed) {
  const double unknown = KernelStatistics::unknown;
  EXPECT_EQ(place(unknown, unknown).bound, Bound::unknown);
  EXPECT_TRUE(std::isnan(place(unknown, unknown).fraction));
  EXPECT_EQ(place(unknown, 9e10).bound, Bound::memory);
  EXPECT_TRUE(std::isnan(place(unknown, 9e10).intensity));
  EXPECT_EQ(roofline_place({}, {}).bound, Bound::unknown);
}

// A number type that counts its operations.
struct Counting {
  static inline int operations, roots;
  friend Counting operator-(Counting, Counting) { return ++operations, Counting(); }
  friend Counting operator*(Counting, Counting) { return ++operations, Counting(); }
};
Counting multiply_add(Counting, Counting, Counting) { return ++Counting::operations, Counting(); }
Counting root(Counting) { return ++Counting::roots, Counting(); }

TEST(Roofline, AnInteractionCostsTheOperationsOfItsFormula) {
  // a_i = Σ m_j r_ij (r² + ε²)^{-3/2}, as nbody_force.clh writes it
  Counting x, y, z, m, ax, ay, az, softening;
  Counting::operations = Counting::roots = 0;
  const Counting dx = x - x, dy = y - y, dz = z - z;
  const Counting r2 = multiply_add(dx, dx, multiply_add(dy, dy, multiply_add(dz, dz, softening)));
  const Counting over_r = root(r2), strength = m * (over_r * over_r * over_r);
  ax = multiply_add(strength, dx, ax);
  ay = multiply_add(strength, dy, ay);
  az = multiply_add(strength, dz, az);
  EXPECT_EQ(Counting::roots, 1);
  DeviceInfo gpu;
  gpu.device_class = DeviceClass::gpu;
  NbodyVariant variant;
  variant.work_group = 128;
  variant.lanes = 2;
  const UnitCost cost = interaction_cost(gpu, variant);
  EXPECT_GE(cost.operations, Counting::operations + 1) << "the root is issued as well";
  EXPECT_LE(cost.operations, Counting::operations + 1.5);
  EXPECT_DOUBLE_EQ(cost.bytes, 16.0 / 256) << "a float4 serves a group";
}

TEST(Ceilings, AreKeptForEachDeviceAndDriver) {
  const std::filesystem::path folder = scratch("ceilings"), file = folder / "ceilings.toml";
  std::filesystem::create_directories(folder);
  DeviceInfo one, other;
  one.platform = other.platform = "P";
  one.name = "One \"quoted\"";
  other.name = "Other";
  one.driver = other.driver = "1.0";
  EXPECT_FALSE(kept_ceilings(file, one));
  keep_ceilings(file, one, device);
  keep_ceilings(file, other, {.multiply_adds = 7});
  ASSERT_TRUE(kept_ceilings(file, one));
  EXPECT_EQ(kept_ceilings(file, one)->launch_interval, device.launch_interval);
  EXPECT_EQ(kept_ceilings(file, other)->multiply_adds, 7);
  one.driver = "2.0";
  EXPECT_FALSE(kept_ceilings(file, one)) << "another driver is measured anew";
  keep_ceilings(file, one, device);
  one.driver = "1.0";
  EXPECT_FALSE(kept_ceilings(file, one)) << "replaced";
  write_file(file, "not toml [");
  EXPECT_FALSE(kept_ceilings(file, other));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace orrery
