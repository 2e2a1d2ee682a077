#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/work/packing.hpp"
#include "scenes/nbody/files/run_archive.hpp"
#include "scenes/nbody/model/settings.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

NbodyRunState state_of(std::int64_t step) {
  NbodySettings settings;
  settings.bodies = 40;
  settings.dt = 0.25;
  settings.softening = 0.5;
  NbodyRunState state{.settings = {},
                      .bodies = 40,
                      .clock = {step, static_cast<double>(step) * settings.dt},
                      .hash = 12345678,
                      .exact = {0.5}};
  add_values(state.settings, parameters(settings, true));
  allocate_rows(state);
  std::mt19937 draw(static_cast<unsigned>(step));
  for (std::vector<std::byte>& row : state.exact.rows)
    for (std::byte& each : row) each = static_cast<std::byte>(draw());
  return state;
}

std::string archive_of(const fs::path& path, std::initializer_list<std::int64_t> steps) {
  RunArchiveWriter writer(path);
  for (const std::int64_t step : steps) writer.append(state_of(step));
  writer.finish();
  return read_file(path, {"an archive", 1 << 24, false});
}

void write(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST(Packing, GivesTheSameBytes) {
  std::mt19937 draw(1);
  for (const std::size_t length : {0, 1, 31, 32, 33, 1000, 100000}) {
    std::string bytes(length, '\0');
    for (char& each : bytes) each = static_cast<char>(draw() % 3);
    const std::string small = packed(bytes);
    EXPECT_EQ(unpacked(small, length), bytes);
    EXPECT_EQ(unpacked(small, length + 1), std::nullopt);
    EXPECT_EQ(unpacked(small + "x", length), std::nullopt);
    EXPECT_EQ(unpacked(small.substr(0, small.size() - 1), length), std::nullopt);
    if (length > 0) {
      EXPECT_EQ(unpacked(small, length - 1), std::nullopt);
    }
  }
  EXPECT_EQ(unpacked("no packed bytes", std::uint64_t{1} << 60), std::nullopt);
}

TEST(RunState, OfAnOlderProgramHasNoUnitsAndTheGravityOfThen) {
  NbodyRunState state = state_of(4);
  std::erase_if(state.settings, [](const auto& entry) {
    return entry.first == "units" || entry.first == "gravity" || entry.first == "date";
  });
  const std::string header = header_of(state);
  ASSERT_EQ(header.find("units"), std::string::npos);
  const NbodyRunState read = state_with_header(header, "old.state");
  EXPECT_EQ(read.exact.gravity, 1);
  EXPECT_EQ(read.clock.step, 4);
  std::erase_if(state.settings, [](const auto& entry) { return entry.first == "seed"; });
  EXPECT_THROW((void)state_with_header(header_of(state), "old.state"), Error);
}

TEST(RunState, KeepsUnits) {
  NbodyRunState state = state_of(4);
  for (auto& [key, value] : state.settings)
    if (key == "units") value = std::string("AU-years-suns");
  EXPECT_EQ(state_with_header(header_of(state), "run.state").exact.gravity, units_named("AU-years-suns").gravity);
}

namespace {

// A state saved by a window: with a changed time step, the tree's remembered draws, and no field.
NbodyRunState moment_of(Precision precision, bool interrupted) {
  NbodyRunState state = state_of(4);
  NbodySettings settings;
  settings.bodies = 40;
  settings.precision = name_of(precision);
  state.settings.clear();
  add_values(state.settings, parameters(settings, true));
  state.precision = precision;
  const Cohorts cohorts{{0, {}}, {30, {}}, {39, -0.1}};
  state.clock = {.step = 4, .time = -7.25, .cohorts = std::make_shared<const Cohorts>(cohorts)};
  state.hash = 0;
  state.exact = {};
  state.of_window = WindowMoment{{"force error 0.001, quadrupole, leaf 8, group 32", 0.5F, 0.25F, {1.5F, -0.0F}},
                                 "A device\nAnother \"one\"\n",
                                 interrupted};
  allocate_rows(state);
  std::mt19937 draw(7);
  for (std::vector<std::byte>& row : state.exact.rows)
    for (std::byte& each : row) each = static_cast<std::byte>(draw());
  return state;
}

}  // namespace

TEST(RunState, OfAWindowHasNoFieldAndTellsWhatFollows) {
  for (const Precision precision : {Precision::single, Precision::mixed, Precision::double_})
    for (const bool interrupted : {false, true}) {
      const NbodyRunState written = moment_of(precision, interrupted);
      EXPECT_EQ(written.exact.rows.size(), precision == Precision::mixed ? 4U : 2U);
      std::ostringstream out;
      write_run_state(out, written);
      const NbodyRunState read = parse_run_state(out.view(), "moment");
      EXPECT_EQ(read.exact.rows, written.exact.rows);
      EXPECT_EQ(read.clock.time, written.clock.time);
      ASSERT_TRUE(read.clock.edited());
      EXPECT_EQ(*read.clock.cohorts, *written.clock.cohorts);
      ASSERT_TRUE(read.of_window);
      EXPECT_EQ(read.of_window->tree, written.of_window->tree);
      EXPECT_EQ(read.of_window->device, written.of_window->device);
      EXPECT_EQ(read.of_window->interrupted, interrupted);
    }
}

TEST(RunArchive, ListsTheAppendedStates) {
  const fs::path path = scratch("run.orrery");
  archive_of(path, {0, 10, 20});
  RunArchive archive(path);
  ASSERT_EQ(archive.entries().size(), 3U);
  EXPECT_EQ(archive.state(1).exact.rows, state_of(10).exact.rows);
  EXPECT_EQ(archive.state_before(19).clock.step, 10);
  EXPECT_EQ(archive.state_before(20).clock.step, 20);
  EXPECT_EQ(archive.state_before(2000).clock.step, 20);
  EXPECT_EQ(archive.step_at(3.1), 12);
  EXPECT_THROW((void)archive.step_at(-0.25), Error);
  EXPECT_TRUE(is_run_archive(path));
}

TEST(RunArchive, GrowsBehindItsLastWholeState) {
  const fs::path path = scratch("run.orrery");
  const std::string whole = archive_of(path, {0, 10, 20});
  const std::uint64_t kept = RunArchive(path).entries()[1].end();
  {
    RunArchiveWriter writer(path, kept);
    writer.append(state_of(20));
    writer.finish();
  }
  EXPECT_EQ(read_file(path, {"an archive", 1 << 24, false}), whole);
}

// In a damaged archive, every state that can be read is one of the written states.
TEST(RunArchive, GivesNoStateWithAnyBitChanged) {
  const fs::path path = scratch("run.orrery");
  const std::string good = archive_of(path, {0, 10, 20});
  std::mt19937 draw(5);
  for (int round = 0; round < 400; ++round) {
    std::string bad = good.substr(0, round % 4 == 0 ? draw() % good.size() : good.size());
    for (auto changes = draw() % 3; changes > 0 && !bad.empty(); --changes)
      bad[draw() % bad.size()] ^= static_cast<char>(1 << draw() % 8);
    write(path, bad);
    try {
      RunArchive archive(path);
      for (std::size_t k = 0; k < archive.entries().size(); ++k) try {
          const NbodyRunState state = archive.state(k);
          EXPECT_EQ(state.exact.rows, state_of(state.clock.step).exact.rows);
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("run.orrery"), std::string::npos) << error.what();
        }
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("run.orrery"), std::string::npos) << error.what();
    }
  }
}

TEST(RunArchive, LeavesOutADamagedStateUnlessSettingsChangedThere) {
  const fs::path path = scratch("run.orrery");
  {
    RunArchiveWriter writer(path);
    writer.append(state_of(0));
    writer.append(state_of(10));
    writer.append(state_of(20), ArchivedAs::edit);
    writer.finish();
  }
  std::string bytes = read_file(path, {"an archive", 1 << 24, false});
  const std::vector<ArchiveEntry> entries = RunArchive(path).entries();
  for (const std::size_t damaged : {1, 2}) bytes[entries[damaged].end() - 9] ^= 1;
  write(path, bytes);
  RunArchive archive(path);
  EXPECT_EQ(archive.state_before(15).clock.step, 0);
  EXPECT_THROW((void)archive.state_before(25), Error);
}

}  // namespace orrery
