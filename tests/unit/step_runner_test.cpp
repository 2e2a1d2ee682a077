/// The life cycle of a simulation in a window: its phases and courses, and a runner with a fake simulation.
#include "scene/step_runner.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <deque>
#include <set>
#include <thread>

namespace orrery {
namespace {

using step::Course;
using step::Event;
using step::Next;
using step::PhaseName;
using step::Turn;

constexpr std::array every_phase{PhaseName::empty,   PhaseName::attached,  PhaseName::preparing, PhaseName::vacant,
                                 PhaseName::resting, PhaseName::computing, PhaseName::unseen,    PhaseName::lent};
constexpr std::array every_event{Event::attach,    Event::prepare,     Event::fail,     Event::rest,
                                 Event::show,      Event::begin_burst, Event::end_part, Event::end_burst,
                                 Event::publish,   Event::show_again,  Event::lend,     Event::give_back,
                                 Event::interrupt, Event::leave};
constexpr std::array every_course{Course::go_on,   Course::renew, Course::hand_over,
                                  Course::replace, Course::mend,  Course::leave};
constexpr std::array every_turn{Turn::renew,  Turn::hand_over, Turn::replace, Turn::mend,
                                Turn::arrive, Turn::give_up,   Turn::leave};

TEST(StepPhases, EveryPhaseButTheFirstIsLeftForNoDevice) {
  for (const PhaseName phase : every_phase) {
    const auto next = step::after(phase, Event::leave);
    if (phase == PhaseName::empty)
      EXPECT_FALSE(next);
    else
      EXPECT_EQ(next, PhaseName::empty);
  }
}

TEST(StepPhases, EveryPhaseCanBeReached) {
  std::set<PhaseName> reached{PhaseName::empty};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const PhaseName phase : std::set(reached))
      for (const Event event : every_event)
        if (const auto next = step::after(phase, event)) reached.insert(*next);
  }
  EXPECT_EQ(reached.size(), every_phase.size());
}

TEST(StepPhases, OneBurstPassesThroughThePhasesInTheirOrder) {
  const std::array<std::pair<Event, PhaseName>, 10> life{{{Event::attach, PhaseName::attached},
                                                          {Event::prepare, PhaseName::preparing},
                                                          {Event::show, PhaseName::unseen},
                                                          {Event::publish, PhaseName::resting},
                                                          {Event::begin_burst, PhaseName::computing},
                                                          {Event::end_part, PhaseName::resting},
                                                          {Event::begin_burst, PhaseName::computing},
                                                          {Event::end_burst, PhaseName::unseen},
                                                          {Event::publish, PhaseName::resting},
                                                          {Event::leave, PhaseName::empty}}};
  PhaseName phase = PhaseName::empty;
  for (const auto& [event, next] : life) {
    ASSERT_EQ(step::after(phase, event), next);
    phase = next;
  }
}

TEST(StepPhases, NothingBeginsWhileAWorkerHasTheSimulation) {
  for (const Event event : every_event) {
    const bool legal = event == Event::give_back || event == Event::leave;
    EXPECT_EQ(step::after(PhaseName::lent, event).has_value(), legal);
  }
}

TEST(StepPhases, ADeviceIsGivenOnlyWithoutAnother) {
  for (const PhaseName phase : every_phase)
    EXPECT_EQ(step::after(phase, Event::attach).has_value(), phase == PhaseName::empty);
}

TEST(StepCourses, ACourseToAnotherDeviceIsKeptAfterAnyEvent) {
  for (const Course course : every_course) EXPECT_EQ(step::after(course, Turn::leave), Course::leave);
  for (const Turn turn : every_turn) EXPECT_EQ(step::after(Course::leave, turn), Course::leave);
}

TEST(StepCourses, AnInterruptedSimulationNeverContinues) {
  for (const Turn turn : every_turn) {
    const auto next = step::after(Course::mend, turn);
    if (turn == Turn::arrive)
      EXPECT_EQ(next, Course::go_on) << "its successor";
    else if (turn == Turn::give_up || turn == Turn::renew)
      EXPECT_FALSE(next);
    else
      EXPECT_TRUE(next == Course::mend || next == Course::leave);
  }
}

