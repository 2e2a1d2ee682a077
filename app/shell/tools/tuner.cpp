#include "shell/tools/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/path.hpp"
#include "base/log.hpp"
#include "base/patience.hpp"
#include "compute/tuning/variant_text.hpp"

namespace orrery::shell {
namespace {

constexpr double between_looks = 0.1;  // seconds from one snapshot to the next
// Somebody looks on: known less well than headless, and sooner.
constexpr double enough_spread = 0.02;
constexpr std::size_t enough_runs = 15;
constexpr double between_saves = 5;            // seconds
const double longest_silence = patience(2);    // of a candidate, in seconds, before the scene waits for it no more …
const double longest_patience = patience(10);  // … and before it is given up

}  // namespace

// ---- what is known

void Tuner::follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices,
                   const std::optional<Ceilings>& ceilings) {
  follow(scene, device, devices);
  const double now = now_seconds();
  if (now - seen_when_ < between_looks) return;
  seen_ = present(ceilings);
  seen_when_ = now;
}

void Tuner::follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices) {
  running_ = scene.running;
  running_scene_ = scene.name;
  for (const ParameterView& parameter : scene.parameters)
    if (parameter.info.name == "variant") running_choices_ = std::get<std::string>(parameter.value);
  const bool other_device = device_.name != device.name || device_.driver != device.driver;
  device_ = device;
  unavailable_ = devices > 1 ? "Several devices share the work: tune each of them alone" : "";
  if (scene.name == "particles") unavailable_ = "Nothing to tune in this scene";
  if (sweeping() || !unavailable_.empty()) return;
  TuneWork work{.scene = std::string(scene.name)};
  const std::vector<std::string> known = tunable_kernels(work.scene, device_);
  const auto has = [&](const std::string& kernel) { return std::ranges::find(known, kernel) != known.end(); };
  work.kernel = has(chosen_kernel_) ? chosen_kernel_ : has(running_.kernel) ? running_.kernel : "single";
  if (const auto* nbody = std::get_if<NbodySnapshot>(&scene.view)) {
    if (nbody->bodies < 64) unavailable_ = "Too few bodies to tune for";
    work.bodies = nbody->bodies;
  }
  if (work == wanted_ && !other_device && asked_) return;
  wanted_ = work;
  seen_when_ = 0;
  if (unavailable_.empty()) look();
}

void Tuner::look() {
  if (!asked_ || asked_->scene != wanted_.scene || asked_->kernel != wanted_.kernel) sweep_fault_.clear();
  asked_ = wanted_;
  looking_.start([work = wanted_, device = device_, keeper = looked_ ? looked_->keeper : nullptr] {
    Looked looked{keeper, work, question_of(device, work), {}, {}};
    if (!looked.keeper) looked.keeper = std::make_shared<TuneKeeper>(looked.messages);
    looked.identity =
        identity_of(device, looked.question.subject, source_hash(*kernel_sources(), looked.question.subject.files));
    return looked;
  });
}

void Tuner::take(Looked looked) {
  const bool other_source = looked_ && looked.identity.source != looked_->identity.source;
  looked_ = std::move(looked);
  seen_when_ = 0;
  for (const std::string& message : looked_->messages) fault_ = message;
  if (!other_source) return;
  publish();  // what was found with the former source is not in use any more
  if (!job_) return;
  retire();
  sweep_fault_ = "The kernel has changed: the sweep of what it was has ended";
  log(Level::warning, sweep_fault_);
}

void Tuner::look_at(const command::LookAtKernel& wanted) { chosen_kernel_ = wanted.kernel; }

const StoredSweep* Tuner::kept() const { return looked_ ? looked_->keeper->store().find(looked_->identity) : nullptr; }

void Tuner::check_choosable(const command::ChooseVariant& choice) const {
  if (seen_.kernel != choice.kernel || seen_.stale) return;
  const auto values = seen_.space.values(choice.values);
  for (const TuneEntry& entry : seen_.entries)
    if (values && entry.values == *values && !entry.right())
      throw usage_error("cannot run", seen_.space.text(entry.values),
                        std::string(name_of(entry.state)) + (entry.reason.empty() ? "" : ": " + entry.reason));
}

// ---- a sweep

