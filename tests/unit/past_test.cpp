#include "scene/past.hpp"

#include <gtest/gtest.h>

#include <random>

namespace orrery {
namespace {

using Numbers = Past<int, int>;  // a number stands for settings

Numbers::Moment moment_at(std::int64_t step, int settings = 0, bool changes = false) {
  return {.step = step,
          .time = 0.5 * static_cast<double>(step),
          .state = std::make_shared<const int>(static_cast<int>(step)),
          .settings = settings,
          .changes = changes,
          .bytes = 10};
}

std::vector<std::int64_t> steps_of(const Numbers::Moments& moments) {
  std::vector<std::int64_t> steps;
  for (const Numbers::Moment& each : moments) steps.push_back(each.step);
  return steps;
}

}  // namespace

TEST(Past, KeepsTheBeginningAndItsBudgetAndReachesEachStep) {
  Numbers past(200);
  for (std::int64_t step = 0; step <= 10000; step += 10) {
    past.add(moment_at(step));
    ASSERT_LE(past.bytes(), 200U);
    ASSERT_EQ(past.moments().front().step, 0);
    ASSERT_EQ(past.moments().back().step, step);
  }
  std::int64_t longest = 0;
  for (std::size_t k = 1; k < past.moments().size(); ++k)
    longest = std::max(longest, past.moments()[k].step - past.moments()[k - 1].step);
  EXPECT_LE(longest,
            4 * 10000 / 20);  // twenty states, with intervals that double
  for (std::int64_t step = 0; step <= 10000; ++step) {
    ASSERT_EQ(past.reachable(step), step);
    ASSERT_LE(past.before(step)->step, step);
  }
}

TEST(Past, DoesNotReachMomentsWhoseSettingsAreForgotten) {
  std::mt19937 draw(2);
  Numbers past(200);
  std::vector<int> settings_of;  // settings at each step
  int settings = 0;
  for (std::int64_t step = 0; step < 3000; ++step) {
    const bool changes = step > 0 && draw() % 40 == 0;
    settings += changes ? 1 : 0;
    settings_of.push_back(settings);
    if (changes || step % 7 == 0) past.add(moment_at(step, settings, changes));
  }
  std::int64_t reached = 0;
  for (std::int64_t step = 0; step < past.moments().back().step; ++step) {
    if (past.reachable(step) != step) continue;
    ++reached;
    const Numbers::Moment& from = *past.before(step);
    for (std::int64_t k = from.step; k < step; ++k)
      ASSERT_EQ(settings_of[static_cast<std::size_t>(k)], from.settings) << "step " << k << " from " << from.step;
  }
  EXPECT_GT(reached, 0);
}

TEST(Past, FindsTheMomentsAroundAStepOfAKnownPath) {
  Numbers past;
  for (const std::int64_t step : {0, 10, 20, 30}) past.add(moment_at(step));
  const auto steps_around = [&](std::int64_t step) {
    const auto [from, to] = Numbers::around(past.moments(), step);
    EXPECT_EQ(from == nullptr, to == nullptr);
    return from == nullptr ? std::pair<std::int64_t, std::int64_t>(-1, -1) : std::pair(from->step, to->step);
  };
  const std::pair<std::int64_t, std::int64_t> none(-1, -1);
  EXPECT_EQ(steps_around(1), std::pair(std::int64_t{0}, std::int64_t{10}));
  EXPECT_EQ(steps_around(29), std::pair(std::int64_t{20}, std::int64_t{30}));
  EXPECT_EQ(steps_around(20), none) << "a state of it is kept";
  EXPECT_EQ(steps_around(31), none) << "it is behind the last one";
  past.lose(15);
  EXPECT_EQ(steps_around(15), none) << "settings changed there that are not known";
  EXPECT_EQ(steps_around(25), std::pair(std::int64_t{20}, std::int64_t{30}));
  EXPECT_EQ(Numbers::around({}, 0).first, nullptr);
}

TEST(Past, ContinuingUnchangedKeepsTheFuture) {
  Numbers past(1000);
  for (const std::int64_t step : {0, 10, 20, 30}) past.add(moment_at(step));
  past.branch(15, false);
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 20, 30}));
  EXPECT_FALSE(past.fork());
}

TEST(Past, ContinuingDifferentlyMakesABranchAndKeepsTheFirst) {
  Numbers past(1000);
  for (const std::int64_t step : {0, 10, 20, 30}) past.add(moment_at(step));
  past.branch(15, true);
  past.add(moment_at(15, 1, true));
  past.add(moment_at(25, 1));
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 15, 25}));
  EXPECT_EQ(steps_of(past.other_branch()), (std::vector<std::int64_t>{20, 30}));
  past.switch_branch();
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 20, 30}));
  EXPECT_EQ(steps_of(past.other_branch()), (std::vector<std::int64_t>{15, 25}));
  past.switch_branch();
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 15, 25}));
  EXPECT_EQ(past.before(24)->settings, 1);
}

TEST(Past, ABranchAtAKeptMomentHasItsOwnSettingsThere) {
  Numbers past(1000);
  for (const std::int64_t step : {0, 10, 20}) past.add(moment_at(step));
  past.branch(10, true);
  past.add(moment_at(10, 1, true));
  past.add(moment_at(18, 1));
  EXPECT_EQ(past.before(12)->settings, 1);
  past.switch_branch();
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 20}));
  EXPECT_EQ(past.before(12)->settings, 0);
  past.switch_branch();
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 18}));
  EXPECT_EQ(past.before(12)->settings, 1);
}

TEST(Past, OmittingALaterChangeMakesABranch) {
  Numbers past(1000);
  past.add(moment_at(0));
  past.add(moment_at(10, 1, true));
  past.add(moment_at(20, 1));
  past.branch(5, false);
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0}));
  EXPECT_EQ(steps_of(past.other_branch()), (std::vector<std::int64_t>{10, 20}));
  EXPECT_EQ(past.fork(), 5);
}

TEST(Past, AStateChangedByHandReplacesThePreviousOne) {
  Numbers past(1000);
  for (const std::int64_t step : {0, 10, 20}) past.add(moment_at(step));
  Numbers::Moment edited = moment_at(20);
  edited.state = std::make_shared<const int>(777);
  past.change(edited);
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 20}));
  EXPECT_EQ(*past.before(25)->state, 777) << "what follows is computed from it";
  EXPECT_EQ(*past.before(19)->state, 10);
  Numbers::Moment between = moment_at(15);
  between.state = std::make_shared<const int>(888);
  past.change(between);
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 15}));
  EXPECT_EQ(*past.before(100)->state, 888) << "the earlier future is not its own";
  EXPECT_EQ(steps_of(past.other_branch()), (std::vector<std::int64_t>{20}));
}

TEST(Past, TheOtherBranchGoesFirstWhenMemoryRunsOut) {
  Numbers past(60);
  for (const std::int64_t step : {0, 10, 20, 30}) past.add(moment_at(step));
  past.branch(15, true);
  past.add(moment_at(15, 1, true));
  past.add(moment_at(16, 1));
  EXPECT_TRUE(past.fork());
  past.add(moment_at(17, 1));
  EXPECT_FALSE(past.fork());
  EXPECT_EQ(steps_of(past.moments()), (std::vector<std::int64_t>{0, 10, 15, 16, 17}));
}

}  // namespace orrery