TEST(StepCourses, ASuccessorContinuesTheSimulation) {
  for (const Course course : every_course) {
    const bool keeps = course == Course::leave || course == Course::renew;
    EXPECT_EQ(step::after(course, Turn::arrive), keeps ? course : Course::go_on);
  }
}

TEST(StepCourses, TheNextPhaseAtRestFollowsTheTable) {
  struct Row {
    step::AtRest at_rest;
    Next next;
  };
  // course, expendable, diverged, steps wanted
  const std::array<Row, 16> table{{{{Course::go_on, false, false, true}, Next::compute},
                                   {{Course::go_on, true, false, true}, Next::compute},
                                   {{Course::go_on, false, true, true}, Next::compute},
                                   {{Course::go_on, false, false, false}, Next::watch},
                                   {{Course::replace, false, false, true}, Next::compute},
                                   {{Course::replace, false, false, false}, Next::watch},
                                   {{Course::renew, false, false, true}, Next::fetch},
                                   {{Course::renew, false, false, false}, Next::fetch},
                                   {{Course::renew, true, false, true}, Next::hand_over},
                                   {{Course::renew, false, true, true}, Next::rewind},
                                   {{Course::renew, true, true, true}, Next::rewind},
                                   {{Course::hand_over, true, false, true}, Next::stand},
                                   {{Course::mend, false, false, true}, Next::stand},
                                   {{Course::leave, false, false, true}, Next::fetch},
                                   {{Course::leave, true, false, true}, Next::stand},
                                   {{Course::leave, false, true, true}, Next::stand}}};
  for (const Row& row : table) EXPECT_EQ(step::next_of(row.at_rest), row.next);
}

// ---- the small members

TEST(RateMeters, CountTheWorkAfterTheFirstBurstOfTheLastSecond) {
  RateMeter meter;
  meter.add(10, {100, 0});
  EXPECT_EQ(meter.rate().steps, 0);
  meter.add(10.5, {3, 12});
  EXPECT_DOUBLE_EQ(meter.rate().steps, 6);
  EXPECT_DOUBLE_EQ(meter.rate().work, 24);
  meter.add(11.25, {1, 4});
  EXPECT_DOUBLE_EQ(meter.rate().steps, 1 / 0.75) << "the first has left the window";
}

TEST(RateMeters, CountOverLongerTimes) {
  RateMeter meter;
  for (const double when : {0.0, 4.0, 6.0, 8.5}) meter.add(when, {10, 20});
  EXPECT_DOUBLE_EQ(meter.rate(5).steps, 20 / 4.5)
      << "the first two bursts have left the window, the second as its begin";
  EXPECT_DOUBLE_EQ(meter.rate(1).steps, 10 / 2.5) << "the last two bursts, however long they are";
}

TEST(RefusalCounts, AreTooManyWhereThreeComeInTenSeconds) {
  Refusals refusals;
  EXPECT_FALSE(refusals.add(0));
  EXPECT_FALSE(refusals.add(4));
  EXPECT_FALSE(refusals.add(11)) << "the first is forgotten";
  EXPECT_TRUE(refusals.add(12));
}

TEST(PartLengths, ApproachHalfASecond) {
  PartLength part;
  for (int k = 0; k < 20; ++k) part.fit(0.01 * static_cast<double>(part.steps()), 1'000'000);
  EXPECT_GE(part.steps(), 30);
  EXPECT_LE(part.steps(), 70);
  for (int k = 0; k < 20; ++k) part.fit(2.0 * static_cast<double>(part.steps()), 1'000'000);
  EXPECT_EQ(part.steps(), 1);
}

// ---- a simulation that counts its steps, on a fake device

struct FakeDevice {
  bool yields = false;
  int slices_a_burst = 1;
  bool wants_worker = false;
  int worked = 0;                      // number of polls of the worker
  bool answers = true;                 // whether slices end
  bool has_room = false;               // for more slices while others run
  bool told_all = true;                // at rest, everything shown is known
  std::deque<Error> fails;             // errors of the next slices
  std::deque<Error> fails_to_prepare;  // errors of the next preparations
  std::vector<std::string> log;
};

