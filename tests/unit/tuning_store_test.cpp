/// The file of tuning results: stale results are recognised, and a full disk or a damaged file loses none.
#include "compute/tuning/tuning_store.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "compute/program/program.hpp"
#include "compute/tuning/tuned.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

DeviceInfo some_gpu() {
  DeviceInfo info;
  info.platform = "Some platform";
  info.name = "Some GPU \"X\"";
  info.driver = "535.1";
  return info;
}

const TuneSubject subject{"force", "1024 … 2047 bodies", {"a.cl"}, 1, "interactions"};

StoredSweep some_sweep(std::string source = "cafe") {
  StoredSweep sweep{.of = identity_of(some_gpu(), subject, std::move(source)),
                    .files = {"a.cl"},
                    .measured = "2026-11-21",
                    .complete = true,
                    .host_times = true,
                    .work = 1e6 / 3,
                    .standard = {{"work-group", "64"}},
                    .best = {{"work-group", "256"}},
                    .choice = {{"work-group", "128"}}};
  sweep.candidates = {{{{"work-group", "64"}}, TuneState::measured, {}, true, {1.25e-3, 1.5e-3}},
                      {{{"work-group", "128"}}, TuneState::slower, {}, true, {0.1 + 0.2}},
                      {{{"work-group", "256"}}, TuneState::wrong, "body 7 is \"off\"\nby 3 %", false, {}}};
  return sweep;
}

struct Folder : testing::Test {
  fs::path folder = scratch("tuning");
  fs::path file = folder / "tuning.toml";
  std::vector<std::string> messages;
  Folder() { fs::create_directories(folder); }
  ~Folder() override { fs::remove_all(folder); }

  TuningStore load() { return TuningStore::load(file, messages); }
};

using TuningFile = Folder;

TEST_F(TuningFile, ReadsWhatItWrote) {
  TuningStore store;
  store.put(some_sweep());
  store.save(file);
  const TuningStore read = load();
  EXPECT_TRUE(messages.empty());
  const StoredSweep* sweep = read.find(some_sweep().of);
  ASSERT_NE(sweep, nullptr);
  EXPECT_EQ(sweep->files, some_sweep().files);
  EXPECT_EQ(sweep->measured, "2026-11-21");
  EXPECT_TRUE(sweep->complete && sweep->host_times);
  EXPECT_EQ(sweep->work, 1e6 / 3);
  EXPECT_EQ(sweep->standard, some_sweep().standard);
  EXPECT_EQ(sweep->best, some_sweep().best);
  EXPECT_EQ(sweep->choice, some_sweep().choice);
  ASSERT_EQ(sweep->candidates.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const StoredCandidate wanted = some_sweep().candidates[k];
    EXPECT_EQ(sweep->candidates[k].values, wanted.values);
    EXPECT_EQ(sweep->candidates[k].state, wanted.state);
    EXPECT_EQ(sweep->candidates[k].reason, wanted.reason);
    EXPECT_EQ(sweep->candidates[k].keeps_bits, wanted.keeps_bits);
    EXPECT_EQ(sweep->candidates[k].seconds, wanted.seconds) << "to the last digit";
  }
}

TEST_F(TuningFile, AMissingFileGivesNoResults) {
  EXPECT_TRUE(load().sweeps().empty());
  EXPECT_TRUE(messages.empty());
}

TEST_F(TuningFile, ADamagedFileIsSetAsideWithItsLine) {
  TuningStore store;
  store.put(some_sweep());
  store.save(file);
  std::string text = read_file(file);
  const auto at = text.find("slower");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 6, "sloppy");
  write_file(file, text);
  EXPECT_TRUE(load().sweeps().empty());
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find("line "), std::string::npos) << messages[0];
  EXPECT_FALSE(fs::exists(file));
  EXPECT_EQ(read_file(file.string() + ".broken"), text) << "measurements are kept";
}

