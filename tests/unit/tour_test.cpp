/// Guided tours: the shipped ones are known to their scenes, a wrong one is refused with its place, and the guide
/// walks.
#include "shell/files/tour.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

using namespace orrery;
using namespace orrery::shell;

namespace {

std::string tour_refusal(const std::string& text) {
  try {
    (void)parse_tour(scene_kinds(), text, "mine.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::usage);
    return error.what();
  }
  return "accepted";
}

const std::string one_step = "title = \"T\"\n[[step]]\ncaption = \"A\"\nscene = \"nbody\"\n";

Tour two_steps() {
  return parse_tour(
      scene_kinds(),
      one_step + "seconds = 5\n[step.nbody]\ndt = 0.5\n[[step]]\ncaption = \"B\"\n[step.nbody]\nburst = 2\n",
      "two.toml");
}

}  // namespace

TEST(Tours, ShippedOnesAreKnownToTheirScenes) {
  const std::vector<TourEntry> tours = known_tours();
  EXPECT_EQ(tours.size(), 5u);
  for (const TourEntry& entry : tours) {
    const Tour tour = read_tour(scene_kinds(), entry.file);
    EXPECT_GE(tour.steps.size(), 6u) << entry.file;
    EXPECT_LE(tour.steps.size(), 9u) << entry.file;
    EXPECT_FALSE(tour.about.empty()) << entry.file;
  }
}

TEST(Tours, AreRefusedWithLineAndColumn) {
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(tour_refusal(text).find(part), std::string::npos) << tour_refusal(text);
  };
  expect("title = \"T\"\n", "1 to 100 tables [[step]]");
  expect("title = \"T\"\n[[step]]\nscene = \"nbody\"\n", "mine.toml:2:1: the key caption is missing");
  expect("title = \"T\"\n[[step]]\ncaption = \"A\"\nscene = \"nbdy\"\n", "mine.toml:4:9: scene");
  expect(one_step + "captoin = \"B\"\n", "mine.toml:5:1: unknown key \"captoin\"; did you mean caption?");
  expect(one_step + "seconds = 0\n", "mine.toml:5:11: seconds");
  expect(one_step + "[step.nbody]\nbodis = 3\n", "mine.toml:6:1: the scene nbody has no key");
  expect(one_step + "[step.nbody]\ndt = 99.0\n", "mine.toml:6:6");
}

TEST(Tours, AStepKeepsTheKeysOfTheStepsBefore) {
  const Tour tour = two_steps();
  EXPECT_EQ(tour.steps[1].scene, "nbody");
  EXPECT_EQ(*value_of(tour.steps[1].state.at("nbody"), "dt"), Value(0.5));
  EXPECT_EQ(*value_of(tour.steps[1].state.at("nbody"), "burst"), Value(std::int64_t{2}));
  EXPECT_EQ(value_of(tour.steps[0].state.at("nbody"), "burst"), nullptr);
}

TEST(Tours, TheGuideWalksAndGivesBackWhatItChanged) {
  TourGuide guide;
  guide.begin(two_steps(),
              {[] {
                 return StateTables{{"nbody", {{"dt", 0.1}}}, {"mandelbrot", {}}};
               },
               "mandelbrot"},
              10);
  EXPECT_EQ(guide.go(-1, 11), nullptr);
  EXPECT_FALSE(guide.due(14));
  guide.touched(14);
  EXPECT_FALSE(guide.due(18)) << "input lets it wait";
  EXPECT_TRUE(guide.due(19));
  ASSERT_NE(guide.go(+1, 19), nullptr);
  EXPECT_FALSE(guide.due(100)) << "the last step stays";
  EXPECT_EQ(guide.snapshot(20).step, 1u);
  guide.close();
  EXPECT_TRUE(guide.snapshot(21).left);
  const auto before = guide.leave(true);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->second, "mandelbrot");
  EXPECT_TRUE(before->first.contains("nbody"));
  EXPECT_FALSE(before->first.contains("mandelbrot")) << "the tour did not touch it";
  EXPECT_FALSE(guide.offers());
}
