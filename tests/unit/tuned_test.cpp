/// "auto" takes the tuned values that do not change bits, unless the user requests others.
#include "compute/tuning/tuned.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "compute/program/program.hpp"
#include "compute/tuning/tune_catalog.hpp"
#include "scenes/mandelbrot/checks/catalog.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"
#include "scenes/mandelbrot/tuning/tuning.hpp"
#include "scenes/nbody/checks/catalog.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery {
namespace {

struct Tuned : testing::Test {
  DeviceInfo device = choose_device(enumerate_devices(), "");
  NbodySettings settings;
  static constexpr std::size_t bodies = 3000;
  NbodyVariant standard = standard_variant(device, settings, bodies);
  ~Tuned() override { use_tuned(nullptr); }

  void tune(const std::string& kernel, const std::string& problem, std::vector<std::string> files,
            NamedTuneValues choice) {
    const TuneSubject subject{kernel, problem, files, 1, ""};
    StoredSweep sweep{
        .of = identity_of(device, subject, source_hash(kernel_folder(), files)), .files = files, .measured = {}};
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

TEST_F(Tuned, NothingIsChosenWithoutTuning) { EXPECT_EQ(nbody_variant(device, settings, bodies), standard); }

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

// Describes a device that this machine may not have.
DeviceInfo some_nvidia() {
  DeviceInfo device;
  device.vendor = "NVIDIA Corporation";
  device.name = "A GPU";
  device.device_class = DeviceClass::gpu;
  device.max_work_group = 1024;
  device.max_work_items = {1024, 1024, 64};
  device.local_bytes = 48 << 10;
  device.fp64 = true;
  return device;
}

std::optional<TuneQuestion> question_about(const DeviceInfo& device, const std::string& kernel) {
  for (const TuneCatalog* catalog : {&nbody_tune_catalog(), &mandelbrot::tune_catalog()})
    for (const std::string& each : catalog->kernels(device)) {
      TuneQuestion question = catalog->question(device, {.catalog = catalog, .kernel = each, .size = 65536});
      if (question.subject.kernel == kernel) return question;
    }
  return std::nullopt;
}

TEST_F(Tuned, ShippedChoicesCountWithoutTuning) {
  const auto shipped =
      std::make_shared<const std::vector<ShippedChoice>>(read_shipped_choices(asset_folder() / "tuning.toml"));
  ASSERT_FALSE(shipped->empty());
  const DeviceInfo nvidia = some_nvidia();
  using mandelbrot::Precision;
  const auto group = [&](const DeviceInfo& d) {
    return mandelbrot::choose_variant(d, Precision::double_, 0).work_group;
  };
  const std::uint32_t own = group(nvidia);
  use_shipped(shipped);
  EXPECT_EQ(group(nvidia), 128U);
  EXPECT_NE(own, 128U) << "it would say what the kernel does anyway";
  DeviceInfo other = nvidia;
  other.vendor = "Another";
  EXPECT_EQ(group(other), own);
  DeviceInfo part = nvidia;
  part.parts = 2;
  EXPECT_EQ(group(part), own);
  use_shipped(nullptr);
  // Each choice is an existing variant and does not change bits.
  for (const ShippedChoice& choice : *shipped) {
    DeviceInfo fitting = nvidia;
    fitting.device_class = choice.device_class;
    if (choice.device_class == DeviceClass::cpu) fitting.preferred_float_width = fitting.preferred_double_width = 8;
    const auto question = question_about(fitting, choice.kernel);
    ASSERT_TRUE(question) << choice.kernel;
    const auto values = question->space.values(choice.values);
    ASSERT_TRUE(values) << choice.kernel;
    for (std::size_t k = 0; k < question->space.axes.size(); ++k) {
      if (question->space.axes[k].name == "lanes") {
        EXPECT_EQ((*values)[k], question->standard[k]) << choice.kernel;
      }
    }
  }
}

TEST_F(Tuned, ShippedChoicesAreReadWithPlaces) {
  const auto file = std::filesystem::temp_directory_path() / "orrery-shipped-test.toml";
  for (const auto& [text, place] :
       {std::pair{"[[default]]\nvendor = 'x'\n", ":1:"}, {"\n\n= 3\n", ":3:"}, {"\ndefault = [ 3 ]\n", ":2:"}}) {
    std::ofstream(file) << text;
    try {
      (void)read_shipped_choices(file);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(error.details().where.find(place), std::string::npos) << error.what();
    }
  }
  std::filesystem::remove(file);
}

TEST_F(Tuned, ARequestedGroupSizeWins) {
  tune_nbody(64, standard.lanes);
  settings.work_group = 32;
  EXPECT_EQ(nbody_variant(device, settings, bodies).work_group, 32U);
}

TEST_F(Tuned, ChoicesThatChangeBitsAreIgnored) {
  tune_nbody(64, standard.lanes == 1 ? 2 : 1);
  EXPECT_EQ(nbody_variant(device, settings, bodies), standard);
}

TEST_F(Tuned, DirectIterationUsesItsOwnChoices) {
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