bool Tuner::start(const command::StartTuning& wanted, const Device& device) {
  if (sweeping() || !looked_ || !(looked_->work == wanted_) || !unavailable_.empty()) return false;
  request_ = wanted;
  sweep_fault_.clear();
  ending_ = false;
  seen_when_ = 0;
  job_ = std::make_unique<Job>(device);
  job_->preparing.start(
      [&programs = job_->programs, work = wanted_, axes = wanted.axes, standard = looked_->question.standard] {
        return axes.empty() ? tune_target(programs, work) : restricted(tune_target(programs, work), standard, axes);
      });
  return true;
}

void Tuner::begin_sweep(std::unique_ptr<TuneTarget> target) {
  job_->target = std::move(target);
  SweepSettings settings;
  settings.seconds = request_.seconds;
  settings.spread = enough_spread;
  settings.most_runs = enough_runs;
  KnownEntries known;
  if (const StoredSweep* stored = kept(); stored != nullptr && !request_.again)
    known = known_entries(*stored, looked_->question.space);
  job_->sweep = std::make_unique<Sweep>(*job_->target, settings, known);
  saved_ = 0;
  heard_ = now_seconds();
}

void Tuner::cancel() {
  if (!sweeping()) return;
  if (is_silent()) return abandon();
  if (std::exchange(ending_, true) || !job_->sweep) return leave();
  job_->sweep->cancel();
}

void Tuner::sources_changed() {
  if (asked_) look();
}

void Tuner::keep() {
  if (!job_ || !job_->sweep || job_->sweep->best() == nullptr) return;
  const TuneSpace& space = looked_->question.space;
  StoredSweep found = stored(*job_->sweep, job_->target->subject(), space, looked_->identity);
  const bool all_axes = job_->target->space().points() == space.points();
  const StoredSweep* before = kept();
  found.complete = (found.complete && all_axes) || (before != nullptr && before->complete && !request_.again);
  looked_->keeper->keep(std::move(found));
}

void Tuner::publish() {
  publishing_.start(
      [store = looked_->keeper->store()] { return std::make_shared<const TunedChoices>(store, *kernel_sources()); });
}

void Tuner::finish() {
  const TuneState standard = job_->sweep->standard().state;
  sweep_fault_ = job_->sweep->fault();
  if (standard == TuneState::rejected || standard == TuneState::failed || standard == TuneState::wrong)
    sweep_fault_ = (standard == TuneState::failed ? "The default " : "The default is ") + sweep_fault_;
  if (sweep_fault_.empty() && job_->sweep->best() != nullptr) {
    keep();
    publish();
  }
  retire();
}

