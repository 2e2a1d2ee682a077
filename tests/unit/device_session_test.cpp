// The phases of the window's devices: every event in every phase, without a device.
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

using Row = std::pair<std::string, Ending>;
/// Phase and event of every transition; in the other cases the phase stays.
const std::map<std::pair<std::string, std::string>, Row> table{
    {{"listing", "chosen"}, {"opening", Ending::none}},
    {{"listing", "refused"}, {"closed", Ending::none}},
    {{"listing", "ended"}, {"closed", Ending::none}},
    {{"closed", "chosen"}, {"opening", Ending::none}},
    {{"opening", "chosen"}, {"opening", Ending::none}},
    {{"opening", "opened"}, {"open", Ending::none}},
    {{"opening", "refused"}, {"closed", Ending::none}},
    {{"opening", "ended"}, {"closed", Ending::none}},
    {{"open", "chosen"}, {"leaving", Ending::none}},
    {{"open", "failed"}, {"recovering", Ending::after_error}},
    {{"open", "fell silent"}, {"silent", Ending::none}},
    {{"open", "ended"}, {"closed", Ending::release}},
    {{"silent", "chosen"}, {"leaving", Ending::none}},
    {{"silent", "failed"}, {"recovering", Ending::after_error}},
    {{"silent", "answered"}, {"open", Ending::none}},
    {{"silent", "ended"}, {"closed", Ending::abandon_silent}},
    {{"leaving", "chosen"}, {"leaving", Ending::none}},
    {{"leaving", "failed"}, {"opening", Ending::after_error}},
    {{"leaving", "fell silent"}, {"opening", Ending::abandon_silent}},
    {{"leaving", "copied"}, {"opening", Ending::release}},
    {{"leaving", "timed out"}, {"opening", Ending::abandon}},
    {{"leaving", "ended"}, {"closed", Ending::release}},
    {{"recovering", "chosen"}, {"opening", Ending::none}},
    {{"recovering", "survived"}, {"opening", Ending::none}},
    {{"recovering", "none survived"}, {"closed", Ending::none}},
    {{"recovering", "ended"}, {"closed", Ending::none}},
};

TEST(DeviceSession, EveryEventLeadsWhereTheTableSays) {
  for (const auto& [phase_name, phase] : phases)
    for (const auto& [event_name, event] : events) {
      SCOPED_TRACE(phase_name + ", " + event_name);
      const auto row = table.find({phase_name, event_name});
      const Transition next = transition(phase, event);
      EXPECT_EQ(name_of(next.phase), row == table.end() ? phase_name : row->second.first);
      EXPECT_EQ(next.ending, row == table.end() ? Ending::none : row->second.second);
    }
}

TEST(DeviceSession, DevicesAreReleasedOrAbandonedExactlyWhenAPhaseWithOpenDevicesEnds) {
  for (const auto& [phase_name, phase] : phases)
    for (const auto& [event_name, event] : events) {
      SCOPED_TRACE(phase_name + ", " + event_name);
      const Transition next = transition(phase, event);
      EXPECT_EQ(next.ending != Ending::none, is_open(phase) && !is_open(next.phase));
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
