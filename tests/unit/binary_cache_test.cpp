// Compiled programs on disk: written atomically, and within the size limit.
#include "compute/program/program.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "base/files/file.hpp"
#include "scratch.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

class BinaryCache : public testing::Test {
 protected:
  BinaryCache() { fs::create_directories(folder); }
  ~BinaryCache() override { fs::remove_all(folder); }

  void put(const std::string& name, std::size_t bytes, std::chrono::hours age) {
    write_file(folder / name, std::string(bytes, 'x'));
    fs::last_write_time(folder / name, fs::file_time_type::clock::now() - age);
  }
  bool there(const std::string& name) const { return fs::exists(folder / name); }

  fs::path folder = scratch("binaries");
};

TEST_F(BinaryCache, ReturnsTheBinariesOfExactlyThatKey) {
  const std::vector<unsigned char> binary{0, 10, 255, 3};
  write_binary(folder / "a", "key", binary);
  EXPECT_EQ(read_binary(folder / "a", "key"), binary);
  EXPECT_FALSE(read_binary(folder / "a", "ke"));
  EXPECT_FALSE(read_binary(folder / "a", "key2"));
  EXPECT_FALSE(read_binary(folder / "b", "key"));
}

TEST_F(BinaryCache, KeepsTheMostRecentlyUsedFilesWithinItsLimit) {
  using std::chrono::hours;
  put("oldest", 400, hours(4));
  put("old", 400, hours(3));
  put("new", 400, hours(2));
  tidy_binaries(folder, 1200);
  EXPECT_TRUE(there("oldest") && there("old") && there("new")) << "there is room for all";
  put("newest", 100, hours(1));
  tidy_binaries(folder, 1200);
  EXPECT_FALSE(there("oldest") || there("old"));
  EXPECT_TRUE(there("new") && there("newest")) << "500 of 600 bytes";
}

TEST_F(BinaryCache, ReadingMarksAFileAsUsed) {
  write_binary(folder / "read", "key", {1});
  fs::last_write_time(folder / "read", fs::file_time_type::clock::now() - std::chrono::hours(100));
  put("other", 400, std::chrono::hours(50));
  (void)read_binary(folder / "read", "key");
  tidy_binaries(folder, 300);
  EXPECT_TRUE(there("read"));
  EXPECT_FALSE(there("other"));
}

TEST_F(BinaryCache, PartialFilesOfEndedProcessesAreRemovedAndThoseBeingWrittenStay) {
  put("a.12-0.part", 10, std::chrono::hours(25));
  put("a.13-0.part", 10, std::chrono::hours(0));
  tidy_binaries(folder, 1 << 20);
  EXPECT_FALSE(there("a.12-0.part"));
  EXPECT_TRUE(there("a.13-0.part"));
}

TEST_F(BinaryCache, AMissingFolderIsNoError) { tidy_binaries(folder / "nowhere", 1); }

}  // namespace
}  // namespace orrery
