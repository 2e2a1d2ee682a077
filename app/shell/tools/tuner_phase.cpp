#include "shell/tools/tuner_phase.hpp"

#include <utility>

namespace orrery::shell {
namespace {

using namespace tuner_phase;
using namespace tuner_event;

// One line a transition; the last overload keeps the phase.
struct Table {
  using To = TunerTransition;

  To operator()(Idle&, Started& e) const { return {Preparing{std::move(e.job)}, JobEnding::none, {}}; }

  To operator()(Preparing& p, Prepared&) const { return {Sweeping{std::move(p.job)}, JobEnding::none, {}}; }
  To operator()(Preparing& p, Refused&) const { return {Idle{}, JobEnding::release, std::move(p.job)}; }
  To operator()(Preparing& p, Cancelled&) const { return {Idle{}, JobEnding::release, std::move(p.job)}; }
  To operator()(Preparing& p, SourceChanged&) const { return {Idle{}, JobEnding::release, std::move(p.job)}; }
  To operator()(Preparing& p, DeviceLeft&) const { return {Idle{}, JobEnding::release, std::move(p.job)}; }
  To operator()(Preparing& p, DeviceAbandoned&) const { return {Idle{}, JobEnding::abandon, std::move(p.job)}; }

  To operator()(Sweeping& p, Cancelled&) const { return {Ending{std::move(p.job)}, JobEnding::none, {}}; }
  To operator()(Sweeping& p, Done&) const { return {Idle{}, JobEnding::use, std::move(p.job)}; }
  To operator()(Sweeping& p, SourceChanged&) const { return {Idle{}, JobEnding::release, std::move(p.job)}; }
  To operator()(Sweeping& p, DeviceLeft&) const { return {Idle{}, JobEnding::save, std::move(p.job)}; }
  To operator()(Sweeping& p, CandidateHung&) const { return {Idle{}, JobEnding::blame_candidate, std::move(p.job)}; }
  To operator()(Sweeping& p, DeviceAbandoned&) const { return {Idle{}, JobEnding::abandon, std::move(p.job)}; }

  To operator()(Ending& p, Cancelled&) const { return {Idle{}, JobEnding::save, std::move(p.job)}; }
  To operator()(Ending& p, Done&) const { return {Idle{}, JobEnding::use, std::move(p.job)}; }
  To operator()(Ending& p, SourceChanged&) const { return {Idle{}, JobEnding::release, std::move(p.job)}; }
  To operator()(Ending& p, DeviceLeft&) const { return {Idle{}, JobEnding::save, std::move(p.job)}; }
  To operator()(Ending& p, CandidateHung&) const { return {Idle{}, JobEnding::blame_candidate, std::move(p.job)}; }
  To operator()(Ending& p, DeviceAbandoned&) const { return {Idle{}, JobEnding::abandon, std::move(p.job)}; }

  template <class Phase, class Event>
  To operator()(Phase& phase, Event&) const {
    return {std::move(phase), JobEnding::none, {}};
  }
};

}  // namespace

TunerTransition transition(TunerPhase phase, TunerEvent event) { return std::visit(Table(), phase, event); }

}  // namespace orrery::shell
