// The phases of the window's devices: each event in each phase, without a device.
#include "shell/devices/device_phase.hpp"

#include <gtest/gtest.h>

namespace orrery::shell {
namespace {

using namespace device_phase;
using namespace device_event;

DeviceInfo device(int number) {
  DeviceInfo info;
  info.id = {0, number};
  info.name = "device " + std::to_string(number);
  return info;
}

const DeviceInfos one{device(1)}, two{device(2)}, three{device(3)};

const std::vector<std::pair<std::string, DevicePhase>> phases{{"listing", Listing{}},
                                                              {"closed", Closed{}},
                                                              {"opening", Opening{two, {}}},
                                                              {"open", Open{}},
                                                              {"silent", Silent{}},
                                                              {"leaving", Leaving{two, 7}},
                                                              {"recovering", Recovering{{one, "lost"}}}};

const std::vector<std::pair<std::string, DeviceEvent>> events{{"chosen", Chosen{three, 9}},
                                                              {"opened", Opened{}},
                                                              {"refused", Refused{}},
                                                              {"failed", Failed{{one, "lost"}}},
                                                              {"fell silent", FellSilent{}},
                                                              {"answered", Answered{}},
                                                              {"copied", Copied{}},
                                                              {"timed out", TimedOut{}},
                                                              {"survived", Survived{one}},
                                                              {"none survived", Survived{}},
                                                              {"ended", Ended{}}};

std::string name_of(const DevicePhase& phase) { return phases[phase.index()].first; }

using Row = std::pair<std::string, DeviceEnding>;
/// Phase and event of every transition; in the other cases the phase stays.
const std::map<std::pair<std::string, std::string>, Row> table{
    {{"listing", "chosen"}, {"opening", DeviceEnding::none}},
    {{"listing", "refused"}, {"closed", DeviceEnding::none}},
    {{"listing", "ended"}, {"closed", DeviceEnding::none}},
    {{"closed", "chosen"}, {"opening", DeviceEnding::none}},
    {{"opening", "chosen"}, {"opening", DeviceEnding::none}},
    {{"opening", "opened"}, {"open", DeviceEnding::none}},
    {{"opening", "refused"}, {"closed", DeviceEnding::none}},
    {{"opening", "ended"}, {"closed", DeviceEnding::none}},
    {{"open", "chosen"}, {"leaving", DeviceEnding::none}},
    {{"open", "failed"}, {"recovering", DeviceEnding::after_error}},
    {{"open", "fell silent"}, {"silent", DeviceEnding::none}},
    {{"open", "ended"}, {"closed", DeviceEnding::release}},
    {{"silent", "chosen"}, {"leaving", DeviceEnding::none}},
    {{"silent", "failed"}, {"recovering", DeviceEnding::after_error}},
    {{"silent", "answered"}, {"open", DeviceEnding::none}},
    {{"silent", "ended"}, {"closed", DeviceEnding::abandon_silent}},
    {{"leaving", "chosen"}, {"leaving", DeviceEnding::none}},
    {{"leaving", "failed"}, {"opening", DeviceEnding::after_error}},
    {{"leaving", "fell silent"}, {"opening", DeviceEnding::abandon_silent}},
    {{"leaving", "copied"}, {"opening", DeviceEnding::release}},
    {{"leaving", "timed out"}, {"opening", DeviceEnding::abandon}},
    {{"leaving", "ended"}, {"closed", DeviceEnding::release}},
    {{"recovering", "chosen"}, {"opening", DeviceEnding::none}},
    {{"recovering", "survived"}, {"opening", DeviceEnding::none}},
    {{"recovering", "none survived"}, {"closed", DeviceEnding::none}},
    {{"recovering", "ended"}, {"closed", DeviceEnding::none}},
};

TEST(DeviceSession, EveryEventLeadsWhereTheTableSays) {
  for (const auto& [phase_name, phase] : phases)
    for (const auto& [event_name, event] : events) {
      SCOPED_TRACE(phase_name + ", " + event_name);
      const auto row = table.find({phase_name, event_name});
      const Transition next = transition(phase, event);
      EXPECT_EQ(name_of(next.phase), row == table.end() ? phase_name : row->second.first);
      EXPECT_EQ(next.ending, row == table.end() ? DeviceEnding::none : row->second.second);
    }
}

TEST(DeviceSession, DevicesAreReleasedOrAbandonedExactlyWhenAPhaseWithOpenDevicesEnds) {
  for (const auto& [phase_name, phase] : phases)
    for (const auto& [event_name, event] : events) {
      SCOPED_TRACE(phase_name + ", " + event_name);
      const Transition next = transition(phase, event);
      EXPECT_EQ(next.ending != DeviceEnding::none, is_open(phase) && !is_open(next.phase));
      if (!is_open(phase) && is_open(next.phase)) {
        EXPECT_EQ(event_name, "opened");
      }
    }
}

TEST(DeviceSession, EveryPhaseEndsWithTheWindow) {
  for (const auto& [phase_name, phase] : phases)
    EXPECT_EQ(name_of(transition(phase, Ended{}).phase), "closed") << phase_name;
}

TEST(DeviceSession, AnotherChoiceWhileDevicesAreLeftKeepsTheTimeout) {
  const Transition next = transition(Leaving{two, 7}, Chosen{three, 9});
  const auto& leaving = std::get<Leaving>(next.phase);
  EXPECT_EQ(leaving.next.front().id, three.front().id);
  EXPECT_EQ(leaving.since, 7);
}

TEST(DeviceSession, DevicesThatSurviveContinueAfterTheLoss) {
  const Transition next = transition(Recovering{{one, "lost"}}, Survived{one});
  const auto& opening = std::get<Opening>(next.phase);
  ASSERT_TRUE(opening.after);
  EXPECT_EQ(opening.after->cause, "lost");
  EXPECT_FALSE(std::get<Opening>(transition(opening, Chosen{two, 1}).phase).after) << "a choice is no recovery";
}

TEST(DeviceSession, OnlyDevicesThatHaveAnsweredCountAsAnswering) {
  const auto answers = [](const Transition& next) { return std::get<Opening>(next.phase).answer; };
  EXPECT_FALSE(answers(transition(Closed{}, Chosen{two, 1})));
  EXPECT_TRUE(answers(transition(Opening{two, {}}, Answered{})));
  EXPECT_FALSE(answers(transition(Opening{two, {}, true}, Chosen{three, 1}))) << "others have not been asked";
  EXPECT_TRUE(answers(transition(Recovering{{one, "lost"}}, Survived{one})));
}

TEST(DeviceLosses, TheThirdLossWithinTenMinutesIsTooOften) {
  DeviceLosses losses;
  const DeviceId here{0, 0}, there{0, 1};
  EXPECT_FALSE(losses.note(here, 0));
  EXPECT_FALSE(losses.note(here, 100));
  EXPECT_FALSE(losses.note(there, 150));
  EXPECT_FALSE(losses.note(here, 650)) << "the first is forgotten";
  EXPECT_TRUE(losses.note(here, 660));
  losses.forget(here);
  EXPECT_FALSE(losses.note(here, 670));
}

}  // namespace
}  // namespace orrery::shell