struct FakeSettings {
  std::int64_t burst = 1;
  int kind = 0;     // a new value starts from the beginning
  int build = 0;    // a new value needs a new preparation
  int kernels = 0;  // a new value is exchanged live
  double nan_at = 1e9;
  bool operator==(const FakeSettings&) const = default;
};
struct FakeState {
  std::int64_t step = 0;
  int kind = 0;
  bool finite = true;
};
struct FakeDownload {
  FakeState state;
  bool complete() const { return true; }
  bool arrived() const { return true; }
  double seconds() const { return 0; }
};

struct FakeSource {
  using State = FakeState;
  using Download = FakeDownload;
  FakeState present;
  bool fits(const FakeDownload&) const { return true; }
  std::unique_ptr<FakeDownload> make_download() const { return std::make_unique<FakeDownload>(); }
  void begin(FakeDownload& download) const { download.state = present; }
  static Backup<FakeState> backup_of(const FakeDownload& download) {
    return {std::make_shared<const FakeState>(download.state), download.state.finite ? 0U : 1U};
  }
  static std::string text_of(const FakeState&) { return "1 counter"; }
};

class Counter {
 public:
  using Context = FakeDevice;
  using Settings = FakeSettings;
  struct Terms {};
  using State = FakeState;
  struct Prepared {
    FakeSettings settings;
    FakeState state;
  };
  struct Record {
    int begun = 0;  // number of histories begun
  };
  static constexpr std::string_view noun = "counters", advice = "Count more slowly";
  static constexpr bool splits_bursts = true, computes_while_publishing = false, publishes_behind = true;
  static constexpr bool resets_to_resumed = false;

  static Terms merged(const Terms&, const Terms&, const FakeSettings&, const FakeSettings&) { return {}; }
  static SettingsChange change(const FakeSettings& from, const FakeSettings& to, const Terms&, const FakeDevice*) {
    if (from.kind != to.kind) return SettingsChange::restart;
    if (from.build != to.build) return SettingsChange::renew;
    return from.kernels != to.kernels ? SettingsChange::amend : SettingsChange::live;
  }
  static std::function<Prepared()> preparation(FakeDevice& device, const FakeSettings& settings, const Terms&,
                                               std::shared_ptr<const FakeState> state, const Counter*,
                                               const std::shared_ptr<Announced<ProgramPlan>>&, Record&) {
    std::optional<Error> error;
    if (!device.fails_to_prepare.empty()) {
      error = device.fails_to_prepare.front();
      device.fails_to_prepare.pop_front();
    }
    return [settings, error, state = state ? *state : FakeState{0, settings.kind, true}] {
      if (error) throw *error;
      return Prepared{settings, state};
    };
  }
  static const FakeSettings& settings_of(const Prepared& prepared) { return prepared.settings; }
  static void adopt(FakeSettings&, const FakeSettings&, const Terms&) {}
  static FakeSettings taken_back(const FakeSettings&, const FakeSettings& good) { return good; }
  static std::optional<FakeSettings> fallback(const FakeSettings& settings, const Error&) {
    if (settings.build == 0) return std::nullopt;
    FakeSettings plain = settings;
    plain.build = 0;
    return plain;
  }
  static FakeSettings after_refusal(const FakeSettings& settings) { return settings; }
  static std::int64_t step_of(const FakeState& state) { return state.step; }
  static std::string title_of(const FakeSettings&) { return "a counter"; }

  Counter(FakeDevice& device, Prepared prepared, Record& record, Start how)
      : device_(device), state_(prepared.state), settings_(prepared.settings) {
    if (how == Start::afresh) ++record.begun;
  }

  const FakeState& state() const { return state_; }
  const FakeSettings& built() const { return settings_; }

