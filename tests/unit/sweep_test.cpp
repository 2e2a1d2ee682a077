/// The tuner's sweep over fake kernels, without a device and with a clock that only the runs advance.
#include "compute/tuning/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>

#include "base/error.hpp"

namespace orrery {
namespace {

TuneAxis axis(std::string name, std::int64_t count) {
  TuneAxis result{std::move(name), {}};
  for (std::int64_t k = 0; k < count; ++k) result.values.push_back(k);
  return result;
}

/// A fake kernel: its durations, its faults, and a record of its runs.
struct FakeTarget : TuneTarget {
  TuneSpace axes{{axis("a", 6), axis("b", 5)}};
  std::function<double(const TuneValues&)> seconds = [](const TuneValues& v) {
    return 1e-3 * (1 + static_cast<double>((v[0] - 4) * (v[0] - 4) + (v[1] - 3) * (v[1] - 3)));
  };
  std::function<std::string(const TuneValues&)> refused = [](const TuneValues&) { return ""; };
  std::function<std::string(const TuneValues&)> unbuilt = [](const TuneValues&) { return ""; };
  std::function<std::string(const TuneValues&)> error = [](const TuneValues&) { return ""; };
  std::function<double(std::size_t)> noise = [](std::size_t run) { return 1 + 1e-4 * static_cast<double>(run % 7); };
  std::function<bool(const TuneValues&)> ends = [](const TuneValues&) { return true; };
  std::function<bool(std::size_t)> has_stamps = [](std::size_t) { return true; };
  bool bits_kept = true;
  double clock = 0;
  std::size_t slices_of_run = 1;
  std::vector<TuneValues> runs;  // in their order
  TuneValues checked;
  TuneSubject about{"fake", "any", {}, 1, "things"};

  const TuneSubject& subject() const override { return about; }
  const TuneSpace& space() const override { return axes; }
  TuneValues standard() const override { return TuneValues(axes.axes.size(), 0); }
  bool keeps_bits(const TuneValues& v) const override { return bits_kept || v[1] == 0; }
  std::string refuse(const TuneValues& v) const override { return refused(v); }
  void prepare_reference() override {}
  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override;
  void arm() override {}
  void begin_check(const TuneValues& values) override { checked = values; }
  std::optional<std::string> poll_check() override { return error(checked); }
};

struct FakeRun : TuneRun {
  FakeTarget& target;
  TuneValues values;
  std::size_t slices = 0;
  FakeRun(FakeTarget& of, TuneValues what) : target(of), values(std::move(what)) {}

