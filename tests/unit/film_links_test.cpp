#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/files/film_folder.hpp"
#include "scratch.hpp"

namespace {

using namespace orrery;

// Other users may write to a film's folder.
TEST(FilmLinks, PipesAndLinksAreNeitherReadNorWrittenThrough) {
  const auto folder = scratch("strange"), victim = scratch("victim");
  const FilmFacts facts{.frames = 2, .frames_per_second = 30, .width = 4, .height = 2};
  std::filesystem::create_directories(folder / "keys");
  write_png(victim, Image(4, 2));
  const std::string before = read_file(victim, {"a frame", 1 << 20, false});
  ASSERT_EQ(::mkfifo(frame_file(folder, 1).c_str(), 0600), 0);
  std::filesystem::create_symlink(victim, frame_file(folder, 2));
  EXPECT_EQ(missing_frames(folder, facts), (std::vector<FrameRange>{{1, 2}}));
  for (const int frame : {1, 2}) write_png(frame_file(folder, frame), Image(4, 2), {}, {}, Links::distrusted);
  EXPECT_TRUE(missing_frames(folder, facts).empty());
  EXPECT_FALSE(std::filesystem::is_symlink(frame_file(folder, 2)));

  for (const auto& target : {victim, folder / "nowhere"}) {
    std::filesystem::remove(folder / "film.toml");
    std::filesystem::create_symlink(target, folder / "film.toml");
    EXPECT_THROW((void)claim_film_folder(folder, facts, {}, "device"), Error);
    EXPECT_THROW((void)read_film_folder(folder), Error);
  }
  std::filesystem::remove(folder / "film.toml");
  std::filesystem::remove(folder / "keys");
  std::filesystem::create_directory_symlink(std::filesystem::temp_directory_path(), folder / "keys");
  EXPECT_THROW((void)claim_film_folder(folder, facts, {}, "device"), Error);
  EXPECT_EQ(read_file(victim, {"a frame", 1 << 20, false}), before);
}

}  // namespace