TEST_F(TuningFile, EveryTruncationIsReportedOrHarmless) {
  TuningStore store;
  store.put(some_sweep());
  store.save(file);
  const std::string text = read_file(file);
  for (std::size_t size = 0; size < text.size(); size += 7) {
    messages.clear();
    write_file(file, text.substr(0, size));
    const TuningStore read = load();
    EXPECT_TRUE(read.sweeps().empty() || messages.empty()) << "cut to " << size;
    EXPECT_TRUE(!read.sweeps().empty() || !messages.empty()) << "cut to " << size;
  }
}

TEST_F(TuningFile, FilesOutsideOfTheKernelFolderAreRefused) {
  StoredSweep sweep = some_sweep();
  sweep.files = {"../../etc/passwd"};
  TuningStore store;
  store.put(sweep);
  store.save(file);
  EXPECT_TRUE(load().sweeps().empty());
  EXPECT_EQ(messages.size(), 1U);
}

// A read-only folder refuses the new file; a folder in the file's place refuses the rename.
TEST_F(TuningFile, AFailedWriteLeavesTheOldFileWhole) {
  TuningStore store;
  store.put(some_sweep());
  store.save(file);
  const std::string before = read_file(file);
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  const bool enforced = !std::ofstream(folder / "probe");  // root may write anywhere
  if (enforced) {
    EXPECT_THROW(store.save(file), Error);
  }
  fs::permissions(folder, fs::perms::owner_all);
  fs::create_directory(folder / "other.toml");
  EXPECT_THROW(store.save(folder / "other.toml"), Error);
  EXPECT_EQ(read_file(file), before);
}

TEST(TuningStore, RecognisesAnotherDriverAndAnotherSource) {
  TuningStore store;
  store.put(some_sweep());
  DeviceInfo updated = some_gpu();
  updated.driver = "550.2";
  const TuneIdentity by_driver = identity_of(updated, subject, "cafe"),
                     by_source = identity_of(some_gpu(), subject, "beef");
  EXPECT_EQ(store.find(by_driver), nullptr);
  ASSERT_NE(store.stale(by_driver), nullptr);
  EXPECT_EQ(staleness(*store.stale(by_driver), by_driver), "another driver (535.1)");
  ASSERT_NE(store.stale(by_source), nullptr);
  EXPECT_EQ(staleness(*store.stale(by_source), by_source), "another kernel source");
  EXPECT_EQ(store.stale(some_sweep().of), nullptr);
  store.put(some_sweep("beef"));
  EXPECT_EQ(store.sweeps().size(), 1U) << "what is stale is displaced";
  EXPECT_NE(store.find(by_source), nullptr);
}

TEST_F(TuningFile, AutoUsesResultsOfThePresentDriverAndSource) {
  write_file(folder / "a.cl", "kernel void force() {}\n");
  const std::vector<std::string> files{"a.cl"};
  TuningStore store;
  store.put(some_sweep(source_hash(folder, files)));
  const auto found = TunedChoices(store, folder).find(some_gpu(), "force", subject.problem);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, some_sweep().choice);
  EXPECT_FALSE(TunedChoices(store, folder).find(some_gpu(), "force", "2048 … 4095 bodies"));
  DeviceInfo other = some_gpu();
  other.driver = "550.2";
  EXPECT_FALSE(TunedChoices(store, folder).find(other, "force", subject.problem));
  DeviceInfo part = some_gpu();
  part.parts = 2;
  EXPECT_FALSE(TunedChoices(store, folder).find(part, "force", subject.problem)) << "half a device is another one";
  write_file(folder / "a.cl", "kernel void force() { /* changed */ }\n");
  EXPECT_FALSE(TunedChoices(store, folder).find(some_gpu(), "force", subject.problem));
}

TEST(TuneSpace, NamesItsPointsAndFindsThemAgain) {
  const TuneSpace space{{{"work-group", {64, 128}}, {"forces", {1, 2}, {"gather", "pairs"}}}};
  EXPECT_EQ(space.points(), 4U);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(space.values(space.named(space.point(k))), space.point(k));
  EXPECT_EQ(space.text({128, 2}), "work-group 128, forces pairs");
  EXPECT_FALSE(space.values({{"work-group", "64"}})) << "an axis is missing";
  EXPECT_FALSE(space.values({{"work-group", "65"}, {"forces", "pairs"}}));
}

}  // namespace
}  // namespace orrery
