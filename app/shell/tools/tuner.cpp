#include "shell/tools/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "compute/tuning/variant_text.hpp"

namespace orrery::shell {
namespace {

using namespace tuner_phase;
using namespace tuner_event;

constexpr double snapshot_interval = 0.1;    // seconds
const double longest_silence = patience(2);  // seconds of a candidate's silence until the scene continues …
const double hang_timeout = patience(10);    // … and until it has failed
constexpr double writing_timeout = 2;        // seconds

bool is_finished(const std::future<void>& job) {
  return job.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

TuneLookup::Change TuneLookup::follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices,
                                      bool fixed) {
  running_.catalog = scene.tuning;
  running_.variant = scene.running;
  for (const ParameterView& parameter : scene.parameters)
    if (parameter.info.name == variant_parameter) running_.choices = std::get<std::string>(parameter.value);
  const bool other_device = device_.name != device.name || device_.driver != device.driver;
  device_ = device;
  unavailable_ = devices > 1 ? "Several devices share the work: choose one of them to tune it" : "";
  if (scene.tuning == nullptr) unavailable_ = "This scene has no kernel that can be tuned";
  if (fixed || !unavailable_.empty()) return Change::none;
  TuneWork work{.catalog = scene.tuning, .size = scene.tune_size};
  const std::vector<std::string> known = scene.tuning->kernels(device_);
  const auto has = [&](const std::string& kernel) { return std::ranges::find(known, kernel) != known.end(); };
  work.kernel = has(preferred_) ? preferred_ : has(running_.variant.kernel) ? running_.variant.kernel : "single";
  unavailable_ = scene.untunable;
  if (work == work_ && !other_device && asked_) return Change::none;
  work_ = work;
  scene_ = scene.name;
  if (!unavailable_.empty()) return Change::problem;
  const bool same_kernel = asked_ && asked_->catalog == work.catalog && asked_->kernel == work.kernel;
  ask();
  return same_kernel ? Change::problem : Change::kernel;
}

void TuneLookup::ask() {
  asked_ = work_;
  looking_.start([work = work_, device = device_, keeper = result_ ? result_->keeper : nullptr] {
    Result result{keeper, work, work.catalog->question(device, work), {}, {}};
    if (!result.keeper) result.keeper = std::make_shared<TuneKeeper>(result.messages);
    result.identity =
        identity_of(device, result.question.subject, source_hash(*kernel_sources(), result.question.subject.files));
    return result;
  });
}

TuneLookup::Finding TuneLookup::poll() {
  auto result = looking_.poll();
  if (!result) return Finding::none;
  const bool other_source = result_ && result->identity.source != result_->identity.source;
  result_ = std::move(*result);
  return other_source ? Finding::other_source : Finding::known;
}

TuneValues TuneLookup::in_use(const Result& result) const {
  if (running_.catalog != result.work.catalog) return {};
  if (running_.variant.kernel == result.work.kernel)
    return result.question.space.values(running_.variant.values).value_or(TuneValues());
  return result.work.catalog->element_values_in_use(device_, result.work,
                                                    choice_for(running_.choices, result.work.kernel));
}

void Tuner::follow(const SceneSnapshot& scene, const DeviceInfo& device, std::size_t devices,
                   const std::optional<Ceilings>& ceilings) {
  const TuneLookup::Change change = lookup_.follow(scene, device, devices, sweeping());
  if (change == TuneLookup::Change::kernel) sweep_fault_.clear();
  const double now = now_seconds();
  if (change == TuneLookup::Change::none && now - seen_when_ < snapshot_interval) return;
  seen_ = present(ceilings);
  seen_when_ = now;
}

void Tuner::check_choosable(const command::ChooseVariant& choice) const {
  if (seen_.kernel != choice.kernel || seen_.stale) return;
  const auto values = seen_.space.values(choice.values);
  for (const TuneEntry& entry : seen_.entries)
    if (values && entry.values == *values && !entry.right())
      throw usage_error(
          "cannot run " + in_quotes(seen_.space.text(entry.values)) + ": " + std::string(name_of(entry.state)), {},
          entry.reason);
}

// ---- a sweep

bool Tuner::start(const command::StartTuning& wanted, const Device& device) {
  const TuneLookup::Result* known = lookup_.result();
  if (sweeping() || known == nullptr || !lookup_.unavailable().empty()) return false;
  sweep_fault_.clear();
  apply(Started{std::make_unique<TuneJob>(device, wanted, lookup_.work(), known->question.standard)});
  return true;
}

void Tuner::cancel() {
  if (is_hung()) return apply(CandidateHung{});
  apply(Cancelled{});
  if (const auto* ending = std::get_if<Ending>(&phase_)) ending->job->cancel();
}

Tuner::Turn Tuner::update(double slice) {
  Turn turn;
  poll_workers(turn);
  TuneJob* const job = sweeping_job();
  if (job == nullptr) return turn;
  const double now = now_seconds();
  if (!job->step(slice, !is_complete(scene_done_), now)) {
    apply(Done{});
    return turn;
  }
  if (job->take_save_turn()) save(*job);
  if (job->silence(now) > hang_timeout) {
    apply(CandidateHung{});
    return turn;
  }
  turn.scene_waits = job->sweep().on_device() && !is_hung();
  return turn;
}

void Tuner::mark_scene(Queue& queue) {
  if (!sweeping() || !is_complete(scene_done_)) return;
  scene_done_ = queue.marker();
  queue.flush();
}

void Tuner::poll_workers(Turn& turn) {
  std::erase_if(ending_jobs_, is_finished);
  try {
    if (const auto finding = lookup_.poll(); finding != TuneLookup::Finding::none) {
      seen_when_ = 0;
      for (const std::string& message : lookup_.newest()->messages) turn.fault = message;
      if (finding == TuneLookup::Finding::other_source) {
        publish();  // results with the former source are no longer in use
        apply(SourceChanged{});
      }
    }
    if (auto choices = publishing_.poll()) {
      use_tuned(*choices);
      turn.found_choices = true;
    }
    if (lookup_.newest())
      if (std::string fault = lookup_.newest()->keeper->poll(); !fault.empty()) turn.fault = std::move(fault);
    take_target();
  } catch (const std::exception& error) {
    sweep_fault_ = as_error(error).what();
    apply(Refused{});
  }
}

void Tuner::take_target() {
  const auto* preparing = std::get_if<Preparing>(&phase_);
  if (preparing == nullptr || !preparing->job->take_target()) return;
  const TuneLookup::Result& found = *lookup_.newest();
  const StoredSweep* stored = preparing->job->request().again ? nullptr : found.stored();
  preparing->job->begin(stored != nullptr ? known_entries(*stored, found.question.space) : KnownEntries(),
                        now_seconds());
  apply(Prepared{});
}

// ---- the end of a sweep

void Tuner::leave() {
  scene_done_ = {};
  apply(is_hung() ? TunerEvent(CandidateHung{}) : TunerEvent(DeviceLeft{}));
}

void Tuner::abandon() {
  scene_done_ = {};
  apply(is_hung() ? TunerEvent(CandidateHung{}) : TunerEvent(DeviceAbandoned{}));
}

void Tuner::apply(TunerEvent event) {
  const bool source_changed = std::holds_alternative<SourceChanged>(event);
  TunerTransition next = transition(std::move(phase_), std::move(event));
  phase_ = std::move(next.phase);
  seen_when_ = 0;
  if (next.job && source_changed) {
    sweep_fault_ = "The kernel changed, so the sweep of its previous source ended";
    log(Level::warning, sweep_fault_);
  }
  end(next.ending, std::move(next.job));
}

void Tuner::end(JobEnding ending, std::unique_ptr<TuneJob> job) {
  switch (ending) {
    case JobEnding::none:
      return;
    case JobEnding::use:
      use_results(*job);
      return release(std::move(job));
    case JobEnding::save:
      save(*job);
      return release(std::move(job));
    case JobEnding::release:
      return release(std::move(job));
    case JobEnding::blame_candidate:
      sweep_fault_ = job->give_up(now_seconds());
      log(Level::warning, sweep_fault_);
      save(*job);
      return abandon(std::move(job));
    case JobEnding::abandon:
      return abandon(std::move(job));
  }
}

void Tuner::use_results(const TuneJob& job) {
  const TuneState standard = job.sweep().standard().state;
  sweep_fault_ = job.sweep().fault();
  if (standard == TuneState::rejected || standard == TuneState::failed || standard == TuneState::wrong)
    sweep_fault_ = (standard == TuneState::failed ? "The default " : "The default is ") + sweep_fault_;
  if (!sweep_fault_.empty() || job.sweep().best() == nullptr) return;
  save(job);
  publish();
}

void Tuner::save(const TuneJob& job) {
  if (job.sweep().best() == nullptr) return;
  const TuneLookup::Result& known = *lookup_.newest();
  const TuneSpace& space = known.question.space;
  StoredSweep found = stored(job.sweep(), job.target().subject(), space, known.identity);
  const bool all_axes = job.target().space().points() == space.points();
  const StoredSweep* before = known.stored();
  found.complete = (found.complete && all_axes) || (before != nullptr && before->complete && !job.request().again);
  known.keeper->keep(std::move(found));
}

void Tuner::publish() {
  publishing_.start([store = lookup_.newest()->keeper->store()] {
    return std::make_shared<const TunedChoices>(store, *kernel_sources());
  });
}

// Builds, comparisons and launches under way end on another thread, for which the destructor of the future waits.
void Tuner::release(std::unique_ptr<TuneJob> job) {
  ending_jobs_.push_back(std::async(std::launch::async, [job = std::move(job)]() mutable { job.reset(); }));
}

// Like release(), but that thread may never end, so nothing waits for its future.
void Tuner::abandon(std::unique_ptr<TuneJob> job) {
  std::packaged_task<void()> destroy([job = std::move(job)]() mutable { job.reset(); });
  ending_jobs_.push_back(destroy.get_future());
  std::thread(std::move(destroy)).detach();
}

void Tuner::finish_writing() {
  const auto saving = [this] { return lookup_.newest() && lookup_.newest()->keeper->saving(); };
  for (const double began = now_seconds(); saving() && now_seconds() - began < writing_timeout;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (const std::string fault = lookup_.newest()->keeper->poll(); !fault.empty()) log(Level::error, fault);
  }
}

bool Tuner::busy() const {
  const bool saving = lookup_.newest() && lookup_.newest()->keeper->saving();
  return sweeping() || saving || lookup_.busy() || publishing_.busy() ||
         !std::ranges::all_of(ending_jobs_, is_finished);
}

TuneJob* Tuner::sweeping_job() const {
  if (const auto* sweeping = std::get_if<Sweeping>(&phase_)) return sweeping->job.get();
  if (const auto* ending = std::get_if<Ending>(&phase_)) return ending->job.get();
  return nullptr;
}

bool Tuner::is_hung() const {
  const TuneJob* const job = sweeping_job();
  return job != nullptr && job->silence(now_seconds()) > longest_silence;
}

// ---- the snapshot

void Tuner::present_results(TunerSnapshot& s, const StoredSweep& stored) const {
  s.entries = known_entries(stored, s.space).entries;
  for (TuneEntry& entry : s.entries) entry.summarise();
  s.best = s.space.values(stored.best).value_or(TuneValues());
  s.automatic = s.space.values(stored.choice).value_or(TuneValues());
  s.work = stored.work;
  s.complete = stored.complete;
  s.host_times = stored.host_times;
  s.note = "Measured on " + stored.measured;
}

void Tuner::present_sweep(TunerSnapshot& s) const {
  s.running = true;
  s.ending = std::holds_alternative<Ending>(phase_);
  if (const auto* preparing = std::get_if<Preparing>(&phase_)) {
    s.activity = "preparing";
    s.seconds_left = preparing->job->request().seconds;
    return;
  }
  const TuneJob& job = *sweeping_job();
  const Sweep& sweep = job.sweep();
  s.entries = sweep.entries();
  if (sweep.best() != nullptr) s.best = sweep.best()->values;
  if (sweep.choice() != nullptr) s.automatic = sweep.choice()->values;
  s.work = job.target().subject().work;
  s.progress = sweep.progress();
  s.seconds_left = std::max(0.0, job.request().seconds - sweep.elapsed());
  s.activity = sweep.activity();
  s.silent = is_hung();
  s.host_times = sweep.host_times();
}

TunerSnapshot Tuner::present(const std::optional<Ceilings>& ceilings) const {
  TunerSnapshot s;
  s.unavailable = lookup_.unavailable();
  s.scene = lookup_.scene();
  if (const TuneCatalog* catalog = lookup_.work().catalog) s.kernels = catalog->kernels(lookup_.device());
  s.kernel = lookup_.work().kernel;
  s.fault = sweep_fault_;
  const TuneLookup::Result* known = lookup_.result();
  if (known == nullptr) return s;
  const TuneQuestion& question = known->question;
  s.space = question.space;
  s.standard = question.standard;
  s.problem = question.subject.problem;
  s.unit = question.subject.unit;
  s.work = question.subject.work;
  s.in_use = lookup_.in_use(*known);
  if (sweeping()) {
    present_sweep(s);
  } else if (const StoredSweep* stored = known->stored()) {
    present_results(s, *stored);
  } else if (const StoredSweep* old = known->stale()) {
    present_results(s, *old);
    s.stale = true;
    s.note = "Measured on " + old->measured + " with " + staleness(*old, known->identity);
  }
  if (ceilings && s.work > 0)
    for (const TuneEntry& entry : s.entries)
      s.limits.push_back(least_seconds(
          known->work.catalog->work_of(lookup_.device(), known->work, question.space, entry.values, s.work),
          *ceilings));
  return s;
}

}  // namespace orrery::shell
