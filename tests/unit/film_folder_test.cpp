#include "base/files/film_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "scratch.hpp"

namespace {

using namespace orrery;

TEST(FilmFolder, PartsOfAFilmMeetWithoutGapOrOverlap) {
  for (const int frames : {2, 7, 60, 10000})
    for (const int parts : {1, 2, 3, 7, 64, 1000}) {
      int last = 0, least = frames, most = 0;
      for (int i = 1; i <= parts; ++i) {
        const FrameRange range = parse_frame_range(std::to_string(i) + "/" + std::to_string(parts), frames);
        EXPECT_EQ(range.first, last + 1);
        last = range.last;
        least = std::min(least, range.count());
        most = std::max(most, range.count());
      }
      EXPECT_EQ(last, frames);
      EXPECT_LE(most - least, 1);
    }
}

TEST(FilmFolder, FramesAreCountedFromOneAndBothEndsBelong) {
  EXPECT_EQ(parse_frame_range("1:1", 10), (FrameRange{1, 1}));
  EXPECT_EQ(parse_frame_range("3:10", 10), (FrameRange{3, 10}));
  for (const char* bad : {"", "3", ":", "/", "0:1", "3:2", "1:11", "2/1", "0/3", "1/", "a:b", "1:2:3", "-1:2", "1 : 2",
                          "1/1000001", "1:99999999999999999999"})
    EXPECT_THROW((void)parse_frame_range(bad, 10), Error) << bad;
}

TEST(FilmFolder, RangesAreWrittenAsTheyAreRead) {
  EXPECT_EQ(ranges_text({{3, 3}, {17, 18}, {250, 250}}), "3, 17:18, 250");
  EXPECT_EQ(ranges_text({{1, 1}, {3, 3}, {5, 5}}, 2), "1, 3, …");
}

TEST(FilmFolder, BelongsToOneFilm) {
  const auto folder = scratch("film");
  const FilmFacts facts{.frames = 12, .frames_per_second = 29.97, .width = 64, .height = 36};
  const StateSection look{{"center", std::string("0 \"1\"")}, {"span", std::string("1e-9")}};
  EXPECT_EQ(claim_film_folder(folder, facts, look, "first"), "first");
  EXPECT_EQ(claim_film_folder(folder, facts, look, "second"), "first");
  EXPECT_EQ(read_film_folder(folder).frames, 12);
  EXPECT_EQ(read_film_folder(folder).frames_per_second, 29.97);
  StateSection other = look;
  other.back().second = std::string("1e-8");
  EXPECT_THROW((void)claim_film_folder(folder, facts, other, "first"), Error);
  other.pop_back();
  EXPECT_THROW((void)claim_film_folder(folder, facts, other, "first"), Error);
  std::filesystem::remove_all(folder);
  EXPECT_THROW((void)read_film_folder(folder), Error);
}

TEST(FilmFolder, AFrameIsThereOnceItIsWhole) {
  const auto folder = scratch("frames");
  std::filesystem::create_directories(folder);
  write_png(frame_file(folder, 2), Image(4, 2));
  std::ofstream(frame_file(folder, 3), std::ios::binary) << "\x89PNG\r\n\x1a\nhalf of it";
  std::ofstream(frame_file(folder, 4), std::ios::binary) << "";
  EXPECT_EQ(missing_frames(folder, 5), (std::vector<FrameRange>{{1, 1}, {3, 5}}));
  std::filesystem::remove_all(folder);
}

}  // namespace