  void take(const FakeSettings&) {}
  void amend(const FakeSettings& settings) { amendment_ = settings; }
  bool amending() const { return amendment_.has_value(); }
  bool take_amendment() {
    if (!amendment_) return false;
    settings_ = *std::exchange(amendment_, {});
    return true;
  }
  bool give_up_amendment() { return std::exchange(amendment_, {}).has_value(); }
  void expect_successor() { amendment_.reset(); }
  bool settle(const step::Burst&) { return true; }
  bool watch() { return false; }
  bool wants_worker(step::Course) const { return device_.wants_worker; }
  void lend() { device_.wants_worker = false; }
  bool take_back() { return ++device_.worked > 3; }
  FakeSource backup_source() const { return {state_}; }
  std::int64_t version() const { return state_.step; }
  bool at_beginning() const { return !known_; }
  bool quiet() const { return true; }
  bool told_all() const { return device_.told_all; }
  std::size_t size() const { return 1; }
  bool evaluates(const FakeSettings&) const { return !known_; }
  std::optional<std::int64_t> fixed_burst() const { return std::nullopt; }
  double begin_burst(const step::Burst& burst, const FakeSettings& settings, Pace) {
    device_.log.push_back("burst " + std::to_string(burst.steps));
    left_ = device_.slices_a_burst;
    steps_ = burst.steps;
    nan_at_ = settings.nan_at;
    return static_cast<double>(burst.steps);
  }
  bool has_room() const { return device_.answers || device_.has_room; }
  bool slice_done() const { return device_.answers; }
  void enqueue_slice() {
    if (!device_.fails.empty()) {
      const Error error = device_.fails.front();
      device_.fails.pop_front();
      throw error;
    }
    if (--left_ > 0) return;
    state_.step += steps_;
    state_.finite = static_cast<double>(state_.step) < nan_at_;
  }
  bool burst_enqueued() const { return left_ == 0; }
  double burst_progress() const { return left_ == 0 ? 1 : 0; }
  void end_burst(const step::Burst&) { known_ = true; }
  void interrupt() { device_.log.push_back("interrupt"); }
  bool shown_first() const { return true; }
  bool surface_free() { return true; }
  void publish(step::Sight) { shown_ = state_.step; }
  bool published() {
    if (!state_.finite) finding_ = Finding{Finding::Kind::suspicion};
    return true;
  }
  void collect() {}
  void flush() {}
  std::optional<Finding> take_finding() { return std::exchange(finding_, {}); }
  std::int64_t shown_step() const { return shown_; }
  std::string status() const { return {}; }
  void release(Leaving) { device_.log.push_back("release"); }

 private:
  FakeDevice& device_;
  FakeState state_;
  FakeSettings settings_;
  std::optional<FakeSettings> amendment_;
  std::optional<Finding> finding_;
  int left_ = 0;
  std::int64_t steps_ = 0, shown_ = 0;
  double nan_at_ = 1e9;
  bool known_ = false;
};

Error refusal() {
  return Error(Fault::failure, {.what = "the device refuses", .code = "CL_MEM_OBJECT_ALLOCATION_FAILURE"});
}

