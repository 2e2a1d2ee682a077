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

TEST(FilmFolder, FramesCountFromOneAndRangesIncludeBothEnds) {
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

TEST(FilmFolder, AFrameExistsOnceItIsComplete) {
  const auto folder = scratch("frames");
  std::filesystem::create_directories(folder);
  write_png(frame_file(folder, 2), Image(4, 2));
  std::ofstream(frame_file(folder, 3), std::ios::binary) << "\x89PNG\r\n\x1a\nhalf of it";
  std::ofstream(frame_file(folder, 4), std::ios::binary) << "";
  EXPECT_EQ(missing_frames(folder, {.frames = 5, .width = 4, .height = 2}), (std::vector<FrameRange>{{1, 1}, {3, 5}}));
  std::filesystem::remove_all(folder);
}

TEST(FilmFolder, ADamagedFrameCountsAsMissing) {
  const auto folder = scratch("damaged");
  std::filesystem::create_directories(folder);
  write_png(frame_file(folder, 1), Image(40, 20));
  const std::string good = read_file(frame_file(folder, 1), {"a frame", 1 << 20, false});
  const std::string end = good.substr(good.size() - 12);
  const auto is_there = [&](const std::string& bytes) {
    write_file(frame_file(folder, 1), bytes);
    return missing_frames(folder, {.frames = 1, .width = 40, .height = 20}).empty();
  };
  EXPECT_TRUE(is_there(good));
  EXPECT_FALSE(is_there(good.substr(0, 8) + end));
  EXPECT_FALSE(is_there(good.substr(0, 60) + end));
  EXPECT_FALSE(is_there(good + "x"));
  for (std::size_t byte = 0; byte < good.size(); ++byte) {
    std::string bad = good;
    bad[byte] = static_cast<char>(bad[byte] ^ 0x10);
    EXPECT_FALSE(is_there(bad)) << byte;
  }
  EXPECT_EQ(missing_frames(folder, {.frames = 1, .width = 20, .height = 40}).size(), 1U);
}

}  // namespace
