/// Undo and redo of the user's changes: the history alone, and with real scenes.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "scene/scene.hpp"
#include "shell/edits.hpp"

using namespace orrery;
using namespace orrery::shell;

namespace {

StateSection with(StateSection section, const std::string& key, Value value) {
  for (auto& [name, old] : section)
    if (name == key) old = std::move(value);
  return section;
}

/// A section whose changes are recorded and restored by undo and redo.
struct Hand {
  EditHistory history;
  StateSection section{{"dt", 0.01}, {"palette", std::string("ember")}, {"burst", std::int64_t{1}}};

  void set(const std::string& key, Value value, bool held = false, bool refused = false) {
    const StateSection before = section;
    section = with(before, key, std::move(value));
    history.note(before, section, held, refused);
  }
  bool take(EditDirection direction) {
    const EditStep* const step = history.next(direction);
    if (step == nullptr) return false;
    section = with_step(section, *step, direction);
    history.take(direction);
    return true;
  }
};

}  // namespace

TEST(EditHistory, UndoAndRedoWalkAlongTheSteps) {
  Hand hand;
  const StateSection first = hand.section;
  hand.set("dt", 0.02);
  hand.set("palette", std::string("viridis"));
  const StateSection last = hand.section;
  EXPECT_FALSE(hand.take(EditDirection::redo));
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, with(first, "dt", 0.02));
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, first);
  EXPECT_FALSE(hand.take(EditDirection::undo));
  EXPECT_TRUE(hand.take(EditDirection::redo));
  EXPECT_TRUE(hand.take(EditDirection::redo));
  EXPECT_EQ(hand.section, last);
}

TEST(EditHistory, AChangeAfterUndoClearsRedo) {
  Hand hand;
  hand.set("dt", 0.02);
  hand.take(EditDirection::undo);
  hand.set("burst", std::int64_t{5});
  EXPECT_FALSE(hand.take(EditDirection::redo));
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_FALSE(hand.take(EditDirection::undo));
}

TEST(EditHistory, ADragIsOneStep) {
  Hand hand;
  const StateSection first = hand.section;
  for (int k = 2; k < 40; ++k) hand.set("dt", 0.01 * k, true);
  hand.history.let_go();
  hand.set("dt", 7.0, true);  // another drag
  hand.history.let_go();
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, with(first, "dt", 0.39));
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, first);
}

TEST(EditHistory, ADragBackToWhereItBeganIsNoStep) {
  Hand hand;
  hand.set("dt", 0.5, true);
  hand.set("dt", 0.01, true);
  hand.history.let_go();
  EXPECT_FALSE(hand.take(EditDirection::undo));
}

// The next text is typed while the previous one is still tried; then the scene returns to the running one.
TEST(EditHistory, ConsecutiveRefusedTextsAreOneStep) {
  Hand hand;
  const StateSection first = hand.section;
  const auto type = [&](const std::string& text, bool refused) { hand.set("palette", text, false, refused); };
  type("right", false);
  type("wrong", false);
  hand.section = first;
  type("wrongly", true);
  hand.section = first;
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, with(first, "palette", std::string("right")));
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, first);
  EXPECT_FALSE(hand.take(EditDirection::undo));
}

TEST(EditHistory, AChangeBesideARefusedTextIsASeparateStep) {
  Hand hand;
  const StateSection first = hand.section;
  hand.set("palette", std::string("right"));
  hand.set("palette", std::string("wrong"));
  hand.section = with(first, "palette", std::string("right"));  // the running text
  hand.set("palette", std::string("wrong, longer"), false, true);
  hand.section = with(first, "palette", std::string("right"));
  hand.set("dt", 0.02, false, true);  // another key: a separate step
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, with(first, "palette", std::string("right")));
  EXPECT_TRUE(hand.take(EditDirection::undo));
  EXPECT_EQ(hand.section, first);
}

TEST(EditHistory, UndoKeepsChangesThatTheUserDidNotMake) {
  Hand hand;
  hand.set("dt", 0.02);
  hand.section = with(hand.section, "burst", std::int64_t{9});  // not changed by the user
  hand.take(EditDirection::undo);
  EXPECT_EQ(*value_of(hand.section, "burst"), Value(std::int64_t{9}));
  EXPECT_EQ(*value_of(hand.section, "dt"), Value(0.01));
}