class Running : public testing::Test {
 protected:
  /// Runs frames of a window until the condition holds.
  template <class F>
  testing::AssertionResult until(F&& condition) {
    for (int frame = 0; frame < 2000; ++frame, now += 0.01) {
      if (condition()) return testing::AssertionSuccess();
      runner.update(now);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return testing::AssertionFailure() << "after 2000 frames";
  }
  auto steps(std::int64_t count) {
    return [this, count] { return runner.simulation() != nullptr && runner.simulation()->state().step >= count; };
  }
  std::int64_t step() { return runner.simulation()->state().step; }
  bool leave_in_order() {
    for (int frame = 0; frame < 2000 && !runner.left(); ++frame) {
      runner.leave(Leaving::in_order);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const bool left = runner.left();
    runner.leave(Leaving::at_once);
    return left;
  }

  double now = 0;
  FakeDevice device, other;
  StepRunner<Counter> runner{FakeSettings{}};
};

TEST_F(Running, BeginsWithoutForcesThenEvaluatesThemThenSteps) {
  runner.attach(device);
  EXPECT_FALSE(runner.simulation());
  ASSERT_TRUE(until(steps(3)));
  EXPECT_EQ(device.log.front(), "burst 0");
  EXPECT_GT(runner.published(), 3);
  EXPECT_EQ(runner.generation(), 1);
  ASSERT_TRUE(until([&] { return runner.rate().steps > 0; }));
}

TEST_F(Running, IsAwaitedFromTheMomentAtWhichItIsWanted) {
  runner.attach(device);
  EXPECT_TRUE(runner.awaited());
  EXPECT_TRUE(until([&] { return runner.simulation() != nullptr || !runner.awaited(); }));
  EXPECT_NE(runner.simulation(), nullptr);
  ASSERT_TRUE(until(steps(5)));
  EXPECT_FALSE(runner.awaited());
  for (const FakeSettings& other : {FakeSettings{.build = 7}, FakeSettings{.kind = 2}}) {
    const std::int64_t before = runner.generation();
    runner.set(other);
    EXPECT_TRUE(runner.awaited());
    EXPECT_TRUE(until([&] { return runner.generation() > before || !runner.awaited(); }));
    EXPECT_EQ(runner.generation(), before + 1);
  }
}

TEST_F(Running, StandsStillWhilePausedButForOneBurst) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  runner.pause(true);
  for (int i = 0; i < 3; ++i) runner.update(now);
  const std::int64_t before = step();
  for (int i = 0; i < 9; ++i) runner.update(now);
  EXPECT_EQ(step(), before);
  runner.step_once();
  for (int i = 0; i < 9; ++i) runner.update(now);
  EXPECT_EQ(step(), before + 1);
  EXPECT_TRUE(runner.paused());
}

TEST_F(Running, RestsWhenPausedAndAllThatItShowsIsKnown) {
  runner.attach(device);
  EXPECT_FALSE(runner.rests());
  runner.pause(true);
  ASSERT_TRUE(until([&] { return runner.rests(); })) << "its forces are known";
  EXPECT_EQ(step(), 0);
  const std::int64_t shown = runner.moments();
  runner.step_once();
  EXPECT_FALSE(runner.rests());
  ASSERT_TRUE(until([&] { return runner.rests(); }));
  EXPECT_EQ(step(), 1);
  EXPECT_EQ(runner.moments(), shown + 1) << "its moment is in front";
  device.told_all = false;
  EXPECT_FALSE(runner.rests());
  device.told_all = true;
  runner.pause(false);
  EXPECT_FALSE(runner.rests());
}

TEST_F(Running, EnqueuesMoreWhileSlicesAreInFlightIfThereIsRoom) {
  device.slices_a_burst = 2;
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  device.answers = false;
  const std::int64_t before = step();
  for (int i = 0; i < 20; ++i) runner.update(now);
  EXPECT_LE(step(), before + 1) << "what had been enqueued";
  device.has_room = true;
  ASSERT_TRUE(until(steps(before + 10))) << "no slice of these has ended";
}

TEST_F(Running, ContinuesBetweenFramesWithOnePicturePerFrame) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  device.answers = false;
  for (int i = 0; i < 3; ++i) runner.update(now);
  const std::int64_t before = step();
  device.answers = true;
  for (int i = 0; i < 20; ++i) runner.feed(now);
  EXPECT_EQ(step(), before + 1) << "the burst that had begun";
  runner.pause(true);
  for (int i = 0; i < 3; ++i) runner.update(now);
  const std::int64_t paused = step();
  for (int i = 0; i < 20; ++i) runner.feed(now);
  EXPECT_EQ(step(), paused);
}

TEST_F(Running, PublishesNoMorePicturesThanRequested) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  for (int i = 0; i < 40; ++i) {
    const std::int64_t before = runner.published(), moments = runner.moments();
    const int wanted = i % 2;
    runner.update(now, wanted);
    EXPECT_LE(runner.published(), before + wanted) << i;
    EXPECT_LE(runner.moments() - moments, runner.published() - before) << i;
  }
  const std::int64_t before = runner.moments();
  ASSERT_TRUE(until([&] { return runner.moments() >= before + 3; }));
}

