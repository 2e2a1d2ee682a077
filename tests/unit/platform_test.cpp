// Behaviour that must be the same on every operating system.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/growing_file.hpp"
#include "base/files/kept_file.hpp"
#include "base/files/path.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/platform/file.hpp"
#include "base/platform/folders.hpp"
#include "base/platform/process.hpp"
#include "base/work/child_pipe.hpp"
#include "base/work/child_run.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

namespace fs = std::filesystem;

class Platform : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }
  std::string only_file() const {
    std::string names;
    for (const auto& entry : fs::directory_iterator(folder)) names += entry.path().filename().string() + " ";
    return names;
  }
  const fs::path folder = scratch("platform ü 漢");
};

TEST_F(Platform, ReplacesAFileAndLeavesNoOther) {
  const fs::path file = folder / "a ü 漢.txt";
  for (const std::string text : {"first\r\n\x1a", "second\n"}) {
    write_file(file, text);
    EXPECT_EQ(read_file(file), text);
  }
  EXPECT_EQ(only_file(), "a ü 漢.txt ");
  { const OutputFile begun(file); }
  EXPECT_EQ(only_file(), "a ü 漢.txt ");
}

TEST_F(Platform, RefusesFoldersAndMissingFiles) {
  EXPECT_THROW((void)read_file(folder), Error);
  EXPECT_THROW((void)read_file(folder / "none"), Error);
  EXPECT_THROW(write_file(folder, "text"), Error);
  EXPECT_THROW(write_file(folder / "none" / "file", "text"), Error);
}

TEST_F(Platform, CreatesAFileOnlyOnce) {
  EXPECT_TRUE(platform::create_new(folder / "new"));
  EXPECT_FALSE(platform::create_new(folder / "new"));
  EXPECT_EQ(errno, EEXIST);
}

TEST_F(Platform, RemovesAnUnfinishedFileThatIsOpen) {
  const fs::path path = folder / "ü.part";
  {
    platform::Descriptor open;
    const UnfinishedFile unfinished(path, [&] { return static_cast<bool>(open = platform::create_new(path)); });
    remove_unfinished_files();
  }  // on Windows the name may exist until here
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Platform, RemovesAnUnfinishedFileThatIsJustBeingCreated) {
  const fs::path path = folder / "new.part";
  std::atomic<bool> created = false, removed = false;
  std::jthread creator([&] {
    const UnfinishedFile unfinished(path, [&] {
      write_file(path, "a few bytes");
      created = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return true;
    });
    while (!removed) std::this_thread::yield();
    EXPECT_FALSE(fs::exists(path));
  });
  while (!created) std::this_thread::yield();
  remove_unfinished_files();
  removed = true;
}

TEST_F(Platform, LeavesTheFileOfAnotherProcessWithTheName) {
  const fs::path path = folder / "old.part";
  write_file(path, "of another process");
  {
    const UnfinishedFile unfinished(path, [&] { return static_cast<bool>(platform::create_new(path)); });
  }
  remove_unfinished_files();
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(Platform, AGrowingFileKnowsThatItWasReplaced) {
  GrowingFile file(folder / "log", "begin\n");
  file.append("line\n");
  file.finish();
  EXPECT_EQ(read_file(folder / "log"), "begin\nline\n");
  fs::rename(folder / "log", folder / "moved");
  EXPECT_THROW(file.finish(), Error);
}

TEST_F(Platform, ALockKeepsOthersOut) {
  {
    const FileLock first(folder / "file");
    EXPECT_TRUE(first.held());
    EXPECT_FALSE(FileLock(folder / "file", 0.02).held());
  }
  EXPECT_TRUE(FileLock(folder / "file", 0.02).held());
}

TEST(PlatformProcess, KnowsItself) {
  EXPECT_TRUE(platform::is_running(platform::process_number()));
  EXPECT_FALSE(platform::is_running(0x3ffffffc));
  EXPECT_TRUE(fs::exists(platform::program_folder()));
  platform::set_variable("ORRERY_TEST_VARIABLE", "ü=1");
  bool found = false;
  for (const std::string& variable : platform::variables()) found = found || variable == "ORRERY_TEST_VARIABLE=ü=1";
  EXPECT_TRUE(found);
}

TEST(PlatformProcess, HasAFolderForEachPurpose) {
  const fs::path cache = platform::user_cache(), state = platform::user_state(), data = platform::user_data();
  EXPECT_TRUE(cache != state && state != data && data != cache);
}

TEST(PlatformChild, ReportsHowAChildEnded) {
  const ChildEnd well = run_child(ORRERY_PROGRAM, {"--version"}, {}, 60);
  EXPECT_EQ(well.fault, "");
  EXPECT_TRUE(well.output.starts_with("orrery ")) << well.output;
  EXPECT_EQ(run_child(ORRERY_PROGRAM, {"--version", "x"}, {}, 60).fault, "ended with exit code 2");
  EXPECT_THROW(run_child("/no/such/program", {}, {}, 60), Error);
}

// A shell or wrong quoting would change the arguments.
TEST(PlatformChild, ReceivesItsArgumentsUnchanged) {
  for (const std::string word : {"a b", "quote\"inside", "end\\", "a \\\"b\\\\", "%PATH%", "$HOME", "ü 漢"}) {
    const ChildEnd end = run_child(ORRERY_PROGRAM, {"--version", word}, {}, 60);
    EXPECT_NE(end.errors.find(word), std::string::npos) << word << ": " << end.errors;
  }
}

TEST(PlatformChild, ThatReadsNothingIsAnError) {
  ChildPipe child(ORRERY_PROGRAM, {"--version"});
  const std::vector<std::uint8_t> much(1 << 22);
  EXPECT_THROW(child.write(much, 60, [] { return true; }), Error);
}

TEST(PlatformChild, ThatReadsAllEndsWell) {
  ChildPipe child(ORRERY_PROGRAM, {"--version"});
  EXPECT_TRUE(child.finish(60, [] { return true; }));
}

}  // namespace
}  // namespace orrery