void Tuner::poll_workers() {
  std::erase_if(retired_,
                [](const auto& each) { return each.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  try {
    if (auto looked = looking_.poll()) take(std::move(*looked));
    if (auto choices = publishing_.poll()) {
      use_tuned(*choices);
      found_ = true;
    }
    if (looked_)
      if (std::string told = looked_->keeper->poll(); !told.empty()) fault_ = std::move(told);
    if (!job_) return;
    if (auto target = job_->preparing.poll()) begin_sweep(std::move(*target));
  } catch (const std::exception& error) {
    sweep_fault_ = as_error(error).what();
    if (job_ && !job_->sweep) retire();
  }
}

// Scene and sweep take turns, so that neither spoils the other's times: a slice of the one, then of the other.
bool Tuner::update(double slice) {
  poll_workers();
  if (!job_ || !job_->sweep) return false;
  Sweep& sweep = *job_->sweep;
  const bool mine = !sweep.on_device() && is_complete(scene_done_);
  if (!sweep.step(mine ? slice : 0)) {
    finish();
    return false;
  }
  if (sweep.elapsed() - saved_ > between_saves) {
    saved_ = sweep.elapsed();
    keep();
  }
  if (!sweep.on_device() || mine) heard_ = now_seconds();
  if (silence() > longest_patience) {
    abandon();
    return false;
  }
  return sweep.on_device() && !is_silent();
}

void Tuner::mark_scene(Queue& queue) {
  if (!sweeping() || !is_complete(scene_done_)) return;
  scene_done_ = queue.marker();
  queue.flush();
}

// ---- letting go

double Tuner::silence() const { return job_ && job_->sweep && job_->sweep->on_device() ? now_seconds() - heard_ : 0; }

bool Tuner::is_silent() const { return silence() > longest_silence; }

void Tuner::abandon() {
  scene_done_ = {};
  if (!job_) return;
  if (is_silent()) {
    const std::string seconds = std::to_string(static_cast<int>(silence()));
    sweep_fault_ = job_->sweep->give_up_running("it did not end in " + seconds + " s");
    log(Level::warning, sweep_fault_);
    keep();
  }
  std::thread([job = std::move(job_)]() mutable { job.reset(); }).detach();  // it may wait for ever
  abandoned_ = true;
}

// Builds, comparisons and launches that are under way end on another thread.
void Tuner::retire() {
  if (!job_) return;
  ending_ = false;
  seen_when_ = 0;
  retired_.push_back(std::async(std::launch::async, [job = std::move(job_)]() mutable { job.reset(); }));
}

void Tuner::leave() {
  scene_done_ = {};
  if (is_silent()) return abandon();
  keep();
  retire();
}

void Tuner::finish_writing() {
  constexpr double patience = 2;
  const double began = now_seconds();
  while (looked_ && looked_->keeper->saving() && now_seconds() - began < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (const std::string told = looked_->keeper->poll(); !told.empty()) log(Level::error, told);
  }
}

bool Tuner::busy() const {
  const bool saving = looked_ && looked_->keeper->saving();
  return sweeping() || abandoned_ || saving || looking_.busy() || publishing_.busy() ||
         std::ranges::any_of(retired_, [](const auto& each) {
           return each.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
         });
}

// ---- for people

void Tuner::take(TunerSnapshot& s, const StoredSweep& stored) const {
  s.entries = known_entries(stored, s.space).entries;
  for (TuneEntry& entry : s.entries) entry.summarise();
  s.best = s.space.values(stored.best).value_or(TuneValues());
  s.automatic = s.space.values(stored.choice).value_or(TuneValues());
  s.work = stored.work;
  s.complete = stored.complete;
  s.host_times = stored.host_times;
  s.note = "Measured on " + stored.measured;
}

void Tuner::take(TunerSnapshot& s, const Job& job) const {
  s.running = true;
  s.ending = ending_;
  if (!job.sweep) {
    s.activity = "preparing";
    s.seconds_left = request_.seconds;
    return;
  }
  const Sweep& sweep = *job.sweep;
  s.entries = sweep.entries();
  if (sweep.best() != nullptr) s.best = sweep.best()->values;
  if (sweep.choice() != nullptr) s.automatic = sweep.choice()->values;
  s.work = job.target->subject().work;
  s.progress = sweep.progress();
  s.seconds_left = std::max(0.0, request_.seconds - sweep.elapsed());
  s.activity = sweep.activity();
  s.silent = is_silent();
  s.host_times = sweep.host_times();
}

TunerSnapshot Tuner::present(const std::optional<Ceilings>& ceilings) const {
  TunerSnapshot s;
  s.unavailable = unavailable_;
  s.scene = wanted_.scene;
  s.kernels = tunable_kernels(wanted_.scene, device_);
  s.kernel = wanted_.kernel;
  s.fault = sweep_fault_;
  if (!looked_ || !(looked_->work == wanted_)) return s;
  const TuneQuestion& question = looked_->question;
  s.space = question.space;
  s.standard = question.standard;
  s.problem = question.subject.problem;
  s.unit = question.subject.unit;
  s.work = question.subject.work;
  if (running_scene_ == s.scene && running_.kernel == s.kernel)
    s.in_use = s.space.values(running_.values).value_or(TuneValues());
  else if (running_scene_ == s.scene)
    s.in_use = element_values_in_use(device_, wanted_, choice_for(running_choices_, s.kernel));
  if (job_) {
    take(s, *job_);
  } else if (const StoredSweep* stored = kept()) {
    take(s, *stored);
  } else if (const StoredSweep* old = looked_->keeper->store().stale(looked_->identity)) {
    take(s, *old);
    s.stale = true;
    s.note = "Measured on " + old->measured + " with " + staleness(*old, looked_->identity);
  }
  if (ceilings && s.work > 0)
    for (const TuneEntry& entry : s.entries)
      s.limits.push_back(least_seconds(work_of(device_, wanted_, question.space, entry.values, s.work), *ceilings));
  return s;
}

}  // namespace orrery::shell
