/// "auto" takes what tuning has found, where that leaves the digits alone and somebody has not asked for something else.
#include "compute/tuned.hpp"

#include <gtest/gtest.h>

#include "base/path.hpp"
#include "compute/program.hpp"
#include "model/mandelbrot/kernels.hpp"
#include "model/nbody/tuning.hpp"

namespace orrery {
namespace {

struct Tuned : testing::Test {
  DeviceInfo device = choose_device(enumerate_devices(), "");
  NbodySettings settings;
  static constexpr std::size_t bodies = 3000;
  NbodyVariant standard = standard_variant(device, settings, bodies);
  ~Tuned() override { use_tuned(nullptr); }

  void tune(const std::string& kernel, const std::string& problem, std::vector<std::string> files, NamedTuneValues choice) {
    const TuneSubject subject{kernel, problem, files, 1, ""};
    StoredSweep sweep{.of = identity_of(device, subject, source_hash(kernel_folder(), files)), .files = files, .measured = {}};
    sweep.choice = std::move(choice);
    TuningStore store;
    store.put(std::move(sweep));
    use_tuned(std::make_shared<const TunedChoices>(store, kernel_folder()));
  }
  void tune_nbody(std::size_t work_group, std::size_t lanes) {
    const TuneSpace space = nbody_tune_space(device, standard);
    NamedTuneValues choice{{"forces", standard.forces == Forces::pairs ? "pairs" : "gather"}, {"unroll", "4"}};
    choice["work-group"] = std::to_string(work_group);
    choice["lanes"] = std::to_string(lanes);
    choice["tile"] = standard.tile == 0 ? "own" : std::to_string(standard.tile);
    ASSERT_TRUE(space.values(choice));
    tune(tuned_kernel(Precision::single), tuned_problem(bodies), {"nbody_gather.cl", "nbody_pairs.cl"}, choice);
  }
};

TEST_F(Tuned, NothingIsTakenWhereNobodyHasTuned) { EXPECT_EQ(nbody_variant(device, settings, bodies), standard); }

TEST_F(Tuned, AutoTakesTheGroupAndTheUnrolling) {
  tune_nbody(64, standard.lanes);
  const NbodyVariant variant = nbody_variant(device, settings, bodies);
  EXPECT_EQ(variant.work_group, 64U);
  EXPECT_EQ(variant.unroll, 4U);
  EXPECT_EQ(variant.lanes, standard.lanes);
  EXPECT_EQ(nbody_variant(device, settings, 5000), standard_variant(device, settings, 5000)) << "another class";
  settings.precision = "mixed";
  EXPECT_EQ(nbody_variant(device, settings, bodies).work_group, 64U) << "mixed precision sums in single";
}

TEST_F(Tuned, AGroupThatSomebodyAskedForIsTheirs) {
  tune_nbody(64, standard.lanes);
  settings.work_group = 32;
  EXPECT_EQ(nbody_variant(device, settings, bodies).work_group, 32U);
}

TEST_F(Tuned, WhatWouldChangeBitsIsLeftAlone) {
  tune_nbody(64, standard.lanes == 1 ? 2 : 1);
  EXPECT_EQ(nbody_variant(device, settings, bodies), standard);
}

TEST_F(Tuned, DirectIterationTakesItsOwn) {
  using namespace mandelbrot;
  const Variant usual = mandelbrot::standard_variant(device, mandelbrot::Precision::single, 0);
  tune("mandelbrot, single", "boundary", {"mandelbrot.cl"},
       {{"work-group", "64"}, {"lanes", std::to_string(usual.lanes)}, {"unroll", "16"}});
  const Variant variant = choose_variant(device, mandelbrot::Precision::single, 0);
  EXPECT_EQ(variant.work_group, 64U);
  EXPECT_EQ(variant.unroll, 16U);
  EXPECT_EQ(choose_variant(device, mandelbrot::Precision::single, 8).unroll, usual.unroll) << "asked for";
  EXPECT_EQ(choose_variant(device, mandelbrot::Precision::perturbation, 0).work_group,
            mandelbrot::standard_variant(device, mandelbrot::Precision::perturbation, 0).work_group);
}

}  // namespace
}  // namespace orrery
