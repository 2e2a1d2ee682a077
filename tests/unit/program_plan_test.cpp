/// The plan lists exactly the programs that are built.
#include "compute/program/program_plan.hpp"

#include <gtest/gtest.h>

#include "scenes/mandelbrot/model/kernels.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"
#include "scenes/nbody/window/preparation.hpp"
#include "scenes/particles/window/preparation.hpp"

namespace orrery {
namespace {

class Plans : public testing::Test {
 protected:
  // The plan contains exactly the programs that the library has built.
  void expect_whole(const Announced<ProgramPlan>& announced) const {
    const auto plan = announced.told();
    ASSERT_NE(plan, nullptr);
    EXPECT_GT(plan->size(), 1U);
    EXPECT_EQ(plan->built(), plan->size());
    EXPECT_EQ(programs.built().size(), plan->size());
    EXPECT_EQ(plan->status(), "");
  }

  Device device{choose_device(enumerate_devices(), "")};
  ProgramLibrary programs{device};
};

TEST_F(Plans, CountTheProgramsBuilt) {
  const ProgramPlan plan(
      ProgramPlan::parts(programs, {{"random.cl", {}}, {"mandelbrot_histogram.cl", {}}, {"random.cl", {}}}));
  EXPECT_EQ(plan.status(), "building kernels: 1 of 2, only once");
  EXPECT_EQ(plan.status("the laws"), "building the laws: 1 of 2, only once");
  (void)programs.build({"mandelbrot_histogram.cl", {}});
  EXPECT_EQ(plan.status(), "building kernels: 2 of 2, only once");
  (void)programs.build({"random.cl", {}});
  EXPECT_EQ(plan.status(), "");
}

TEST_F(Plans, AreWholeForBodies) {
  for (const char* const precision : {"single", "mixed"}) {
    NbodySettings settings;
    settings.bodies = 500;
    settings.precision = precision;
    Announced<ProgramPlan> plan;
    ProgramLibrary fresh(device);
    std::array<ProgramLibrary*, 1> devices{&fresh};
    (void)prepare_nbody(devices, settings, {}, nullptr, &plan);
    ASSERT_NE(plan.told(), nullptr);
    EXPECT_EQ(plan.told()->built(), plan.told()->size());
    EXPECT_EQ(fresh.built().size(), plan.told()->size()) << precision;
  }
}

class PlansOfWorlds : public Plans, public testing::WithParamInterface<const char*> {};

TEST_P(PlansOfWorlds, AreWhole) {
  ParticlesSettings settings;
  settings.world = GetParam();
  Announced<ProgramPlan> plan;
  (void)prepare_particles(programs, {settings, nullptr, {}, {}, {}}, &plan);
  ASSERT_NE(plan.told(), nullptr);
  EXPECT_EQ(plan.told()->built(), plan.told()->size());
  EXPECT_EQ(programs.count(), plan.told()->size());  // built() excludes the programs of laws
}

INSTANTIATE_TEST_SUITE_P(, PlansOfWorlds, testing::Values("argon", "water", "polymer", "cloth"));

TEST_F(Plans, AreWholeForEditedLaws) {
  ParticlesSettings settings;
  settings.world = "argon";
  const PreparedParticles running = prepare_particles(programs, {settings, nullptr, {}, {}, {}});
  EditedLaws laws = laws_of(*running.world);
  laws.pairs.front().snippet += " energy += 1; /* typed */";
  laws.pairs.front().cutoff = 2;
  for (const bool other_cutoff : {false, true}) {
    Announced<ProgramPlan> plan;
    ProgramLibrary fresh(device);
    (void)prepare_laws(fresh, {running.world, laws, running.engine, other_cutoff}, plan);
    ASSERT_NE(plan.told(), nullptr);
    EXPECT_EQ(plan.told()->built(), plan.told()->size());
    EXPECT_EQ(fresh.count(), plan.told()->size()) << other_cutoff;
  }
}

class PlansOfPictures : public Plans, public testing::WithParamInterface<mandelbrot::Precision> {};

TEST_P(PlansOfPictures, AreWhole) {
  const mandelbrot::Variant variant =
      mandelbrot::choose_variant(device.info(), {.precision = GetParam()}, {}, mandelbrot::Purpose::picture, false);
  Announced<ProgramPlan> plan;
  plan.tell(std::make_shared<const ProgramPlan>(
      ProgramPlan::parts(programs, mandelbrot::Kernels::programs(device, variant))));
  const mandelbrot::Kernels kernels(programs, variant);
  expect_whole(plan);
}

INSTANTIATE_TEST_SUITE_P(, PlansOfPictures,
                         testing::Values(mandelbrot::Precision::single, mandelbrot::Precision::perturbation,
                                         mandelbrot::Precision::ladder));

}  // namespace
}  // namespace orrery
