/// Guided tours: shipped ones have only known keys, wrong ones are refused with their place, and the guide takes steps.
#include "shell/files/tour.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/path.hpp"
#include "shell/files/document.hpp"

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

StateTables state_of(const Scenes& scenes) {
  StateTables state;
  for (const auto& scene : scenes) state[std::string(scene->kind().name)] = scene->copy()();
  return state;
}

// The state of the scenes that the tour changes, at each of its steps.
std::vector<StateTables> walked(const Tour& tour, const Scenes& scenes) {
  std::vector<StateTables> seen;
  for (std::size_t k = 0; k < tour.steps.size(); ++k) {
    const TourStep step = k == 0 ? beginning_of(tour, scenes) : tour.steps[k];
    (void)load_scenes(step.state, scenes);
    if (step.restart) find_scene(scenes, step.scene)->apply(command::Reset{});
    StateTables& now = seen.emplace_back(state_of(scenes));
    std::erase_if(now, [&](const auto& table) { return !tour.steps.back().state.contains(table.first); });
  }
  return seen;
}

std::vector<Tour> shipped_tours() {
  std::vector<Tour> tours;
  for (const TourEntry& entry : known_tours()) tours.push_back(read_tour(scene_kinds(), entry.file));
  return tours;
}

// Sets each parameter to another value, if the others allow it.
void change_all(const Scenes& scenes) {
  for (const auto& scene : scenes)
    for (const ParameterView& each : scene->table()) {
      Value other = each.value;
      if (auto* flag = std::get_if<bool>(&other)) *flag = !*flag;
      if (auto* whole = std::get_if<std::int64_t>(&other)) ++*whole;
      if (auto* real = std::get_if<double>(&other)) *real = 0.75 * *real + 0.1;
      if (auto* text = std::get_if<std::string>(&other); text && !each.info.choices.empty())
        *text = each.info.choices.back().name;
      try {
        (void)scene->load({{std::string(each.info.name), other}});
      } catch (const Error&) {  // the value stays
      }
    }
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
  expect(one_step + "[step.nbody]\ndt = 1e31\n", "mine.toml:6:6");
}

TEST(Tours, AStepKeepsTheKeysOfTheStepsBefore) {
  const Tour tour = two_steps();
  EXPECT_EQ(tour.steps[1].scene, "nbody");
  EXPECT_EQ(*value_of(tour.steps[1].state.at("nbody"), "dt"), Value(0.5));
  EXPECT_EQ(*value_of(tour.steps[1].state.at("nbody"), "burst"), Value(std::int64_t{2}));
  EXPECT_EQ(value_of(tour.steps[0].state.at("nbody"), "burst"), nullptr);
}

TEST(Tours, EachIsTheSameAfterAnyPreviousView) {
  for (const Tour& tour : shipped_tours()) {
    const std::vector<StateTables> fresh = walked(tour, make_scenes(scene_kinds()));
    for (const Tour& earlier : shipped_tours()) {
      const Scenes scenes = make_scenes(scene_kinds());
      change_all(scenes);
      (void)walked(earlier, scenes);
      const std::vector<StateTables> after = walked(tour, scenes);
      ASSERT_EQ(after.size(), fresh.size());
      for (std::size_t k = 0; k < fresh.size(); ++k)
        EXPECT_EQ(state_text(after[k]), state_text(fresh[k])) << tour.title << " after " << earlier.title << ", " << k;
    }
  }
}

TEST(Tours, ThePreviousViewIsRestoredAfterEach) {
  for (const Tour& tour : shipped_tours()) {
    const Scenes scenes = make_scenes(scene_kinds());
    change_all(scenes);
    const StateTables before = state_of(scenes);
    TourGuide guide;
    guide.begin(tour, {[&] { return before; }, "nbody"}, 0);
    (void)walked(tour, scenes);
    guide.close();
    const auto given_back = guide.leave(true);
    ASSERT_TRUE(given_back);
    (void)load_scenes(given_back->first, scenes);
    EXPECT_EQ(state_text(state_of(scenes)), state_text(before)) << tour.title;
  }
}

TEST(Presets, TheFirstIsWhatOrreryStartsWith) {
  const Scenes fresh = make_scenes(scene_kinds());
  const StateTables preset = read_state(asset_folder() / "presets" / "nbody" / "01-galaxies.toml");
  Scene& begun = *find_scene(fresh, "nbody");
  for (const auto& [name, value] : preset.at("nbody")) {
    const std::vector<ParameterView> table = begun.table();
    const auto row = std::ranges::find(table, name, [](const ParameterView& each) { return each.info.name; });
    if (row == table.end() || row->open) continue;  // automatic: suggested for these bodies
    EXPECT_EQ(value_text(row->info, row->value), value_text(row->info, value)) << name;
  }
}

TEST(Tours, TheGuideTakesStepsAndRestoresItsChanges) {
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
