/// The search: its results, their order, and typed values.
#include "ui/search.hpp"

#include <gtest/gtest.h>

#include <array>

namespace orrery::ui {
namespace {

struct Searched : testing::Test {
  const std::array<KeyBinding, 3> keys{
      KeyBinding{key('Q'), with_control, "Ctrl+Q", "Quit", command::Quit{}, true},
      KeyBinding{key('='), with_control, "Ctrl and +, −", "Larger or smaller panels", command::ChangeScale{+1}, true,
                 "Larger panels"},
      KeyBinding{key('-'), with_control, "", "", command::ChangeScale{-1}, true, "Smaller panels"}};
  WindowSnapshot window;
  std::vector<std::string> recent;

  Searched() {
    window.keys = keys;
    window.scenes = {{"nbody", "N-body"}, {"mandelbrot", "Mandelbrot"}};
    window.scene.name = "nbody";
    window.scene.parameters = {
        {{.name = "dt", .label = "Time step", .maximum = 10}, 0.01},
        {{.name = "softening", .label = "Softening", .maximum = 10}, 0.05},
        {{.name = "relaxation", .label = "Relaxation time", .maximum = 10}, 1.0},
        {{.name = "color-by", .label = "Colour by", .choices = {"speed", {"error", "Force error"}}},
         std::string("speed")}};
  }
  std::vector<std::string> titles(std::string_view typed) {
    const SearchEntries entries = search_entries(window);
    std::vector<std::string> found;
    for (const SearchMatch& match : ranked(entries, typed, recent)) found.push_back(match.entry->title);
    return found;
  }
  std::string first(std::string_view typed) {
    const auto found = titles(typed);
    return found.empty() ? "" : found.front();
  }
  std::string value(std::string_view typed) {
    const SearchEntries entries = search_entries(window);
    const auto found = ranked(entries, typed, recent);
    return found.empty() ? "none" : found.front().value;
  }
};

TEST(MatchScore, NeedsEachWordOrTheBeginningsOfWords) {
  EXPECT_TRUE(match_score("tist", "Time step"));
  EXPECT_TRUE(match_score("tep", "Time step"));
  EXPECT_FALSE(match_score("tstp", "Time step"));
  EXPECT_FALSE(match_score("film", "Four million merge"));
  EXPECT_FALSE(match_score("film", "Wait for the display between frames"));
  EXPECT_FALSE(match_score("soft", "Draw the cells of the tree"));
  EXPECT_TRUE(match_score("STEP time", "Time step")) << "words may come in any order, in any case";
  EXPECT_FALSE(match_score("pets", "Time step"));
  EXPECT_FALSE(match_score("time stepx", "Time step"));
  EXPECT_FALSE(match_score("t", ""));
  EXPECT_EQ(match_score("", "Time step"), 0);
}

TEST(MatchScore, BeginningsOfWordsCountMostThenLettersSideBySide) {
  EXPECT_GT(match_score("ts", "Time step"), match_score("ts", "Lattice sum"));
  EXPECT_GT(match_score("step", "Time step"), match_score("step", "Cluster shape"));
  EXPECT_GT(match_score("so", "Softening"), match_score("so", "Resort"));
}

TEST_F(Searched, FindsEachKindOfEntry) {
  EXPECT_EQ(first("soft"), "Softening");
  EXPECT_EQ(first("dt"), "Time step") << "by the name in files, too";
  EXPECT_EQ(first("quit"), "Quit");
  EXPECT_EQ(first("smaller"), "Smaller panels") << "a key that shares its row has its own title";
  EXPECT_EQ(first("mandel"), "Mandelbrot");
  EXPECT_EQ(first("colour force"), "Colour by: Force error");
}

TEST_F(Searched, FindsCommandsOfOtherScenesAndGoesThere) {
  constexpr std::array<std::string_view, 1> actions{"Save film"};
  window.scenes[1].actions = actions;
  const SearchEntries entries = search_entries(window);
  const auto found = ranked(entries, "film", {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].entry->title, "Save film");
  EXPECT_EQ(found[0].entry->detail, "in Mandelbrot");
  EXPECT_EQ(std::get<command::SelectScene>(found[0].entry->command.value()).name, "mandelbrot");
  window.scene.name = "mandelbrot";
  EXPECT_TRUE(titles("film").empty()) << "its own panels offer it there";
}

TEST_F(Searched, ListsEntriesOfOtherScenesAfterThoseOfThisScene) {
  window.scenes[1].parameters = {"Span", "Softening"};
  const SearchEntries entries = search_entries(window);
  const auto found = ranked(entries, "softening", {});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].entry->parameter, nullptr) << "its own first";
  EXPECT_EQ(found[1].entry->detail, "in Mandelbrot");
  EXPECT_EQ(std::get<command::SelectScene>(found[1].entry->command.value()).name, "mandelbrot");
  EXPECT_EQ(first("span"), "Span");
  EXPECT_EQ(value("softening 0.01"), "0.01");
}

TEST_F(Searched, OffersAFilmOfTheRunIfThereIsARun) {
  EXPECT_TRUE(titles("record").empty());
  window.film_to_here = 2.5;
  EXPECT_EQ(first("record beginning"), "Record the run from its beginning");
  window.recording = RecordingSnapshot{};
  EXPECT_TRUE(titles("record").empty());
}

TEST_F(Searched, ReadsAValueBehindAParametersTitle) {
  EXPECT_EQ(value("softening 0.01"), "0.01");
  EXPECT_EQ(value("soft 1e-3"), "1e-3");
  EXPECT_EQ(value("dt=-2"), "-2");
  EXPECT_EQ(value("Softening much"), "much") << "behind the whole title anything is a value, to be refused";
  EXPECT_EQ(value("time step"), "") << "a word of the title is none";
  EXPECT_EQ(titles("soft much"), std::vector<std::string>());
}

TEST_F(Searched, FindsANumberOfALawByItsNameAndItsSign) {
  const auto row = [](const char* name, const char* label) {
    return ParameterView{{.name = name, .label = label, .maximum = 10, .place = ParameterPlace::law}, 1.0};
  };
  window.scene.parameters.push_back(row("lennard-jones/sigma", "σ"));
  window.scene.parameters.push_back(row("morse/sigma", "σ"));
  EXPECT_EQ(first("sigma"), "morse/sigma") << "the shorter title";
  EXPECT_EQ(first("morse sig"), "morse/sigma");
  EXPECT_EQ(first("σ"), "morse/sigma");
  EXPECT_EQ(first("lennard sig"), "lennard-jones/sigma");
  EXPECT_EQ(value("morse/sigma 2"), "2");
}

TEST_F(Searched, BeginsWithTheLastUsedEntries) {
  recent = {"Scene: Mandelbrot", "Parameter: gone", "Action: Quit"};
  const auto all = titles(" ");
  ASSERT_GT(all.size(), 8U);
  EXPECT_EQ(all[0], "Mandelbrot");
  EXPECT_EQ(all[1], "Quit");
  EXPECT_EQ(all[2], "Time step") << "then all by kind";
}

TEST_F(Searched, KeepsEntriesOfAKindTogether) {
  std::vector<std::string> kinds;
  for (const SearchEntry& entry : search_entries(window))
    if (kinds.empty() || kinds.back() != entry.kind) kinds.push_back(entry.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"Parameter", "Action", "Scene", "Choice"}));
}

}  // namespace
}  // namespace orrery::ui
