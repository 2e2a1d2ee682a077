#include "shell/tools/tune_job.hpp"

#include "base/files/path.hpp"

namespace orrery::shell {
namespace {

// The user watches: medians are known less precisely than headless, and sooner.
constexpr double enough_spread = 0.02;
constexpr std::size_t enough_runs = 15;
constexpr double between_saves = 5;  // seconds

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

// Scene and sweep take turns, so that neither disturbs the times of the other.
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

}  // namespace orrery::shell
