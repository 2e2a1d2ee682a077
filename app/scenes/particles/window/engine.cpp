#include "scenes/particles/window/engine.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/work/abandon.hpp"
#include "scenes/particles/laws/laws.hpp"

namespace orrery {
namespace {

using particles::Engine;

constexpr double measure_interval = 0.1;         // seconds between two measurements …
constexpr double distribution_interval = 0.75;   // … of which one with g(r)
constexpr double keep_interval = 5;              // between two copies on the host, for the day the device is lost …
constexpr std::size_t kept_particles = 100'000;  // … of as many particles as cost nothing to copy
constexpr double rate_window = 1;

std::int64_t count_not_finite(const particles::Snapshot& moment) {
  const auto is_finite = [](const particles::Vector& v) {
    return std::ranges::all_of(v, [](double x) { return std::isfinite(x); });
  };
  std::int64_t found = 0;
  for (std::size_t i = 0; i < moment.position.size(); ++i)
    found += !is_finite(moment.position[i]) || !is_finite(moment.velocity[i]);
  return found;
}

}  // namespace

ParticlesEngine::ParticlesEngine(ParticlesSettings settings) : settings_(std::move(settings)), good_(settings_) {}

void ParticlesEngine::set(const ParticlesSettings& settings, const std::map<std::string, Value>& given) {
  const ParticlesSettings old = std::exchange(settings_, settings);
  fault_.clear();
  fault_log_.clear();
  const bool other_world = old.world != settings.world;
  if (other_world || !given.empty()) given_ = given;
  if (other_world) {
    state_.reset();
    resumed_ = false;
    return restart();
  }
  if (context_ == nullptr || wanted_) {
    for (const auto& [name, value] : given) given_[name] = value;
    return;
  }
  if (old.precision != settings.precision || old.work_group != settings.work_group) renewing_ = running_.has_value();
  changes_.emplace_back(
      [this](Engine& engine) { engine.set_ensemble(ensemble_of(settings_, running_->prepared.world->ensemble)); });
}

void ParticlesEngine::restart() {
  not_finite_ = renewing_ = false;
  fault_.clear();
  if (!resumed_) state_.reset();
  state_is_present_ = false;
  if (context_ == nullptr || wanted_) return;
  ParticlesRequest request{settings_, nullptr, {}, given_};
  // The same world under the laws that run now.
  if (running_ && running_->prepared.settings.world == settings_.world) {
    request.world = running_->prepared.world;
    request.laws = laws_.running();
  }
  prepare(std::move(request));
}

void ParticlesEngine::rewind() {
  not_finite_ = false;
  fault_.clear();
  if (!state_) return restart();
  if (context_ != nullptr && !wanted_) prepare({settings_, state_->world, state_->moment, {}, state_->laws});
}

void ParticlesEngine::resume(ParticlesState state) {
  state_ = std::make_shared<const ParticlesState>(std::move(state));
  state_is_present_ = false;
  resumed_ = true;
  if (context_ != nullptr && !wanted_) prepare({settings_, state_->world, state_->moment, {}, state_->laws});
}

// ---- laws

void ParticlesEngine::edit(const std::string& law, const std::string& text) {
  laws_.edit(law, text);
  build_laws();
}

void ParticlesEngine::add_law(const std::string& ready) {
  if (!running_) return;
  const particles::World& world = *running_->prepared.world;
  double cutoff = 0;
  if (world.box.lengths) {
    const auto& lengths = *world.box.lengths;
    const double most = 0.499 * std::min({lengths[0], lengths[1], lengths[2]});
    cutoff = particles::cutoff_of(world) > 0 ? particles::cutoff_of(world) : most;
  }
  laws_.add(particles::ready_pair_law(ready), cutoff);
  build_laws();
}

void ParticlesEngine::remove_law(const std::string& law) {
  laws_.remove(law);
  build_laws();
}

void ParticlesEngine::set_law_parameter(const std::string& law, const std::string& name, double value) {
  if (name == law_cutoff) {
    laws_.set_cutoff(law, value);
    return build_laws();
  }
  laws_.set(law, name, value);
  changes_.emplace_back([law, name, value](Engine& engine) { engine.set_parameter(law, name, value); });
  evaluate_ = true;
}

// The newest text displaces what has not begun to be built.
void ParticlesEngine::build_laws() {
  ready_laws_.reset();
  if (!running_ || !laws_.wants_building()) return building_.forget();
  built_laws_ = laws_.wanted();
  const PreparedParticles& now = running_->prepared;
  const bool other_cutoff = particles::cutoff_of(built_laws_.pairs) != particles::cutoff_of(laws_.running().pairs);
  building_.start(
      [&programs = context_->programs, request = LawsRequest{now.world, built_laws_, now.engine, other_cutoff}] {
        return prepare_laws(programs, request);
      });
}

void ParticlesEngine::take_laws() {
  try {
    std::optional<PreparedLaws> ready = building_.poll();
    if (!ready) return;
    ready_laws_ = std::move(ready);
    taken_laws_ = built_laws_;
  } catch (const Error& error) {
    taken_laws_ = built_laws_;
    refuse_laws(error);
  }
}

void ParticlesEngine::accept(PreparedLaws laws) {
  taking_laws_ = false;
  running_->prepared.world = std::move(laws.world);
  laws_.accept(taken_laws_);
  law_seconds_ = laws.seconds;
  for (const EditedLaws& all = laws_.running(); const auto& law : all.pairs)
    for (const particles::LawParameter& p : law.parameters) engine().set_parameter(law.name, p.name, p.value);
  if (std::exchange(not_finite_, false)) fault_.clear();
  evaluate_ = true;
  state_is_present_ = false;
  if (laws_.wants_building()) build_laws();
}

void ParticlesEngine::refuse_laws(const Error& error) {
  taking_laws_ = false;
  if (error.fault() == Fault::failure) log(Level::warning, error.what());
  if (!laws_.refuse(taken_laws_, error)) fault_ = error.what();
  if (laws_.wants_building()) build_laws();
}

// ---- what the workers have finished

void ParticlesEngine::prepare(ParticlesRequest request) {
  held_ = request.moment.has_value();
  preparation_.start(
      [&programs = context_->programs, request = std::move(request)] { return prepare_particles(programs, request); });
}

// From the last state where there is one.
void ParticlesEngine::prepare_present() {
  if (state_)
    prepare({settings_, state_->world, state_->moment, given_, state_->laws});
  else
    prepare({settings_, nullptr, {}, given_});
}

void ParticlesEngine::keep_fault(const Error& error) {
  fault_ = error.what();
  fault_log_ = error.details().log;
  held_ = false;
  given_.clear();
  settings_ = good_;
}

void ParticlesEngine::take_prepared() {
  std::optional<PreparedParticles> ready;
  try {
    ready = preparation_.poll();
  } catch (const Error& error) {
    if (!running_ && error.fault() == Fault::failure) throw;
    return keep_fault(error);
  }
  if (!ready) return;
  const std::size_t bytes = std::max<std::size_t>(1, ready->engine->size()) * particles::published_bytes;
  building_.forget();
  ready_laws_.reset();
  const bool same = running_ && running_->prepared.settings.world == ready->settings.world && held_;
  running_.emplace(Running{std::move(*ready), SurfacePair(context_->surfaces, bytes, context_->queue)});
  settings_ = good_ = running_->prepared.settings;
  given_.clear();
  changes_.clear();
  if (!same) {
    laws_.open(*running_->prepared.world);
    history_ = {};
    distribution_ = {};
    observed_once_ = false;
  }
  ++generation_;
  minimized_.clear();
  range_note_.clear();
  bursting_ = unpublished_ = publishing_ = observing_ = held_ = state_is_present_ = not_finite_ = false;
  // They are seen before they are brought to rest; what acts where they overlap is not worth knowing.
  minimize_ = unpublished_ = running_->prepared.minimize;
  evaluate_ = !minimize_;
  observes_ = false;
  shown_ = nullptr;
  slice_ = {};
  rates_.clear();
}

void ParticlesEngine::finish_job() {
  try {
    std::optional<JobResult> done = job_.poll();
    if (!done || !running_) return;
    if (done->laws) return accept(std::move(*done->laws));
    if (done->minimized) {
      minimized_ = *done->minimized;
      evaluate_ = true;
    }
    if (done->not_finite > 0) return stop_at(done->not_finite, done->moment->clock.step);
    if (!done->moment) return;
    state_ = std::make_shared<const ParticlesState>(
        ParticlesState{running_->prepared.world, laws_.running(), std::move(*done->moment)});
    state_is_present_ = state_->moment.clock.step == engine().clock().step;
  } catch (const Error& error) {
    if (taking_laws_) return refuse_laws(error);
    if (error.fault() == Fault::failure && leaving_) throw;
    fault_ = error.what();
    fault_log_ = error.details().log;
  }
}

/// Between bursts, with nothing under way: a worker may have the engine.
bool ParticlesEngine::begin_job(double seconds) {
  if (ready_laws_) {
    taking_laws_ = true;
    job_.start([engine = running_->prepared.engine, laws = *std::exchange(ready_laws_, {})] {
      engine->use(laws.kernels, *laws.world, laws.lists);
      JobResult result;
      result.laws = laws;
      return result;
    });
    return true;
  }
  const bool small = engine().size() <= kept_particles;
  const bool now_and_then = small && !paused_ && !not_finite_ && seconds - kept_when_ > keep_interval;
  const bool keep = !state_is_present_ && !not_finite_ && (leaving_ || renewing_ || now_and_then);
  const bool minimize = std::exchange(minimize_, false) && !leaving_;
  if (!keep && !minimize) return false;
  kept_when_ = seconds;
  minimizing_ = minimize;
  state_is_present_ = false;
  job_.start([engine = running_->prepared.engine, device = context_->device, minimize] {
    JobResult result;
    if (minimize) result.minimized = orrery::minimize(*engine, device);
    if (minimize) return result;
    result.moment = snapshot_of(*engine, device);
    result.not_finite = count_not_finite(*result.moment);
    return result;
  });
  return true;
}

// ---- a frame

void ParticlesEngine::update(double seconds) {
  if (context_ == nullptr) return;
  if (std::exchange(wanted_, false)) prepare_present();
  go_on(seconds);
}

void ParticlesEngine::go_on(double seconds) {
  finish_job();
  if (job_.busy()) return;
  if (running_ && publishing_) finish_publishing(seconds);
  if (running_ && observing_) finish_observing(seconds);
  if (!bursting_ && !publishing_ && !observing_) take_prepared();
  if (!running_ || context_->yields) return;
  if (bursting_) compute(seconds);
  if (bursting_) return context_->queue.flush();
  if (unpublished_) publish(seconds);
  if (unpublished_) return;
  take_laws();
  apply_changes();
  const bool quiet = !publishing_ && !observing_;
  const bool wants_job = minimize_ || ready_laws_ || ((leaving_ || renewing_) && !state_is_present_ && !not_finite_) ||
                         (seconds - kept_when_ > keep_interval && engine().size() <= kept_particles && !paused_);
  if (wants_job && !quiet) return;
  if (wants_job && begin_job(seconds)) return;
  if (renewing_ && not_finite_) {
    renewing_ = false;
    return rewind();
  }
  if (renewing_ && state_is_present_) {
    renewing_ = false;
    return prepare({settings_, state_->world, state_->moment, {}, state_->laws});
  }
  if (leaving_ || held_ || (paused_ && !once_ && !evaluate_)) return;
  begin_burst(seconds);
  compute(seconds);
  context_->queue.flush();
}

void ParticlesEngine::apply_changes() {
  if (changes_.empty()) return;
  try {
    for (const auto& change : std::exchange(changes_, {})) change(engine());
  } catch (const Error& error) {
    if (error.fault() == Fault::failure) throw;
    fault_ = error.what();
  }
}

void ParticlesEngine::begin_burst(double seconds) {
  steps_ = std::exchange(evaluate_, false) ? 0 : settings_.burst;
  if (steps_ > 0) {
    once_ = false;
    state_is_present_ = false;
  }
  observes_ = !observing_ && (steps_ == 0 || paused_ || seconds - measured_when_ >= measure_interval);
  engine().begin_burst({steps_, observes_});
  slice_ = {};
  bursting_ = true;
}

void ParticlesEngine::compute(double seconds) {
  if (!is_complete(slice_)) return;
  Queue& queue = context_->queue;
  if (!engine().burst_enqueued()) {
    engine().enqueue_slice(queue, context_->slice_seconds);
    slice_ = queue.marker();
    return queue.flush();
  }
  bursting_ = false;
  unpublished_ = true;
  try {
    engine().collect(queue);
  } catch (const particles::CannotGoOn& error) {
    return stop(error.what());
  }
  range_note_ = sentence_of(engine().range_changes());
  if (steps_ > 0 && std::exchange(not_finite_, false)) fault_.clear();  // with other settings it goes on
  if (steps_ > 0) rates_.push_back({seconds, static_cast<double>(steps_)});
  while (rates_.size() > 2 && seconds - rates_.front().when > rate_window) rates_.erase(rates_.begin());
}

void ParticlesEngine::publish(double seconds) {
  Surface& back = running_->surfaces.back();
  if (publishing_ || !back.idle()) return;
  Queue& queue = context_->queue;
  {
    auto lease = back.lease(queue);
    engine().publish(queue, lease.buffer());
  }
  if (observes_ && !observing_ && engine().settled()) {
    const bool distribution = seconds - distribution_when_ >= distribution_interval || steps_ == 0;
    if (distribution) distribution_when_ = seconds;
    engine().observe(queue, distribution);
    measured_when_ = seconds;
    observing_ = true;
  }
  queue.flush();
  unpublished_ = false;
  publishing_ = true;
  shown_clock_ = engine().clock();
}

void ParticlesEngine::finish_publishing(double) {
  if (!running_->surfaces.back().arrived()) return;
  running_->surfaces.flip();
  shown_ = &running_->surfaces.front();
  ++published_;
  publishing_ = false;
}

void ParticlesEngine::finish_observing(double) {
  if (!engine().observed()) return;
  observing_ = false;
  observables_ = engine().observables();
  observed_once_ = true;
  if (!observables_.pair_distribution.values.empty()) distribution_ = observables_.pair_distribution;
  if (observables_.broken == 0 && std::isfinite(observables_.total())) return record();
  stop_at(observables_.broken, observables_.step);
}

void ParticlesEngine::stop_at(std::int64_t not_finite, std::int64_t step) {
  stop(std::to_string(not_finite) + " of " + std::to_string(engine().size()) +
       " particles are not finite any more at step " + std::to_string(step));
}

void ParticlesEngine::stop(const std::string& why) {
  paused_ = true;
  if (std::exchange(not_finite_, true) && !fault_.empty()) return;
  fault_ = why + ". Paused; Rewind goes back to " +
           (state_ ? "step " + std::to_string(state_->moment.clock.step) : std::string("the beginning")) +
           ". A shorter time step or a gentler law may help";
  log(Level::warning, fault_);
}

// ---- from device to device

void ParticlesEngine::attach(ComputeContext& context) {
  context_ = &context;
  wanted_ = true;
}

void ParticlesEngine::detach() {
  leave(preparation_);
  leave(building_);
  leave(job_);
  running_.reset();
  slice_ = {};
  shown_ = nullptr;
  bursting_ = unpublished_ = publishing_ = observing_ = held_ = renewing_ = leaving_ = state_is_present_ = false;
  ready_laws_.reset();
  taking_laws_ = false;
  changes_.clear();
  context_ = nullptr;
}

void ParticlesEngine::abandon() {
  orrery::abandon(preparation_);
  orrery::abandon(building_);
  orrery::abandon(job_);
  orrery::abandon(running_);
  detach();
}

void ParticlesEngine::give_up() {
  if (!can_give_up()) return;
  if (preparation_.busy()) {
    orrery::abandon(preparation_);
    settings_ = good_;
    given_.clear();
    held_ = renewing_ = false;
  }
  if (!building_.busy()) return;
  orrery::abandon(building_);
  laws_.give_up();
}

bool ParticlesEngine::ready_to_detach() {
  if (context_ == nullptr || wanted_) return true;
  leaving_ = true;
  go_on(now_seconds());
  if (preparing() || ready_laws_ || bursting_ || unpublished_ || publishing_ || observing_) return false;
  return !running_ || state_is_present_ || not_finite_;
}

}  // namespace orrery