TEST_F(Running, SpacesItsBurstsSteadily) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  runner.space_bursts(0.5);
  for (int i = 0; i < 5; ++i) runner.update(now += 1);  // finishes the enqueued work
  const std::int64_t before = step();
  for (int i = 0; i < 1000; ++i) runner.update(now += 0.01);
  EXPECT_NEAR(static_cast<double>(step() - before), 10 / 0.5, 1);
  runner.pause(true);
  for (int i = 0; i < 500; ++i) runner.update(now += 0.01);
  runner.pause(false);
  const std::int64_t paused = step();
  for (int i = 0; i < 100; ++i) runner.update(now += 0.01);
  EXPECT_NEAR(static_cast<double>(step() - paused), 1 / 0.5, 1) << "nothing is made up for";
  runner.step_once();
  const std::int64_t waits = step();
  for (int i = 0; i < 9; ++i) runner.update(now);
  EXPECT_EQ(step(), waits + 1) << "what is asked for comes at once";
}

TEST_F(Running, TakesItsStateToAnotherDevice) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  ASSERT_TRUE(leave_in_order());
  EXPECT_EQ(step::name_of(runner.phase()), PhaseName::empty);
  const std::int64_t last = runner.last_state()->step;
  EXPECT_GE(last, 5);
  runner.attach(other);
  ASSERT_TRUE(until([&] { return runner.simulation() != nullptr; }));
  EXPECT_EQ(step(), last);
  EXPECT_EQ(runner.record().begun, 1) << "its history goes on";
}

TEST_F(Running, ContinuesFromAStateChangedByHand) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  std::shared_ptr<const FakeState> before, after;
  runner.edit({[](FakeState& state) { state.step += 1000; },
               [&](auto from, auto to) { before = std::move(from), after = std::move(to); }});
  EXPECT_TRUE(runner.editing());
  ASSERT_TRUE(until(steps(1001)));
  ASSERT_TRUE(before && after);
  EXPECT_GE(before->step, 5);
  EXPECT_EQ(after->step, before->step + 1000) << "no step lies between";
  EXPECT_FALSE(runner.editing());
  EXPECT_EQ(runner.began(), Start::edited);
  EXPECT_EQ(runner.generation(), 2);
  runner.pause(true);
  runner.return_to(before);
  ASSERT_TRUE(until([&] { return runner.generation() == 3; }));
  EXPECT_EQ(step(), before->step) << "undo gives the same state";
}

TEST_F(Running, AChangeByHandIsMadeBetweenTwoFrames) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  runner.edit({[](FakeState& state) { state.step += 1000; }, [](auto, auto) {}});
  runner.update(now);
  for (int k = 0; k < 10000 && runner.editing(); ++k) {
    EXPECT_TRUE(runner.feed(now)) << "the window comes again soon";
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  EXPECT_FALSE(runner.editing());
  runner.update(now);
  EXPECT_GT(step(), 1000);
}

TEST_F(Running, MakesChangesByHandOneAfterAnother) {
  runner.attach(device);
  runner.pause(true);
  ASSERT_TRUE(until([&] { return runner.simulation() != nullptr; }));
  std::vector<std::int64_t> changed;
  for (const int by : {1000, 10}) {
    runner.edit({[by](FakeState& state) { state.step += by; },
                 [&](auto from, auto to) { changed.push_back(to->step - from->step); }});
  }
  ASSERT_TRUE(until([&] { return !runner.editing(); }));
  EXPECT_EQ(step(), 1010);
  EXPECT_EQ(changed, (std::vector<std::int64_t>{1000, 10}));
  EXPECT_EQ(runner.generation(), 2) << "they are prepared once";
}

TEST_F(Running, TakesAChangeByHandToAnotherDevice) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  bool made = false;
  runner.edit({[](FakeState& state) { state.step += 1000; }, [&](auto, auto to) { made = to != nullptr; }});
  ASSERT_TRUE(until([&] { return made; }));
  runner.leave(Leaving::at_once);  // not prepared yet
  EXPECT_GE(runner.last_state()->step, 1005);
  runner.attach(other);
  ASSERT_TRUE(until(steps(1005)));
  EXPECT_FALSE(runner.editing());
}

TEST_F(Running, AppliesALateChangeBeforeItEndsInOrder) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  runner.edit({[](FakeState& state) { state.step += 1000; }, [](auto, auto) {}});
  ASSERT_TRUE(leave_in_order());
  EXPECT_GE(runner.last_state()->step, 1005);
  EXPECT_FALSE(runner.editing());
}

