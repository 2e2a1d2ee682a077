// The program's own files: shared by two processes, or damaged.
#include "base/files/kept_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/unfinished_file.hpp"
#include "compute/measure/ceilings_store.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

struct KeptFile : testing::Test {
  fs::path folder = scratch("kept");
  KeptFile() { fs::create_directories(folder); }
  ~KeptFile() override { fs::remove_all(folder); }
};

// Both processes increment a number many times; without the lock, some increments are lost.
TEST_F(KeptFile, TwoProcessesThatChangeTheSameFileLoseNothing) {
  const fs::path file = folder / "number";
  write_file(file, "0");
  constexpr int times = 200;
  const auto count = [&] {
    for (int i = 0; i < times; ++i) {
      const FileLock lock(file, 60);
      write_file(file, std::to_string(std::stoi(read_file(file)) + 1));
    }
  };
  const pid_t child = fork();
  if (child == 0) {
    count();
    _exit(0);
  }
  count();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(read_file(file), std::to_string(2 * times));
}

TEST_F(KeptFile, ALostLockDoesNotBlockForEver) {
  const FileLock first(folder / "file");
  EXPECT_TRUE(first.held());
  EXPECT_FALSE(FileLock(folder / "file", 0.05).held());
  EXPECT_FALSE(FileLock("/proc/nowhere/file", 0.05).held());
}

TEST_F(KeptFile, AWriteFailureIsFoundInAdvance) {
  EXPECT_NO_THROW(check_can_write(folder / "new.json"));
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_THROW(check_can_write(folder / "nowhere" / "new.json"), Error);
  write_file(folder / "old.json", "old");
  check_can_write(folder / "old.json");
  EXPECT_EQ(read_file(folder / "old.json"), "old");
}

TEST_F(KeptFile, OnlyPartialFilesOfKilledProcessesAreRemoved) {
  const fs::path file = folder / "run.state", other = folder / "other.state";
  const auto begin_and_die = [](const fs::path& target) {
    const pid_t child = fork();
    if (child == 0) {
      const OutputFile begun(target);
      ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
  };
  const auto count = [&] { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); };
  begin_and_die(file);
  begin_and_die(other);
  const OutputFile living(file);
  write_file(folder / "run.state.part", "the user's");
  ASSERT_EQ(count(), 4);
  check_can_write(file);
  EXPECT_EQ(count(), 3);
  remove_debris_in(folder, "run");
  EXPECT_EQ(count(), 3);
  remove_debris_in(folder);
  EXPECT_EQ(count(), 2);
}

TEST_F(KeptFile, BrokenCeilingsAreKeptAsideAndMeasuredAnew) {
  const fs::path file = folder / "ceilings.toml";
  write_file(file, "[[device]\nname = 1\n");
  DeviceInfo device;
  device.name = "Some GPU";
  EXPECT_FALSE(kept_ceilings(file, device));
  EXPECT_EQ(read_file(folder / "ceilings.toml.broken"), "[[device]\nname = 1\n");
  keep_ceilings(file, device, {});
  EXPECT_TRUE(kept_ceilings(file, device));
}

}  // namespace
}  // namespace orrery