TEST(EditHistory, UndoAndRedoRemoveAndAddAKeyOfTheScene) {
  EditHistory history;
  const StateSection decided{{"initial", std::string("ring")}}, set{{"initial", std::string("ring")}, {"dt", 0.5}};
  history.note(decided, set, false);
  EXPECT_EQ(with_step(set, *history.next(EditDirection::undo), EditDirection::undo), decided);
  history.take(EditDirection::undo);
  EXPECT_EQ(with_step(decided, *history.next(EditDirection::redo), EditDirection::redo), set);
}

TEST(EditHistory, IsBoundedAndKeepsOneMomentOnly) {
  Hand hand;
  auto moment = std::make_shared<int>(7);
  for (int k = 0; k < 1000; ++k) {
    hand.set("burst", std::int64_t{2 + k});
    hand.history.last()->moment = moment;
  }
  EXPECT_EQ(moment.use_count(), 2);
  std::size_t undone = 0;
  while (hand.take(EditDirection::undo)) ++undone;
  EXPECT_EQ(undone, EditHistory::most_steps);
}

TEST(EditHistory, RandomChangesOfEverySceneAreUndoneToTheBeginning) {
  for (const SceneKind* kind : scene_kinds()) {
    std::mt19937 random(5);
    const std::unique_ptr<Scene> scene = kind->make(*kind);
    const StateSection first = scene->choices();
    EditHistory history;
    for (int k = 0; k < 60; ++k) {
      const std::vector<ParameterView> parameters = scene->snapshot().parameters;
      const ParameterView& parameter = parameters[random() % parameters.size()];
      Value value = parameter.value;
      if (const auto* on = std::get_if<bool>(&value)) value = !*on;
      if (std::holds_alternative<double>(value))
        value = std::max(parameter.info.minimum, parameter.info.maximum / static_cast<double>(2 + random() % 50));
      if (std::holds_alternative<std::string>(value) && !parameter.info.choices.empty())
        value = std::string(parameter.info.choices[random() % parameter.info.choices.size()]);
      const StateSection before = scene->choices();
      scene->apply(command::SetParameter{std::string(parameter.info.name), value});
      history.note(before, scene->choices(), false);
    }
    const StateSection last = scene->choices();
    for (const EditDirection direction : {EditDirection::undo, EditDirection::redo}) {
      while (const EditStep* step = history.next(direction)) {
        EXPECT_TRUE(scene->load(with_step(scene->choices(), *step, direction)).empty());
        history.take(direction);
      }
      EXPECT_EQ(scene->choices(), direction == EditDirection::undo ? first : last) << kind->name;
    }
  }
}

TEST(EditHistory, AnOpenedFileIsOneStepAndFewAreKept) {
  Hand hand;
  hand.set("dt", 0.02);
  for (std::size_t k = 0; k < 2 * EditHistory::most_openings; ++k)
    hand.history.add({.changes = {}, .opening = std::make_shared<const Opening>(Opening{"bodies.csv", {}, {}})});
  const StateSection shown = hand.section;
  EXPECT_EQ(step_text(*hand.history.next(EditDirection::undo), EditDirection::undo, {}), "Open bodies.csv");
  std::size_t undone = 0;
  while (hand.take(EditDirection::undo)) ++undone;
  EXPECT_EQ(undone, EditHistory::most_openings);
  EXPECT_EQ(hand.section, shown) << "it has no changes of its own";
}

TEST(EditHistory, EachStepHasADescription) {
  const std::vector<ParameterView> parameters{{{.name = "dt", .label = "Time step"}, 0.336}};
  const EditStep step{{{"dt", 0.01, 0.336}}};
  EXPECT_EQ(step_text(step, EditDirection::undo, parameters), "Time step: 0.336 → 0.01");
  EXPECT_EQ(step_text(step, EditDirection::redo, parameters), "Time step: 0.01 → 0.336");
  const std::vector<ParameterView> choices{
      {{.name = "initial", .label = "Initial", .choices = {{"plummer", "Plummer sphere"}, "outer-solar-system"}},
       std::string("plummer")}};
  const EditStep initial{{{"initial", std::string("plummer"), std::string("outer-solar-system")}}};
  EXPECT_EQ(step_text(initial, EditDirection::redo, choices), "Initial: Plummer sphere → Outer solar system");
  const EditStep laws{{{"laws", std::nullopt, std::string(500, 'x')}, {"dt", 1.0, 2.0}}};
  EXPECT_EQ(step_text(laws, EditDirection::redo, parameters), "Laws, and 1 more");
}
