#include "scenes/nbody/window/engine.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "compute/device/refusal.hpp"
#include "scene/history.hpp"

namespace orrery {
namespace {

constexpr double rate_window_seconds = 1;
constexpr std::size_t most_refusals = 3;             // by a device, …
constexpr double refusal_interval = 10;              // … in so many seconds
constexpr double short_part = 0.3, long_part = 0.7;  // seconds that a part of a burst takes
constexpr double survey_share = 0.4;                 // of the device's time, while the bodies move

double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

// What surely can be prepared when `settings` could not, on a device that may not allow what the last one did.
NbodySettings fallback(NbodySettings settings) {
  if (settings.work_group == 0 && settings.precision == "single" && settings.variant == "auto") return {};
  settings.variant = "auto";
  settings.work_group = 0;
  settings.precision = "single";
  return settings;
}

template <class F>
void for_each_column(DiagnosticsHistory& history, F&& visit) {
  for (auto* column : {&history.time, &history.kinetic, &history.potential, &history.total, &history.momentum,
                       &history.angular_momentum, &history.virial})
    visit(*column);
}

}  // namespace

NbodyEngine::NbodyEngine(NbodySettings settings) : settings_(std::move(settings)), good_(settings_) {}

void NbodyEngine::set(const NbodySettings& settings, const Unset& unset) {
  const NbodySettings old = std::exchange(settings_, settings);
  unset_ = {unset.dt || (unset_.dt && old.dt == settings.dt),
            unset.softening || (unset_.softening && old.softening == settings.softening),
            unset.burst || (unset_.burst && old.burst == settings.burst)};
  fault_.clear();
  fault_log_.clear();
  const bool begin_again = unset.dt || unset.softening || unset.burst;
  if (begin_again || old.bodies != settings.bodies || old.initial != settings.initial || old.seed != settings.seed)
    return restart();
  if (context_ == nullptr || wanted_) return;
  // Several devices share the bodies by the way that forces are summed, and each kernel is of one of them.
  const bool other_shares = old.forces != settings.forces && context_->members.size() > 1;
  if (old.precision != settings.precision || other_shares)
    renewing_ = true;
  else if (old.integrator != settings.integrator || old.work_group != settings.work_group ||
           old.forces != settings.forces || old.variant != settings.variant)
    build_kernels();
}

bool NbodyEngine::is_unset(std::string_view name) const {
  return (name == "dt" && unset_.dt) || (name == "softening" && unset_.softening) || (name == "burst" && unset_.burst);
}

void NbodyEngine::restart() {
  not_finite_ = false;
  copies_.forget();
  state_.reset();
  state_is_present_ = false;
  renewing_ = false;
  if (context_ != nullptr && !wanted_) prepare(nullptr, false);
}

std::shared_ptr<const NbodyState> NbodyEngine::state() const {
  const bool nothing_computed = at_start_ || context_ == nullptr || wanted_;
  return state_is_present_ || nothing_computed ? state_ : nullptr;
}

void NbodyEngine::resume(NbodyState state) {
  copies_.forget();
  state_ = std::make_shared<const NbodyState>(std::move(state));
  state_is_present_ = false;
  if (context_ != nullptr && !wanted_) prepare(state_, false);
}

void NbodyEngine::step_once() {
  once_ = true;
  paused_ = true;
}

void NbodyEngine::prepare(std::shared_ptr<const NbodyState> state, bool keep_history) {
  kernels_.forget();
  keep_history_ = keep_history;
  held_ = state != nullptr;
  needed_ = false;
  preparation_.start([devices = context_->members, settings = settings_, unset = unset_, state = std::move(state)] {
    return prepare_nbody(devices, settings, unset, state);
  });
}

void NbodyEngine::build_kernels() {
  if (preparation_.busy() || !running_) return prepare(state_, keep_history_);
  const std::size_t bodies = simulation().bodies();
  std::vector<NbodySpeed> speeds;
  for (std::size_t k = 0; k < simulation().devices(); ++k)
    speeds.push_back({simulation().kernels(k).speed, simulation().kernels(k).measured});
  kernels_.start([devices = context_->members, settings = settings_, bodies, speeds] {
    return nbody_kernels(devices, settings, bodies, speeds);
  });
}

// ---- what the workers have finished

void NbodyEngine::keep_fault(const Error& error) {
  fault_ = error.what();
  fault_log_ = error.details().log;
  take_back();
  if (!running_) prepare(state_, state_ != nullptr);
}

void NbodyEngine::give_up() {
  if (!can_give_up()) return;
  orrery::abandon(preparation_);
  orrery::abandon(kernels_);
  renewing_ = false;
  take_back();
}

// What could not be prepared; dt, softening and burst are not among it.
void NbodyEngine::take_back() {
  held_ = false;
  unset_ = {};
  NbodySettings back = good_;
  back.dt = settings_.dt;
  back.softening = settings_.softening;
  back.burst = settings_.burst;
  if (!running_) back = fallback(settings_);
  settings_ = back;
}

void NbodyEngine::take_over(Phase phase) {
  try {
    take_prepared();
    if (phase == Phase::idle) take_kernels();
  } catch (const Error& error) {
    const bool nothing_else_to_try = !is_refusal(error) || settings_ == NbodySettings();
    if (!running_ && nothing_else_to_try) throw;
    keep_fault(error);
  }
}

void NbodyEngine::take_prepared() {
  std::optional<PreparedNbody> ready = preparation_.poll();
  if (!ready) return;
  const std::size_t bytes = ready->simulation->bodies() * published_bytes;
  running_.emplace(Running{std::move(*ready), SurfacePair(context_->surfaces, bytes, context_->queue), {}});
  sweep_.cancel();
  good_ = running_->prepared.settings;
  take(settings_, {good_.dt, good_.softening, good_.burst}, std::exchange(unset_, {}));
  ++generation_;
  phase_ = Phase::idle;
  slice_ = {};
  shown_ = nullptr;
  held_ = between_parts_ = false;
  part_ = 1;
  at_start_ = unseen_ = true;
  observing_ = false;
  observation_.reset();
  looks_ = false;
  surveyed_step_ = -1;
  surveyed_ = 0;
  rates_.clear();
  if (!keep_history_) forget_history();
}

void NbodyEngine::take_kernels() {
  std::optional<std::vector<NbodyKernels>> ready = kernels_.poll();
  if (!ready || !running_ || ready->front().variant.precision != simulation().precision()) return;
  sweep_.cancel();
  good_ = settings_;
  simulation().use(std::move(*ready));
  for (const std::string_view launch : {nbody_launch::force, nbody_launch::add, nbody_launch::advance})
    context_->queue.profiler().mark_first(launch);
}

// ---- a frame

void NbodyEngine::update(double seconds) {
  if (context_ == nullptr) return;
  if (std::exchange(wanted_, false)) prepare(state_, state_ != nullptr);
  try {
    go_on(seconds);
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    begin_again_after(error, seconds);
  }
}

// What is computed is of no use any more; what is shown stays until it goes on from the last copy, with what every
// device takes. A device that keeps refusing has failed.
void NbodyEngine::begin_again_after(const Error& refusal, double seconds) {
  std::erase_if(refusals_, [&](double when) { return seconds - when > refusal_interval; });
  refusals_.push_back(seconds);
  if (refusals_.size() >= most_refusals || !running_) throw refusal;
  log(Level::error, refusal.what());
  phase_ = Phase::idle;
  slice_ = {};
  unseen_ = observing_ = renewing_ = between_parts_ = false;
  probe_.abandon();
  sweep_.cancel();
  if (auto copy = copies_.rescue()) keep(std::move(*copy));
  if (settings_.work_group != 0 || settings_.variant != "auto") settings_ = fallback(settings_);
  fault_ = std::string(refusal.what()) + ". The bodies go on from " + last_copy();
  prepare(state_, true);
  held_ = needed_ = true;
}

// Between bursts everything may change; within one, only a successor may take over.
void NbodyEngine::go_on(double seconds) {
  if (phase_ == Phase::publishing) finish_publishing(seconds);
  if (observing_) finish_observing();
  if (running_) probe_.collect(*running_->prepared.truth);
  if (phase_ != Phase::publishing && !probe_.under_way()) take_over(phase_);
  if (context_->yields) return;
  if (phase_ == Phase::computing) compute();
  if (phase_ != Phase::idle || !running_) return;
  if (std::exchange(unseen_, false)) return publish(false);
  if (!between_parts_ && !observing_ && !is_observed()) observe(!at_start_);
  if (!probe_.go_on(*running_->prepared.truth, context_->queue, simulation(), context_->slice_seconds)) return;
  if (renewing_) renew();
  const bool evaluate = at_start_ || settings_.softening != softening_;
  if (leaving_ || renewing_ || held_) return;
  take_copy();
  if (looks_ && !copies_.busy()) begin_copy(), looks_ = false;
  if (paused_ && !once_ && !evaluate && !between_parts_) return go_on_surveying();
  copy_now_and_then(seconds);
  begin_burst();
  compute();
}

void NbodyEngine::renew() {
  fetch();
  if (!state_is_present_) return;
  renewing_ = false;
  prepare(state_, true);
}

// Their energy is not finite: which of them are not?
void NbodyEngine::look_at_the_bodies() { paused_ = looks_ = true; }

void NbodyEngine::copy_now_and_then(double seconds) {
  if (!at_start_ && copies_.due(seconds)) begin_copy();
}

// Bodies that cannot be kept are computed all the same.
void NbodyEngine::begin_copy() {
  try {
    copies_.begin(context_->device, context_->queue, simulation(), now_seconds());
    return;
  } catch (const Error& error) {
    if (!is_refusal(error)) throw;
    if (!std::exchange(copies_told_, true))
      log(Level::warning,
          std::string("no copy of the bodies can be made for the day the device is lost: ") + error.what());
  }
}

void NbodyEngine::begin_burst() {
  const bool evaluate = at_start_ || settings_.softening != softening_;
  if (settings_.softening != softening_ && !at_start_) forget_history();
  const bool goes_on = std::exchange(between_parts_, false) && !evaluate;
  swept_ = sweep_.running() && !evaluate && !goes_on;
  if (swept_) sweep_.begin_burst();
  const std::int64_t done = goes_on ? steps_ : 0;
  const std::int64_t all = std::max(settings_.burst, done + 1);
  const std::int64_t part = evaluate ? 0 : swept_ ? sweep_.burst() : std::min(all - done, part_);
  steps_ = done + part;
  if (steps_ > 0) once_ = false;
  simulation().begin_burst({part, settings_.dt, settings_.softening});
  work_ = simulation().burst_work() + (goes_on ? work_ : 0);
  softening_ = settings_.softening;
  if (steps_ > 0) state_is_present_ = false;
  slice_ = {};
  part_began_ = now_seconds();
  phase_ = Phase::computing;
}

bool NbodyEngine::burst_has_more() const { return !swept_ && steps_ > 0 && steps_ < settings_.burst; }

// Its bodies are those of a step, and nothing is under way: a copy can be made of them.
void NbodyEngine::end_part() {
  fit_part();
  between_parts_ = true;
  phase_ = Phase::idle;
}

// For the next burst as well.
void NbodyEngine::fit_part() {
  const double seconds = now_seconds() - part_began_;
  if (seconds < short_part && part_ < settings_.burst) part_ *= 2;
  if (seconds > long_part) part_ = std::max<std::int64_t>(1, part_ / 2);
}

void NbodyEngine::compute() {
  if (!is_complete(slice_)) return;
  if (simulation().burst_enqueued() && burst_has_more()) return end_part();
  Queue& queue = context_->queue;
  if (!simulation().burst_enqueued()) {
    const double surveyed = survey_slice(survey_share * context_->slice_seconds);
    const cl::Event begin = swept_ ? queue.marker() : cl::Event();
    simulation().enqueue_slice(queue,
                               std::max(context_->slice_seconds - surveyed, survey_share * context_->slice_seconds));
    slice_ = queue.marker();
    if (swept_) sweep_.add(begin, slice_);
  }
  if (simulation().burst_enqueued() && !burst_has_more() && surfaces().back().idle()) publish(true);
  queue.flush();
}

// Bodies are seen before their field is known, which takes long where they are many.
void NbodyEngine::publish(bool field_known, bool again) {
  Queue& queue = context_->queue;
  if (field_known && surveys_) begin_survey();
  publishes_into_ = &surfaces();
  upload_seconds_ = 0;
  const cl::Event begin = swept_ ? queue.marker() : cl::Event();
  {
    auto lease = publishes_into_->back().lease(queue);
    running_->prepared.publisher->publish(queue, simulation(), lease.buffer(), field_known,
                                          running_->prepared.survey->errors());
  }
  if (swept_) sweep_.add(begin, queue.marker());
  surveyed_ = running_->prepared.survey->done();
  if (field_known) {
    running_->prepared.publisher->diagnose(queue, simulation());
    probe_.begin(*running_->prepared.truth, queue, simulation(), softening_, now_seconds(), context_->slice_seconds);
  }
  if (watched_) observe(field_known);
  queue.flush();
  publishes_field_ = field_known;
  publishes_again_ = again;
  publishes_step_ = simulation().clock().step;
  phase_ = Phase::publishing;
}

void NbodyEngine::finish_publishing(double seconds) {
  if (!running_->prepared.publisher->diagnosed()) return;
  const double began = now_seconds();
  const bool arrived = publishes_into_->back().arrived();
  upload_seconds_ += now_seconds() - began;
  if (!arrived || (observing_ && !running_->prepared.observer->observed())) return;
  if (std::exchange(swept_, false) && sweep_.running()) sweep_.finish_burst(upload_seconds_);
  publishes_into_->flip();
  phase_ = Phase::idle;
  shown_ = &publishes_into_->front();
  shown_step_ = publishes_step_;
  ++published_;
  if (!publishes_field_ || publishes_again_) return;
  if (steps_ > 0) fit_part();
  at_start_ = false;
  diagnostics_ = running_->prepared.publisher->diagnostics();
  if (!std::isfinite(diagnostics_.total()) && !not_finite_) look_at_the_bodies();
  record(diagnostics_);
  rates_.push_back({seconds, static_cast<double>(steps_), work_});
  while (rates_.size() > 2 && seconds - rates_.front().when > rate_window_seconds) rates_.erase(rates_.begin());
}

// ---- what is told of the bodies

void NbodyEngine::forget_history() {
  history_ = {};
  step_watch_ = {};
  step_warning_.clear();
  probe_.forget();
}

void NbodyEngine::record(const NbodyDiagnostics& row) {
  if (history_.time.empty()) {
    history_.initial_total = row.total();
    history_.initial_angular_momentum = length(row.angular_momentum);
  } else if (history_.time.back() == row.time) {
    return;  // the field of the same moment, evaluated again on another device
  }
  if (auto warning = step_watch_.look(row, settings_.dt)) {
    log(Level::warning, *warning);
    step_warning_ = std::move(*warning);
    constexpr std::size_t most_marks = 256;  // more are a bar, not marks
    if (history_.long_steps.size() < most_marks) history_.long_steps.push_back(row.time);
  }
  for_each_column(history_, [](std::vector<double>& column) { make_room({&column}); });
  const std::array values{row.time,    row.kinetic,          row.potential,
                          row.total(), length(row.momentum), length(row.angular_momentum),
                          row.virial()};
  auto value = values.begin();
  for_each_column(history_, [&](std::vector<double>& column) { column.push_back(*value++); });
}

Surface* NbodyEngine::front() { return running_ ? shown_ : nullptr; }

std::string NbodyEngine::status() const {
  if (preparation_.busy()) return "preparing " + settings_.initial;
  if (kernels_.busy()) return "building kernels";
  return running_ && at_start_ ? "computing the first field" : "";
}

double NbodyEngine::burst_progress() const {
  if (phase_ != Phase::computing && !between_parts_) return 1;
  const NbodySimulation& present = *running_->prepared.simulation;
  if (swept_ || steps_ == 0) return present.burst_progress();
  const auto begun = static_cast<double>(steps_), all = static_cast<double>(std::max(settings_.burst, steps_));
  if (between_parts_) return begun / all;
  const double part = present.burst_work() / work_ * begun;  // its steps: all are alike
  return (begun - part * (1 - present.burst_progress())) / all;
}

void NbodyEngine::describe(NbodySnapshot& snapshot) const {
  snapshot.paused = paused_;
  snapshot.backwards = settings_.dt < 0;
  snapshot.diagnostics = history_;
  snapshot.step_warning = step_warning_;
  snapshot.errors = probe_.history();
  snapshot.transfer = sweep_.result();
  snapshot.state_hash = diagnostics_.hash;
  snapshot.initial = good_.initial;
  if (!running_) return;
  const NbodySimulation& present = *running_->prepared.simulation;
  snapshot.bodies = static_cast<std::int64_t>(present.bodies());
  snapshot.step = diagnostics_.step;
  snapshot.time = diagnostics_.time;
  for (std::size_t k = 0; k < present.devices() && present.devices() > 1; ++k) {
    const NbodyShare& share = present.share(k);
    snapshot.members.push_back({static_cast<std::int64_t>(share.end - share.first), present.kernels(k).measured});
  }
  snapshot.burst_progress = burst_progress();
  if (rates_.size() < 2) return;
  // From the first one's completion on, so that its own work is not of the interval.
  const double interval = rates_.back().when - rates_.front().when;
  for (std::size_t i = 1; i < rates_.size() && interval > 0; ++i) {
    snapshot.steps_per_second += rates_[i].steps / interval;
    snapshot.interactions_per_second += rates_[i].interactions / interval;
  }
}

// ---- from device to device

void NbodyEngine::attach(ComputeContext& context) {
  context_ = &context;
  wanted_ = true;
  if (const auto step = std::exchange(lost_at_, {}))
    log(Level::warning, "the bodies go on from " + last_copy() + "; they were at step " + std::to_string(*step));
}

void NbodyEngine::note_loss() {
  if (running_ && !at_start_ && !state_is_present_) lost_at_ = diagnostics_.step;
}

std::string NbodyEngine::last_copy() const {
  return state_ ? "step " + std::to_string(state_->clock.step) : std::string("the beginning");
}

void NbodyEngine::detach() {
  if (auto copy = copies_.rescue(); copy && !state_is_present_) keep(std::move(*copy));
  note_loss();
  leave(preparation_);
  leave(kernels_);
  copies_ = {};
  running_.reset();
  slice_ = {};
  phase_ = Phase::idle;
  shown_ = nullptr;
  sweep_.cancel();
  observing_ = held_ = needed_ = between_parts_ = renewing_ = leaving_ = state_is_present_ = swept_ = false;
  observation_.reset();
  probe_.abandon();
  context_ = nullptr;
}

void NbodyEngine::abandon() {
  orrery::abandon(preparation_);
  orrery::abandon(kernels_);
  if (auto copy = copies_.rescue()) keep(std::move(*copy));
  copies_.abandon();
  note_loss();
  orrery::abandon(running_);
  detach();
}

bool NbodyEngine::ready_to_detach() {
  if (context_ == nullptr || wanted_) return true;
  leaving_ = true;
  go_on(now_seconds());
  if (preparation_.busy() || kernels_.busy() || phase_ != Phase::idle || probe_.under_way()) return false;
  if (!running_ || at_start_) return true;
  fetch();
  return state_is_present_;
}

void NbodyEngine::fetch() {
  take_copy();
  if (state_is_present_ || copies_.busy()) return;
  begin_copy();
  context_->queue.flush();
}

// Nothing good comes of such numbers any more, and files and devices go on from the last good ones.
void NbodyEngine::stop_at(std::size_t not_finite, std::int64_t step) {
  if (std::exchange(not_finite_, true)) return;
  paused_ = true;
  fault_ = std::to_string(not_finite) + " of " + std::to_string(simulation().bodies()) +
           " bodies are not finite any more at step " + std::to_string(step) + ". Paused; Rewind goes back to " +
           last_copy() + ". A shorter time step or a larger softening may help";
  log(Level::warning, fault_);
}

void NbodyEngine::rewind() {
  not_finite_ = false;
  copies_.forget();
  fault_.clear();
  if (!state_) return restart();
  state_is_present_ = false;
  if (context_ != nullptr && !wanted_) prepare(state_, false);
}

void NbodyEngine::take_copy() {
  if (auto copy = copies_.poll()) keep(std::move(*copy));
}

void NbodyEngine::keep(NbodyCopy copy) {
  const NbodyClock clock = copy.state->clock;
  if (copy.not_finite > 0)
    stop_at(copy.not_finite, clock.step);
  else
    copies_.retire(std::exchange(state_, std::move(copy.state)));
  state_is_present_ = running_ && clock.step == simulation().clock().step;
}

}  // namespace orrery
