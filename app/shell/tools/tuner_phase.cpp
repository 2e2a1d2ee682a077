#include "shell/tools/tuner_phase.hpp"

#include <utility>

#include "base/files/path.hpp"

namespace orrery::shell {
namespace {

// Accepts less precise medians than headless, because the user watches and waits.
constexpr double enough_spread = 0.02;
constexpr std::size_t enough_runs = 15;
constexpr double between_saves = 5;  // seconds

using namespace tuner_phase;
using namespace tuner_event;

// One line per transition; the last overload keeps the phase.
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

TuneJob::TuneJob(const Device& device, command::StartTuning request, const TuneWork& work, const TuneValues& standard)
    : request_(std::move(request)), programs_(device, *kernel_sources(), cache_folder()) {
  preparing_.start([&programs = programs_, work, axes = request_.axes, standard] {
    auto target = work.catalog->target(programs, work);
    return axes.empty() ? std::move(target) : restricted(std::move(target), standard, axes);
  });
}

bool TuneJob::take_target() {
  auto target = preparing_.poll();
  if (!target) return false;
  target_ = std::move(*target);
  return true;
}

void TuneJob::begin(const KnownEntries& known, double now) {
  SweepSettings settings;
  settings.seconds = request_.seconds;
  settings.spread = enough_spread;
  settings.most_runs = enough_runs;
  sweep_ = std::make_unique<Sweep>(*target_, settings, known);
  heard_ = now;
}

// Scene and sweep take turns, so that they do not disturb each other's times.
bool TuneJob::step(double slice, bool scene_busy, double now) {
  const bool has_turn = !sweep_->on_device() && !scene_busy;
  const bool going_on = sweep_->step(has_turn ? slice : 0);
  if (!sweep_->on_device() || has_turn) heard_ = now;
  return going_on;
}

std::string TuneJob::give_up(double now) {
  return sweep_->give_up_running("it did not end in " + std::to_string(static_cast<int>(silence(now))) + " s");
}

bool TuneJob::take_save_turn() {
  if (sweep_->elapsed() - saved_ <= between_saves) return false;
  saved_ = sweep_->elapsed();
  return true;
}

TunerTransition transition(TunerPhase phase, TunerEvent event) { return std::visit(Table(), phase, event); }

}  // namespace orrery::shell