  void begin() override {
    slices = 0;
    target.runs.push_back(values);
  }
  bool enqueue(double) override { return ++slices == target.slices_of_run; }
  std::optional<Times> poll() override {
    if (!target.ends(values)) return std::nullopt;
    const double whole = target.seconds(values) * target.noise(target.runs.size());
    const double took = whole / static_cast<double>(target.slices_of_run);
    target.clock += took;
    return Times{target.has_stamps(target.runs.size()) ? std::optional(took) : std::nullopt, 10 * took};
  }
};

std::unique_ptr<TuneRun> FakeTarget::prepare(const TuneValues& values) {
  if (const std::string reason = unbuilt(values); !reason.empty()) throw failure(reason);
  return std::make_unique<FakeRun>(*this, values);
}

SweepSettings settings_for(FakeTarget& target) {
  SweepSettings settings;
  settings.seconds = 1e9;
  settings.now = [&target] { return target.clock; };
  return settings;
}

void finish(Sweep& sweep) {
  while (sweep.step(1)) std::this_thread::yield();  // builds are on another thread
}

TuneEntry entry_of(const Sweep& sweep, const TuneValues& values) {
  const auto found = std::ranges::find(sweep.entries(), values, &TuneEntry::values);
  EXPECT_NE(found, sweep.entries().end());
  return *found;
}

TEST(Sweep, FindsTheFastestOfASmallSpace) {
  FakeTarget target;
  Sweep sweep(target, settings_for(target));
  EXPECT_TRUE(sweep.exhaustive());
  finish(sweep);
  ASSERT_NE(sweep.best(), nullptr);
  EXPECT_EQ(sweep.best()->values, (TuneValues{4, 3}));
  EXPECT_EQ(sweep.entries().size(), 30U);
  EXPECT_TRUE(sweep.complete());
  EXPECT_NEAR(sweep.best()->median, 1e-3, 1e-6) << "the device's time, not the host's";
  EXPECT_EQ(sweep.standard().values, (TuneValues{0, 0}));
}

TEST(Sweep, SearchesALargeSpaceWithoutTryingAllOfIt) {
  FakeTarget target;
  target.axes = {{axis("a", 20), axis("b", 20), axis("c", 20)}};
  target.seconds = [](const TuneValues& v) {
    return 1e-3 * (1 + std::abs(static_cast<double>(v[0]) - 13) + std::abs(static_cast<double>(v[1]) - 7) +
                   std::abs(static_cast<double>(v[2]) - 2));
  };
  SweepSettings settings = settings_for(target);
  settings.seconds = 60;
  Sweep sweep(target, settings);
  EXPECT_FALSE(sweep.exhaustive());
  finish(sweep);
  ASSERT_NE(sweep.best(), nullptr);
  EXPECT_EQ(sweep.best()->values, (TuneValues{13, 7, 2}));
  EXPECT_LT(sweep.entries().size(), 8000U);
}

TEST(Sweep, AFastAndWrongCandidateIsNeverTheBest) {
  FakeTarget target;
  target.error = [](const TuneValues& v) { return v == TuneValues{4, 3} ? "body 7 is off by 3 %" : ""; };
  Sweep sweep(target, settings_for(target));
  while (sweep.step(1)) {
    if (sweep.best() != nullptr) {
      ASSERT_NE(sweep.best()->values, (TuneValues{4, 3}));
    }
  }
  const TuneEntry& wrong = entry_of(sweep, {4, 3});
  EXPECT_EQ(wrong.state, TuneState::wrong);
  EXPECT_EQ(wrong.reason, "body 7 is off by 3 %");
  EXPECT_TRUE(wrong.seconds.empty()) << "what is wrong is not timed";
  ASSERT_NE(sweep.best(), nullptr);
  EXPECT_NEAR(sweep.best()->median, 2e-3, 1e-5);
}

TEST(Sweep, ACandidateThatDoesNotEndFailsAndIsNeverTriedAgain) {
  FakeTarget target;
  target.ends = [](const TuneValues& v) { return v != TuneValues{4, 3}; };
  Sweep sweep(target, settings_for(target));
  while (target.runs.empty() || target.runs.back() != TuneValues{4, 3}) ASSERT_TRUE(sweep.step(1));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(sweep.step(1));
  EXPECT_TRUE(sweep.on_device());
  EXPECT_EQ(sweep.give_up_running("it did not end"), "a 4, b 3: it did not end");
  EXPECT_FALSE(sweep.step(1));
  EXPECT_FALSE(sweep.complete());
  EXPECT_EQ(entry_of(sweep, {4, 3}).state, TuneState::failed);

  const std::size_t before = target.runs.size();
  Sweep next(target, settings_for(target), {sweep.entries(), sweep.host_times()});
  finish(next);
  EXPECT_TRUE(next.complete());
  EXPECT_EQ(std::count(target.runs.begin() + static_cast<std::ptrdiff_t>(before), target.runs.end(), TuneValues{4, 3}),
            0);
  EXPECT_NEAR(next.best()->median, 2e-3, 1e-5);
}

TEST(Sweep, WithoutABudgetNothingIsTimed) {
  FakeTarget target;
  Sweep sweep(target, settings_for(target));
  const auto until = [&](auto holds) {
    for (int i = 0; i < 100000 && !holds(); ++i) {
      sweep.step(0);
      std::this_thread::yield();
    }
  };
  until([&] { return !target.runs.empty(); });
  ASSERT_EQ(target.runs.size(), 1U) << "the standard is built, and waits for its turn";
  until([] { return false; });
  EXPECT_FALSE(sweep.on_device());
  EXPECT_EQ(target.clock, 0);
  sweep.step(1);
  EXPECT_TRUE(sweep.on_device());
}

TEST(Sweep, TheBestIsCheckedAgainAfterItsRuns) {
  FakeTarget target;
  std::map<TuneValues, int> checks;
  target.error = [&](const TuneValues& v) {
    return v == TuneValues{4, 3} && ++checks[v] > 1 ? "only the first time" : "";
  };
  Sweep sweep(target, settings_for(target));
  finish(sweep);
  EXPECT_EQ(entry_of(sweep, {4, 3}).state, TuneState::wrong);
  ASSERT_NE(sweep.best(), nullptr);
  EXPECT_NE(sweep.best()->values, (TuneValues{4, 3}));
}

TEST(Sweep, EndsIfTheDefaultIsWrong) {
  FakeTarget target;
  target.error = [](const TuneValues& v) { return v == TuneValues{0, 0} ? "NaN" : ""; };
  Sweep sweep(target, settings_for(target));
  finish(sweep);
  EXPECT_EQ(sweep.fault(), "wrong: NaN");
  EXPECT_EQ(sweep.best(), nullptr);
}

TEST(Sweep, EveryRejectionHasItsReason) {
  FakeTarget target;
  target.refused = [](const TuneValues& v) { return v[0] == 5 ? "too many work-items" : ""; };
  target.unbuilt = [](const TuneValues& v) { return v[1] == 4 ? "does not build" : ""; };
  Sweep sweep(target, settings_for(target));
  finish(sweep);
  for (const TuneEntry& entry : sweep.entries()) {
    const bool legal = entry.values[0] != 5 && entry.values[1] != 4;
    EXPECT_EQ(entry.right(), legal);
    if (legal) continue;
    EXPECT_EQ(entry.state, TuneState::rejected);
    EXPECT_NE(entry.reason.find(entry.values[0] == 5 ? "too many work-items" : "does not build"), std::string::npos);
  }
}

TEST(Sweep, RunsCandidatesInTurns) {
  FakeTarget target;
  target.axes = {{axis("a", 3)}};
  target.seconds = [](const TuneValues& v) { return 1e-3 * (1 + 1e-5 * static_cast<double>(v[0])); };
  SweepSettings settings = settings_for(target);
  settings.spread = 0;  // so that all candidates take all runs
  Sweep sweep(target, settings);
  finish(sweep);
  // After the last build, at most two runs of each other candidate lie between two runs of a candidate.
  const std::size_t built = 26 + 2 + 2;
  std::map<std::int64_t, std::size_t> last;
  for (std::size_t k = built; k + 26 < target.runs.size(); ++k) {
    const std::int64_t a = target.runs[k][0];
    if (last.contains(a)) {
      EXPECT_LE(k - last[a], 5U) << "run " << k;
    }
    last[a] = k;
  }
  EXPECT_EQ(last.size(), 3U);
}

TEST(Sweep, DropsClearlySlowerCandidates) {
  FakeTarget target;
  SweepSettings settings = settings_for(target);
  settings.spread = 1e-5;
  Sweep sweep(target, settings);
  finish(sweep);
  const TuneEntry& slow = entry_of(sweep, {1, 0});  // 19 times slower
  EXPECT_EQ(slow.state, TuneState::slower);
  EXPECT_LE(slow.seconds.size(), Sweep::fewest_runs);
  EXPECT_EQ(sweep.best()->seconds.size(), settings.most_runs);
  for (const TuneEntry& entry : sweep.entries())
    if (entry.state == TuneState::slower && entry.seconds.size() >= Sweep::fewest_runs) {
      EXPECT_GT(entry.interval.lower, sweep.best()->interval.upper);
    }
}

TEST(Sweep, NoisyCandidatesAreRepeatedUntilTheyAreKnown) {
  FakeTarget target;
  target.axes = {{axis("a", 1), axis("b", 1)}};
  SweepSettings settings = settings_for(target);
  Sweep quiet(target, settings);
  finish(quiet);
  EXPECT_EQ(quiet.standard().seconds.size(), Sweep::fewest_runs);
  target.noise = [](std::size_t run) { return 1 + 0.2 * static_cast<double>(run % 5); };
  Sweep noisy(target, settings);
  finish(noisy);
  EXPECT_EQ(noisy.standard().seconds.size(), settings.most_runs);
}

TEST(Sweep, ReportsADriverWithoutTimings) {
  FakeTarget target;
  target.has_stamps = [](std::size_t run) { return run < 12; };  // none after the 12th run
  Sweep sweep(target, settings_for(target));
  finish(sweep);
  EXPECT_TRUE(sweep.host_times());
  ASSERT_NE(sweep.best(), nullptr);
  EXPECT_EQ(sweep.best()->values, (TuneValues{4, 3}));
  EXPECT_NEAR(sweep.best()->median, 1e-2, 1e-5);
  EXPECT_GT(sweep.standard().interval.lower, 0.1) << "times of two clocks are never mixed";
}

TEST(Sweep, StopsInTimeButMeasuresTheDefault) {
  FakeTarget target;
  SweepSettings settings = settings_for(target);
  settings.seconds = 0;
  Sweep sweep(target, settings);
  finish(sweep);
  EXPECT_FALSE(sweep.complete());
  EXPECT_EQ(sweep.standard().seconds.size(), Sweep::fewest_runs);
  ASSERT_NE(sweep.best(), nullptr);
  EXPECT_EQ(sweep.best()->values, sweep.standard().values);
}

TEST(Sweep, CanBeCancelledAtAnyStep) {
  for (int steps = 0; steps < 60; ++steps) {
    FakeTarget target;
    target.slices_of_run = 3;
    Sweep sweep(target, settings_for(target));
    for (int k = 0; k < steps; ++k) sweep.step(1);
    sweep.cancel();
    finish(sweep);
    EXPECT_TRUE(sweep.done());
    EXPECT_FALSE(sweep.complete());
  }
}

TEST(Sweep, ContinuesWhereItWasStopped) {
  FakeTarget first;
  SweepSettings settings = settings_for(first);
  settings.seconds = 1;
  Sweep stopped(first, settings);
  finish(stopped);
  ASSERT_FALSE(stopped.complete());
  std::set<TuneValues> finished;
  for (const TuneEntry& entry : stopped.entries())
    if (entry.state == TuneState::slower) finished.insert(entry.values);
  ASSERT_FALSE(finished.empty());

  FakeTarget second;
  Sweep resumed(second, settings_for(second), {stopped.entries(), false});
  finish(resumed);
  EXPECT_TRUE(resumed.complete());
  EXPECT_EQ(resumed.entries().size(), 30U);
  EXPECT_EQ(resumed.best()->values, (TuneValues{4, 3}));
  for (const TuneValues& run : second.runs) EXPECT_FALSE(finished.contains(run)) << "measured twice";
}

TEST(Sweep, AutoNeverChangesBits) {
  FakeTarget target;
  target.bits_kept = false;
  Sweep sweep(target, settings_for(target));
  finish(sweep);
  EXPECT_EQ(sweep.best()->values, (TuneValues{4, 3}));
  ASSERT_NE(sweep.choice(), nullptr);
  EXPECT_EQ(sweep.choice()->values, (TuneValues{4, 0}));
}

// The k-th smallest and the k-th largest of n values enclose the median with the confidence of the sign test:
// n = 6, k = 1: 96.9 %; n = 10, k = 2: 97.9 %; n = 25, k = 8: 95.7 %.
TEST(MedianInterval, LiesBetweenTheOrderStatisticsOfTheSignTest) {
  const auto ranks = [](int n) {
    std::vector<double> sample;
    for (int k = n; k >= 1; --k) sample.push_back(k);
    return median_interval(sample);
  };
  EXPECT_TRUE(std::isinf(ranks(5).upper) && std::isinf(ranks(5).lower)) << "five tell nothing";
  for (const auto& [n, k] :
       {std::pair{6, 1}, {8, 1}, {9, 2}, {10, 2}, {15, 4}, {20, 6}, {25, 8}, {30, 10}, {100, 40}}) {
    EXPECT_EQ(ranks(n).lower, k) << n;
    EXPECT_EQ(ranks(n).upper, n + 1 - k) << n;
  }
  EXPECT_NEAR(ranks(1001).lower, 470, 1) << "where the normal distribution takes over";
}

TEST(MedianInterval, HoldsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> draw(1);
  constexpr int trials = 4000;
  int held = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> sample(12);
    for (double& value : sample) value = draw(random);
    const Interval interval = median_interval(sample);
    held += interval.lower <= std::log(2) && std::log(2) <= interval.upper;
  }
  // 96.1 % for n = 12, k = 3; five standard deviations of the count are 1.5 %.
  EXPECT_NEAR(static_cast<double>(held) / trials, 0.961, 0.016);
}

}  // namespace
}  // namespace orrery
