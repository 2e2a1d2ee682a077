// The timeline: its ring, the alignment of clocks, and the exported trace.
#include "base/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/trace_file.hpp"
#include "compute/queue/event_time.hpp"
#include "scratch.hpp"

namespace orrery {
namespace {

TimelineSpan span(std::int64_t start, std::int64_t end, std::uint16_t lane = 0, std::uint16_t name = 0) {
  return {.queued = start, .submitted = start, .start = start, .end = end, .name = name, .lane = lane};
}

TEST(Timeline, KeepsTheNewestSpansAndCountsTheLost) {
  Timeline timeline(8);
  const std::uint16_t name = timeline.name("k");
  timeline.record(true);
  for (int i = 0; i < 21; ++i) timeline.add(span(10 * i, 10 * i + 5, Timeline::window_lane, name));
  const TimelineView view = timeline.view();
  ASSERT_EQ(view.spans.size(), 8U);
  EXPECT_EQ(view.lost, 13U);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(view.spans[static_cast<std::size_t>(i)].start, 10 * (13 + i));
  EXPECT_EQ(timeline.view(3).spans.front().start, 180);
}

TEST(Timeline, RecordsOnlyWhileWatched) {
  Timeline timeline(8);
  timeline.add(span(1, 2));
  { const TimelinePhase phase(timeline, "draw"); }
  timeline.next_frame(5);
  EXPECT_TRUE(timeline.view().spans.empty());
  EXPECT_EQ(timeline.frame(), 0U);
}

TEST(Timeline, AFrameLastsFromOnePresentToTheNext) {
  Timeline timeline(8);
  timeline.record(true);
  timeline.next_frame(100);  // the frame began before recording
  timeline.next_frame(116);
  timeline.next_frame(133);
  const TimelineView view = timeline.view();
  ASSERT_EQ(view.spans.size(), 2U);
  EXPECT_EQ(view.spans[0].start, 100);
  EXPECT_EQ(view.spans[0].end, view.spans[1].start);
  EXPECT_EQ(view.spans[1].end, 133);
  EXPECT_EQ(view.spans[1].frame, view.spans[0].frame + 1);
}

TEST(Timeline, PhasesOfTheThreadNestInTheirOrder) {
  Timeline timeline(8);
  timeline.record(true);
  {
    const TimelinePhase outer(timeline, "outer");
    const TimelinePhase inner(timeline, "inner");
  }
  const TimelineView view = timeline.view();
  ASSERT_EQ(view.spans.size(), 2U);
  const auto named = [&](const char* name) {
    return *std::ranges::find(view.spans, name, [&](const TimelineSpan& s) { return view.names[s.name]; });
  };
  EXPECT_LE(named("outer").start, named("inner").start);
  EXPECT_GE(named("outer").end, named("inner").end);
}

/// A device's clock that is `ahead` of the host's at 0, and fast by `drift`.
struct OtherClock {
  double ahead, drift;
  std::int64_t at(std::int64_t host) const { return std::llround(static_cast<double>(host) * (1 + drift) + ahead); }
  double offset(std::int64_t host) const { return static_cast<double>(host - at(host)); }  // host − other
};

class ClockOffsetOf : public testing::TestWithParam<OtherClock> {};

TEST_P(ClockOffsetOf, ContainsTheTrueOffsetAndIsAsNarrowAsTheBestObservation) {
  const OtherClock other = GetParam();
  ClockOffset clock;
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> early(0, 400'000), late(0, 9'000'000);
  std::int64_t narrowest = 0;
  for (std::int64_t frame = 1; frame <= 600; ++frame) {
    const std::int64_t queued = frame * 16'000'000, end = queued + 3'000'000;
    const std::int64_t began = queued - early(random), seen = end + late(random);
    const bool good = frame % 50 == 0;  // sometimes the host polls just in time
    clock.observe(seen, (good ? queued - 2'000 : began) - other.at(queued),
                  (good ? end + 3'000 : seen) - other.at(end));
    ASSERT_TRUE(clock.known());
    const double truth = other.offset(seen);
    ASSERT_LE(std::abs(static_cast<double>(clock.offset()) - truth), static_cast<double>(clock.error()) + 1) << frame;
    if (good) narrowest = clock.error();
  }
  // At most 5 µs plus the drift over the 3 ms between the two moments; the kept middle may be an edge.
  EXPECT_LE(narrowest, 5'000 + 2 * 600);
  EXPECT_GT(narrowest, 0);
}

// Offsets of 0 and ±1 hour; drifts up to those of crystal oscillators.
INSTANTIATE_TEST_SUITE_P(Drifts, ClockOffsetOf,
                         testing::Values(OtherClock{0, 0}, OtherClock{3.6e12, 0}, OtherClock{-3.6e12, 9e-5},
                                         OtherClock{1e6, -9e-5}, OtherClock{12345, 3e-5}));

TEST(ClockOffset, AgesOnlyByTheDrift) {
  ClockOffset clock(1e-4);
  clock.observe(0, 1'000, 3'000);
  EXPECT_EQ(clock.offset(), 2'000);
  EXPECT_EQ(clock.error(), 1'000);
  clock.observe(10'000'000, -1'000'000, 1'000'000);  // no information; 10 ms at 100 ppm are 1 µs
  EXPECT_EQ(clock.offset(), 2'000) << "what is possible stays";
  EXPECT_EQ(clock.error(), 2'000);
}

TEST(ClockOffset, BeginsAnewWhenAClockWasSet) {
  ClockOffset clock;
  clock.observe(0, 1'000, 3'000);
  clock.observe(1'000, 70'000'000, 70'004'000);
  EXPECT_EQ(clock.offset(), 70'002'000);
  EXPECT_EQ(clock.error(), 2'000);
  clock.observe(2'000, 9, 8);  // no interval at all
  EXPECT_EQ(clock.offset(), 70'002'000);
}

// ---- the trace

/// Two queues, frames and phases; names that JSON must escape.
TimelineView made_up() {
  Timeline timeline(1024);
  timeline.record(true);
  const std::uint16_t first = timeline.lane("A \"fast\" device", LaneKind::queue);
  const std::uint16_t second = timeline.lane("A\\B", LaneKind::queue);
  timeline.state_of(second).clock_known = false;
  timeline.state_of(second).untimed = 12;
  timeline.state_of(first).clock_error = 1500;
  timeline.lane("OpenGL", LaneKind::gl);
  const std::uint16_t forces = timeline.name("forces"), read = timeline.name("read");
  for (std::int64_t i = 0; i < 50; ++i) {
    const std::int64_t at = 1'000'000'000'000'123 + i * 1'000'003;
    timeline.add({.queued = at,
                  .submitted = at + 1'001,
                  .start = at + 20'000,
                  .end = at + 520'007,
                  .global = {4096, 0},
                  .local = {64, 0},
                  .frame = 7,
                  .name = forces,
                  .lane = first});
    timeline.add(span(at + 600'000, at + 700'001, first, read));
    timeline.add(span(at, at + 999'999, Timeline::window_lane, timeline.name("draw")));
  }
  return timeline.view();
}

nlohmann::json parsed(const TimelineView& view) {
  std::ostringstream text;
  write_trace(text, view);
  return nlohmann::json::parse(text.str());
}

TEST(Trace, IsValidAndHoldsEverySpanOnce) {
  const TimelineView view = made_up();
  const nlohmann::json trace = parsed(view);
  std::map<std::string, int> counts;
  double sum = 0;
  for (const auto& event : trace["traceEvents"]) {
    ASSERT_TRUE(event["ph"] == "X" || event["ph"] == "M");
    if (event["ph"] != "X") continue;
    ++counts[event["name"]];
    EXPECT_GE(event["ts"].get<double>(), 0);
    if (event["name"] == "forces") sum += event["dur"].get<double>();
  }
  EXPECT_EQ(counts, (std::map<std::string, int>{{"forces", 50}, {"read", 50}, {"draw", 50}}));
  EXPECT_NEAR(sum, 50 * 500.007, 1e-6) << "to the nanosecond";
}

TEST(Trace, IsInTheOrderOfTimeAndNothingInALaneOverlaps) {
  std::map<int, double> last_end;
  double last = 0;
  const nlohmann::json trace = parsed(made_up());
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const double at = event["ts"];
    EXPECT_GE(at, last);
    last = at;
    double& end = last_end[event["tid"]];
    EXPECT_GE(at, end - 1e-9);
    end = at + event["dur"].get<double>();
  }
  EXPECT_EQ(last_end.size(), 2U);
}

TEST(Trace, NamesProcessesAndThreads) {
  const nlohmann::json trace = parsed(made_up());
  std::map<int, std::string> processes, threads;
  for (const auto& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") processes[event["pid"]] = event["args"]["name"];
    if (event["name"] == "thread_name") threads[event["tid"]] = event["args"]["name"];
  }
  EXPECT_EQ(processes.at(2), "OpenCL");
  EXPECT_EQ(threads.at(2), "A \"fast\" device");
  EXPECT_EQ(threads.at(3), "A\\B");
  const auto& lanes = trace["otherData"]["lanes"];
  EXPECT_DOUBLE_EQ(lanes[2]["clock_error_us"], 1.5);
  EXPECT_TRUE(lanes[3]["clock_error_us"].is_null());
  EXPECT_EQ(lanes[3]["untimed"], 12);
}

TEST(Trace, HasTheWaitAndTheRangeOfACommand) {
  const nlohmann::json trace = parsed(made_up());
  for (const auto& event : trace["traceEvents"]) {
    if (event["name"] != "forces") continue;
    EXPECT_DOUBLE_EQ(event["args"]["queued_to_submitted_us"], 1.001);
    EXPECT_DOUBLE_EQ(event["args"]["submitted_to_running_us"], 18.999);
    EXPECT_EQ(event["args"]["global"], "4096");
    EXPECT_EQ(event["args"]["local"], "64");
    EXPECT_EQ(event["args"]["frame"], 7);
    return;
  }
  FAIL() << "no such event";
}

TEST(Trace, EmptyTimelineGivesAValidTrace) { EXPECT_FALSE(parsed(Timeline(4).view())["traceEvents"].empty()); }

TEST(Trace, ABadPathLeavesNothingBehind) {
  const auto folder = scratch("trace");
  std::filesystem::create_directories(folder);
  EXPECT_THROW(write_trace(folder / "missing" / "trace.json", made_up()), Error);
  EXPECT_THROW(write_trace(folder, made_up()), Error) << "a folder";
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST(RunningTimes, CountANanosecondOnceForAnyNumberOfLaunches) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::set<cl_ulong> nanoseconds;
    std::vector<EventTimes> commands(random() % 8);
    for (EventTimes& each : commands) {
      each.start = 100 + random() % 40;
      each.end = each.start + random() % 12;
      for (cl_ulong time = each.start; time < each.end; ++time) nanoseconds.insert(time);
    }
    commands.push_back({});  // counted without a time
    EXPECT_EQ(time_of_any(commands), nanoseconds.size()) << round;
  }
}

}  // namespace
}  // namespace orrery