TEST_F(Running, ARefusedChangeByHandIsReportedAndDropped) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  bool dropped = false;
  runner.edit({[](FakeState&) { throw usage_error("bodies", "0", "at least 1 body"); },
               [&](auto, auto to) { dropped = to == nullptr; }});
  ASSERT_TRUE(until([&] { return dropped; }));
  EXPECT_NE(runner.fault().text.find("at least 1 body"), std::string::npos);
  const std::int64_t before = step();
  ASSERT_TRUE(until(steps(before + 3)));
  dropped = false;
  runner.edit({[](FakeState& state) { state.step += 1000; }, [&](auto, auto to) { dropped = to == nullptr; }});
  runner.restart();
  EXPECT_TRUE(dropped) << "what it was meant for is gone";
  dropped = false;
  runner.edit({[](FakeState& state) { state.step += 1000; }, [&](auto, auto to) { dropped = to == nullptr; }});
  ASSERT_TRUE(until([&] { return dropped; })) << "as it was being replaced";
  ASSERT_TRUE(until(steps(3)));
  EXPECT_LT(step(), 1000);
}

TEST_F(Running, AskingWhetherItHasLeftChangesNothing) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  const std::int64_t before = step();
  EXPECT_FALSE(runner.left());
  ASSERT_TRUE(until(steps(before + 2))) << "it goes on";
  EXPECT_EQ(runner.course(), Course::go_on);
}

TEST_F(Running, ContinuesFromItsLastBackupWhenADeviceIsLost) {
  runner.attach(device);
  ASSERT_TRUE(until([&] { return runner.last_state() != nullptr; }));
  const std::int64_t backed_up = runner.last_state()->step;
  ASSERT_TRUE(until(steps(backed_up + 10)));
  runner.leave(Leaving::unanswered);
  runner.attach(other);
  ASSERT_TRUE(until([&] { return runner.simulation() != nullptr; }));
  EXPECT_GE(step(), backed_up);
  abandoned::close([] { return true; });
  abandoned::let_go();
}

TEST_F(Running, RecoversFromARefusalAndFailsAfterThree) {
  runner.attach(device);
  ASSERT_TRUE(until([&] { return runner.last_state() != nullptr; }));
  const std::int64_t backed_up = runner.last_state()->step;
  device.fails.push_back(refusal());
  ASSERT_TRUE(until([&] { return runner.course() == Course::mend; }));
  EXPECT_FALSE(runner.can_give_up());
  EXPECT_NE(runner.fault().text.find("counters continue from step"), std::string::npos);
  ASSERT_TRUE(until([&] { return runner.generation() == 2; }));
  ASSERT_TRUE(until(steps(backed_up + 1)));
  device.fails = {refusal(), refusal()};
  EXPECT_THROW((void)until([] { return false; }), Error);
}

TEST_F(Running, PreparesSettingsThatCannotChangeLiveFromItsPresentState) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  runner.set({.build = 7});
  EXPECT_EQ(runner.course(), Course::renew);
  ASSERT_TRUE(until([&] { return runner.generation() == 2; }));
  EXPECT_GE(step(), 5);
  EXPECT_EQ(runner.simulation()->built().build, 7);
  EXPECT_EQ(runner.record().begun, 1);
  EXPECT_EQ(runner.course(), Course::go_on);
}

TEST_F(Running, ContinuesWhileItsSuccessorStarts) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  runner.set({.kind = 2});
  EXPECT_EQ(runner.course(), Course::replace);
  EXPECT_TRUE(runner.can_give_up());
  ASSERT_TRUE(until([&] { return runner.generation() == 2; }));
  EXPECT_EQ(runner.simulation()->state().kind, 2);
  EXPECT_EQ(runner.record().begun, 2);
}

