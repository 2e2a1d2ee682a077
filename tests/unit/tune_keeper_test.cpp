/// Results of sweeps are merged with those of other processes; a failure to save is reported once.
#include "compute/tuning/tune_keeper.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

StoredSweep sweep_of(std::string kernel) {
  StoredSweep sweep;
  sweep.of = {"platform", "device", "1.0", std::move(kernel), "any size", "cafe"};
  sweep.measured = "2026-11-21";
  sweep.candidates = {{{{"work-group", "64"}}, TuneState::measured, {}, true, {1e-3}}};
  return sweep;
}

struct TuneKeeping : testing::Test {
  fs::path folder = scratch("tune_keeper");
  std::vector<std::string> messages;
  TuneKeeping() { fs::create_directories(folder); }
  ~TuneKeeping() override { fs::remove_all(folder); }
};

TEST_F(TuneKeeping, ResultsOfAnotherProcessStay) {
  TuneKeeper keeper(messages, folder / "tuning.toml"), other(messages, folder / "tuning.toml");
  other.keep(sweep_of("theirs"));
  EXPECT_EQ(other.finish(), "");
  keeper.keep(sweep_of("ours"));
  keeper.keep(sweep_of("ours"));
  EXPECT_EQ(keeper.finish(), "");
  const TuningStore both = TuningStore::load(folder / "tuning.toml", messages);
  EXPECT_EQ(both.sweeps().size(), 2U);
  EXPECT_NE(both.find(sweep_of("theirs").of), nullptr);
  EXPECT_NE(both.find(sweep_of("ours").of), nullptr);
  EXPECT_TRUE(messages.empty());
}

TEST_F(TuneKeeping, AnUnwritableDiskIsReportedOnceAndLosesNoResult) {
  std::ofstream(folder / "file") << "no folder";
  TuneKeeper keeper(messages, folder / "file" / "tuning.toml");
  keeper.keep(sweep_of("ours"));
  const std::string told = keeper.finish();
  EXPECT_NE(told.find("the results cannot be saved: "), std::string::npos) << told;
  keeper.keep(sweep_of("ours"));
  EXPECT_EQ(keeper.finish(), "");
  EXPECT_NE(keeper.store().find(sweep_of("ours").of), nullptr);
}

}  // namespace
}  // namespace orrery
