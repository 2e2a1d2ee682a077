// The phases of the tuner: each event in each phase, without a device.
#include "shell/tools/tuner_phase.hpp"

#include <gtest/gtest.h>

#include <map>

namespace orrery::shell {
namespace {

using namespace tuner_phase;
using namespace tuner_event;

template <class Variant, class Alternative>
std::function<Variant()> made_of() {
  return [] { return Alternative{}; };
}

const std::vector<std::pair<std::string, std::function<TunerPhase()>>> phases{
    {"idle", made_of<TunerPhase, Idle>()},
    {"preparing", made_of<TunerPhase, Preparing>()},
    {"sweeping", made_of<TunerPhase, Sweeping>()},
    {"ending", made_of<TunerPhase, Ending>()}};

const std::vector<std::pair<std::string, std::function<TunerEvent()>>> events{
    {"started", made_of<TunerEvent, Started>()},
    {"prepared", made_of<TunerEvent, Prepared>()},
    {"refused", made_of<TunerEvent, Refused>()},
    {"cancelled", made_of<TunerEvent, Cancelled>()},
    {"done", made_of<TunerEvent, Done>()},
    {"source changed", made_of<TunerEvent, SourceChanged>()},
    {"device left", made_of<TunerEvent, DeviceLeft>()},
    {"candidate hung", made_of<TunerEvent, CandidateHung>()},
    {"device abandoned", made_of<TunerEvent, DeviceAbandoned>()}};

std::string name_of(const TunerPhase& phase) { return phases[phase.index()].first; }

using Row = std::pair<std::string, JobEnding>;
/// Phase and event of every transition; in the other cases the phase stays.
const std::map<std::pair<std::string, std::string>, Row> table{
    {{"idle", "started"}, {"preparing", JobEnding::none}},
    {{"preparing", "prepared"}, {"sweeping", JobEnding::none}},
    {{"preparing", "refused"}, {"idle", JobEnding::release}},
    {{"preparing", "cancelled"}, {"idle", JobEnding::release}},
    {{"preparing", "source changed"}, {"idle", JobEnding::release}},
    {{"preparing", "device left"}, {"idle", JobEnding::release}},
    {{"preparing", "device abandoned"}, {"idle", JobEnding::abandon}},
    {{"sweeping", "cancelled"}, {"ending", JobEnding::none}},
    {{"sweeping", "done"}, {"idle", JobEnding::use}},
    {{"sweeping", "source changed"}, {"idle", JobEnding::release}},
    {{"sweeping", "device left"}, {"idle", JobEnding::save}},
    {{"sweeping", "candidate hung"}, {"idle", JobEnding::blame_candidate}},
    {{"sweeping", "device abandoned"}, {"idle", JobEnding::abandon}},
    {{"ending", "cancelled"}, {"idle", JobEnding::save}},
    {{"ending", "done"}, {"idle", JobEnding::use}},
    {{"ending", "source changed"}, {"idle", JobEnding::release}},
    {{"ending", "device left"}, {"idle", JobEnding::save}},
    {{"ending", "candidate hung"}, {"idle", JobEnding::blame_candidate}},
    {{"ending", "device abandoned"}, {"idle", JobEnding::abandon}},
};

TEST(TunerPhase, EveryEventLeadsWhereTheTableSays) {
  for (const auto& [phase_name, phase] : phases)
    for (const auto& [event_name, event] : events) {
      SCOPED_TRACE(phase_name + ", " + event_name);
      const auto row = table.find({phase_name, event_name});
      const TunerTransition next = transition(phase(), event());
      EXPECT_EQ(name_of(next.phase), row == table.end() ? phase_name : row->second.first);
      EXPECT_EQ(next.ending, row == table.end() ? JobEnding::none : row->second.second);
    }
}

TEST(TunerPhase, AJobEndsExactlyWhenTheTunerBecomesIdle) {
  for (const auto& [phase_name, phase] : phases)
    for (const auto& [event_name, event] : events) {
      SCOPED_TRACE(phase_name + ", " + event_name);
      const TunerTransition next = transition(phase(), event());
      EXPECT_EQ(next.ending != JobEnding::none, phase_name != "idle" && name_of(next.phase) == "idle");
    }
}

TEST(TunerPhase, NoResultsAreSavedBeforeTheSweepBegins) {
  for (const auto& [event_name, event] : events) {
    const JobEnding ending = transition(Preparing{}, event()).ending;
    EXPECT_TRUE(ending == JobEnding::none || ending == JobEnding::release || ending == JobEnding::abandon)
        << event_name;
  }
}

}  // namespace
}  // namespace orrery::shell