TEST_F(Running, KeepsTheRunningSettingsIfOthersCannotBePrepared) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(5)));
  device.fails_to_prepare.push_back(usage_error("the kind", "3", "a whole number from 0 to 2"));
  runner.set({.kind = 3});
  ASSERT_TRUE(until([&] { return !runner.fault().text.empty(); }));
  EXPECT_EQ(runner.settings().kind, 0);
  EXPECT_EQ(runner.course(), Course::go_on);
  const std::int64_t before = step();
  ASSERT_TRUE(until(steps(before + 3)));
}

TEST_F(Running, FallsBackIfTheFirstSettingsCannotBePrepared) {
  runner.set({.build = 1});
  device.fails_to_prepare.push_back(refusal());
  runner.attach(device);
  ASSERT_TRUE(until([&] { return runner.simulation() != nullptr; }));
  EXPECT_EQ(runner.settings().build, 0);
}

TEST_F(Running, IsVacantWithoutAFallbackUntilTheSettingsChange) {
  device.fails_to_prepare.push_back(usage_error("the kind", "0", "1"));
  runner.attach(device);
  EXPECT_FALSE(runner.stuck());
  ASSERT_TRUE(until([&] { return step::name_of(runner.phase()) == PhaseName::vacant; }));
  EXPECT_TRUE(runner.left());
  EXPECT_TRUE(runner.stuck());
  runner.set({.kind = 1});
  ASSERT_TRUE(until(steps(1)));
}

TEST_F(Running, PausesWhenNumbersAreNotFiniteAndRewinds) {
  runner.attach(device);
  ASSERT_TRUE(until([&] { return runner.last_state() != nullptr; }));
  FakeSettings settings = runner.settings();
  settings.nan_at = static_cast<double>(step() + 20);
  runner.set(settings);
  ASSERT_TRUE(until([&] { return runner.diverged(); }));
  EXPECT_TRUE(runner.paused());
  EXPECT_TRUE(runner.stuck());
  EXPECT_FALSE(runner.rests());
  EXPECT_NE(runner.fault().text.find("1 of 1 counters became NaN or infinite at step"), std::string::npos);
  EXPECT_TRUE(runner.last_state()->finite);
  runner.rewind();
  ASSERT_TRUE(until([&] { return runner.generation() == 2; }));
  EXPECT_FALSE(runner.diverged());
  EXPECT_TRUE(runner.simulation()->state().finite);
}

TEST_F(Running, ComputesALongBurstInPartsThatAddUp) {
  runner.set({.burst = 100});
  runner.attach(device);
  ASSERT_TRUE(until(steps(100)));
  EXPECT_EQ(step(), 100);
  EXPECT_GT(device.log.size(), 5U) << "1, 2, 4 … steps";
}

TEST_F(Running, ReloadsOnlyAfterTheFirstPreparation) {
  runner.attach(device);
  runner.update(now);
  device.fails_to_prepare.push_back(failure("the new source is no kernel"));
  runner.reload();
  ASSERT_TRUE(until([&] { return !runner.fault().text.empty(); }));
  EXPECT_EQ(runner.generation(), 1);
  EXPECT_EQ(runner.course(), Course::go_on);
  ASSERT_TRUE(until(steps(2)));
}

TEST_F(Running, StopsWhileAWorkerHasIt) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  device.wants_worker = true;
  ASSERT_TRUE(until([&] { return step::name_of(runner.phase()) == PhaseName::lent; }));
  EXPECT_TRUE(runner.preparing());
  const std::int64_t before = step();
  for (int i = 0; i < 2; ++i) runner.update(now);
  EXPECT_EQ(step(), before);
  ASSERT_TRUE(until(steps(before + 2)));
}

TEST_F(Running, ExchangesPartsWhileItRuns) {
  runner.attach(device);
  ASSERT_TRUE(until(steps(2)));
  runner.set({.kernels = 3});
  ASSERT_TRUE(until([&] { return runner.simulation()->built().kernels == 3; }));
  EXPECT_EQ(runner.good().kernels, 3);
  EXPECT_EQ(runner.generation(), 1);
}

TEST_F(Running, AnotherDeviceIsGivenOnlyAfterTheFirstIsReleased) {
  runner.attach(device);
  EXPECT_THROW(runner.attach(other), std::logic_error);
}

}  // namespace
}  // namespace orrery
