#include "scenes/particles/model/engine.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text.hpp"
#include "compute/queue/event_time.hpp"
#include "scenes/particles/model/engine_state.hpp"

namespace orrery::particles {
namespace {

constexpr double worth_beginning = 0.25;  // share of a slice: with less left, nothing more is enqueued
constexpr int steps_per_flush = 8;        // some drivers begin only at a flush: the device would wait for the host

LawParameter* find_parameter(World& world, std::string_view law, std::string_view name) {
  const auto within = [&](std::vector<LawParameter>& parameters) -> LawParameter* {
    const auto found = std::ranges::find(parameters, name, &LawParameter::name);
    return found != parameters.end() ? &*found : nullptr;
  };
  for (PairLaw& pair : world.pairs)
    if (pair.name == law) return within(pair.parameters);
  for (Groups& groups : world.groups)
    if (groups.law.name == law) return within(groups.law.parameters);
  return nullptr;
}

std::string names_of_pair_laws(const World& world) {
  return (world.pairs.size() == 1 ? "the law " : "the pair laws ") + joined(world.pairs, ", ", &PairLaw::name);
}

double nearest_distance(const World& world, const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    double d = b[k] - a[k];
    if (world.box.periodic()) d = std::remainder(d, (*world.box.lengths)[k]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

}  // namespace

bool Snapshot::operator==(const Snapshot& other) const {
  return clock.step == other.clock.step && clock.time == other.clock.time && position == other.position &&
         velocity == other.velocity;
}

std::vector<ProgramPlan::Part> Engine::programs(ProgramLibrary& library, const World& world,
                                                const ForceVariant& wanted) {
  const Device& device = library.device();
  const ForceVariant variant = chosen_variant(device, world, wanted);
  std::vector<ProgramPlan::Part> all = law_programs(library, world, variant);
  std::vector<ProgramSpec> specs{DeviceParticles::program(device, variant.precision),
                                 ParticleObserver::program(device, variant.precision, world.particles.size())};
  std::ranges::move(Neighbours::programs(device, world, variant.precision, variant.team()), std::back_inserter(specs));
  std::ranges::move(Stepper::programs(device, world, variant.precision), std::back_inserter(specs));
  std::ranges::move(ProgramPlan::parts(library, std::move(specs)), std::back_inserter(all));
  return all;
}

Engine::Engine(ProgramLibrary& programs, World world, const ForceVariant& variant) {
  auto laws = make_law_kernels(programs, world, variant);
  state_ = std::make_unique<State>(programs, std::move(world), std::move(laws));
}

Engine::Engine(ProgramLibrary& programs, World world, std::shared_ptr<LawKernels> laws) {
  check(world);
  state_ = std::make_unique<State>(programs, std::move(world), std::move(laws));
}

Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;
Engine& Engine::operator=(Engine&&) noexcept = default;

const World& Engine::world() const { return state_->world; }
std::size_t Engine::size() const { return state_->particles.count; }
const ForceVariant& Engine::variant() const { return state_->variant; }
EngineClock Engine::clock() const { return state_->clock; }

std::shared_ptr<Neighbours> Engine::lists_for(ProgramLibrary& programs, const World& with) const {
  Queue queue(programs.device());
  return std::make_shared<Neighbours>(programs, queue, with, state_->particles, state_->variant.team());
}

void Engine::take_unobserved_pairs(cl::Kernel kernel) { state_->forces.take_unobserved_pairs(std::move(kernel)); }

void Engine::use(std::shared_ptr<LawKernels> laws, const World& with, std::shared_ptr<Neighbours> lists) {
  State& s = *state_;
  if (with.particles.size() != s.particles.count)
    throw usage_error("the number of particles of the laws", std::to_string(with.particles.size()),
                      std::to_string(s.particles.count));
  if (laws->variant.precision != s.variant.precision || laws->variant.team() != s.variant.team())
    throw failure("the laws were built for another variant");
  World next = s.world;
  next.pairs = with.pairs;
  next.groups = with.groups;
  if (cutoff_of(next) == s.forces.neighbours().cutoff()) lists.reset();
  if (cutoff_of(next) != (lists ? *lists : s.forces.neighbours()).cutoff())
    throw failure("the cutoff of the laws changed", "new neighbour lists are needed");
  s.world = std::move(next);
  if (lists) s.forces.use(std::move(lists));
  s.forces.use(s.setup, s.world, s.particles, std::move(laws));
  s.particles.invalidate_order(s.setup);
  s.setup.finish();
  s.forces_known = s.energies_known = false;
}

void Engine::set_parameter(std::string_view law, std::string_view name, double value) {
  State& s = *state_;
  LawParameter* parameter = find_parameter(s.world, law, name);
  if (parameter == nullptr)
    throw usage_error("the law " + std::string(law) + " has no parameter", std::string(name), {});
  if (!(value >= parameter->minimum && value <= parameter->maximum))
    throw usage_error(std::string(law) + "'s " + std::string(name), shortest(value),
                      "a number from " + shortest(parameter->minimum) + " to " + shortest(parameter->maximum));
  parameter->value = value;
  s.sliders_changed = true;
  s.forces_known = s.energies_known = false;
}

void Engine::set_ensemble(const Ensemble& ensemble) {
  check(ensemble);
  state_->world.ensemble = ensemble;
}

void Engine::begin_burst(const ParticleBurst& burst) {
  State& s = *state_;
  s.burst = burst;
  s.to_open = std::max<std::int64_t>(0, burst.steps - (s.open ? 1 : 0));
  s.ahead = s.clock;
  if (s.open) {  // the waiting step keeps its random numbers; the next one gets others
    ++s.ahead.step;
    s.ahead.time += s.world.ensemble.dt;
  }
  s.clock.step += burst.steps;
  s.clock.time += static_cast<double>(burst.steps) * s.world.ensemble.dt;
  s.dt_of_burst = s.world.ensemble.dt;
  const bool known = s.forces_known && !s.open && (burst.steps > 0 || !burst.observe || s.energies_known);
  if (!known) {
    s.evaluate(burst.observe && s.to_open == 0, true);
  } else if (burst.steps > 0) {
    s.stage = State::Stage::forces;  // these are complete: the first step is opened at once
  } else {
    s.stage = State::Stage::done;
  }
}

bool Engine::enqueue_slice(Queue& queue, double budget) {
  State& s = *state_;
  if (s.stage == State::Stage::done) return true;
  if (std::exchange(s.sliders_changed, false)) s.forces.write_sliders(queue, s.world, s.particles);
  int steps = 0;
  for (double left = budget; s.stage != State::Stage::done && (left == budget || left > worth_beginning * budget);) {
    if (!s.forces.complete()) left -= s.forces.enqueue(queue, s.particles, left);
    if (!s.forces.complete()) continue;
    left -= s.advance(queue);
    if (++steps % steps_per_flush == 0) queue.flush();
  }
  if (s.stage == State::Stage::done) {
    s.forces_known = true;
    s.energies_known = s.burst.observe;
    queue.read(s.particles.status, s.mirror.data_for(queue), s.mirror.size());
  }
  return s.stage == State::Stage::done;
}

bool Engine::burst_enqueued() const { return state_->stage == State::Stage::done; }

double Engine::burst_progress() const {
  const State& s = *state_;
  if (s.stage == State::Stage::done || s.burst.steps == 0) return 1;
  return 1 - (static_cast<double>(s.to_open) + 1 - s.forces.progress()) / (static_cast<double>(s.burst.steps) + 1);
}

void Engine::collect(Queue& queue) {
  State& s = *state_;
  const auto closed = static_cast<std::int64_t>(s.status(Status::closed_steps)),
             opened = static_cast<std::int64_t>(s.status(Status::steps));
  if (const cl_int law = s.status(Status::not_a_number); law != 0) {
    s.particles.set_status(queue, Status::not_a_number, 0);
    s.forces_known = s.energies_known = false;
    s.open = opened > closed;
    s.clock.step += closed - s.closed_before - s.burst.steps;
    s.clock.time = s.ahead.time;
    s.closed_before = closed;
    throw s.not_finite(queue, law);
  }
  if (s.status(Status::unsolved) != 0) {
    s.particles.set_status(queue, Status::unsolved, 0);
    s.closed_before = closed;
    throw CannotGoOn("constraints could not be kept",
                     "a dt too large, or constraints that contradict each other: step " + std::to_string(s.clock.step));
  }
  const int exponent_before = s.force_exponent;
  if (s.mend(queue)) {
    const std::int64_t missing = s.burst.steps - (closed - s.closed_before);
    s.clock.step -= missing;
    s.clock.time -= static_cast<double>(missing) * s.dt_of_burst;
    s.open = opened > closed;
    s.forces_known = s.energies_known = false;
    if (s.force_range_found && s.force_exponent != exponent_before)
      s.range_changes = {s.range_changes.times + 1, s.clock.step, s.force_exponent > exponent_before};
  } else {
    s.force_range_found = true;
  }
  s.closed_before = closed;
}

std::string sentence_of(const RangeChanges& changes) {
  if (changes.times == 0) return {};
  return std::string("Forces ") + (changes.grown ? "outgrew" : "fell below") + " the range of their sums at step " +
         std::to_string(changes.step) + ": the sums got another unit, and the step was computed again" +
         (changes.times > 1 ? " (" + std::to_string(changes.times) + " times so far)" : "");
}

const RangeChanges& Engine::range_changes() const { return state_->range_changes; }

// `status`: NOT_A_NUMBER of the kernels.
CannotGoOn Engine::State::not_finite(Queue& queue, cl_int status) {
  const std::vector<std::string>& jumping = forces.laws().jumping;
  const std::string at_step = " at step " + std::to_string(clock.step + (open ? 1 : 0)),
                    cause = jumping.empty() ? std::string()
                                            : "the law " + joined(jumping, ", the law ") +
                                                  " jumps at the faces of the periodic box, and ";
  const auto because = [&](const std::string& what, const std::string& advice) {
    return CannotGoOn(cause + what,
                      jumping.empty() ? advice : "nearest(position1 - place) is the difference to the nearest image");
  };
  const std::string shorter = clock.step > 0 ? ", or a dt too large" : "";
  if (status > 1)
    return because("the law " + world.groups.at(static_cast<std::size_t>(status - 2)).law.name +
                       " gives no finite force" + at_step,
                   "a bond too long, or particles too close" + shorter);
  const auto pair = forces.broken_pair(*programs, queue, world, particles);
  if (!pair)
    return because("the forces of " + names_of_pair_laws(world) + " have no finite sum" + at_step,
                   "particles too close" + shorter);
  const std::vector<Vector> position = particles.read_vectors(queue, particles.positions);
  const double distance = nearest_distance(world, position[pair->first], position[pair->second]);
  return because("the law " + world.pairs.at(pair->law).name + " gives no finite force between particles " +
                     std::to_string(pair->first) + " and " + std::to_string(pair->second) + at_step,
                 (distance > 0 ? "they are " + brief(distance) + " apart"
                               : "they are at one place, where the law has no known limit") +
                     shorter);
}

bool Engine::settled() const { return state_->forces_known && !state_->open; }

void Engine::publish(Queue& queue, const cl::Buffer& surface) {
  state_->observer.publish(queue, state_->particles, state_->forces, surface);
}

void Engine::observe(Queue& queue, bool with_pair_distribution) {
  State& s = *state_;
  const Moment moment{s.clock.step, s.clock.time, s.world.ensemble.temperature_at(s.clock.time)};
  auto& constraints = s.stepper.constraints();
  if (constraints) constraints->enqueue_error(queue, s.particles);
  s.observer.observe(queue, s.world, s.particles, {s.forces, constraints ? &*constraints : nullptr}, moment,
                     with_pair_distribution);
}

bool Engine::observed() const { return state_->observer.observed(); }
Observables Engine::observables() const {
  Observables o = state_->observer.observables(state_->world);
  if (const auto& constraints = state_->stepper.constraints()) o.constraint_error = constraints->error();
  return o;
}

Snapshot Engine::snapshot_blocking(Queue& queue) {
  State& s = *state_;
  return {s.clock, s.particles.read_vectors(queue, s.particles.positions),
          s.particles.read_vectors(queue, s.particles.velocities), s.force_exponent};
}

void Engine::restore(Queue& queue, const Snapshot& snapshot) {
  State& s = *state_;
  if (snapshot.position.size() != s.particles.count || snapshot.velocity.size() != s.particles.count)
    throw usage_error("the number of particles of the snapshot", std::to_string(snapshot.position.size()),
                      std::to_string(s.particles.count));
  s.particles.write_state(queue, snapshot.position, snapshot.velocity, s.world.particles.mass);
  s.clock = snapshot.clock;
  s.open = s.forces_known = s.energies_known = s.force_range_found = false;
  s.particles.invalidate_order(queue);
  s.use_force_exponent(queue, snapshot.force_exponent.value_or(first_force_exponent));
  // The device treats every 16th step specially: the count continues from its old value.
  constexpr std::int64_t most_counted = 0xfffffff;
  s.closed_before = snapshot.clock.step & most_counted;
  for (const Status word : {Status::steps, Status::closed_steps})
    s.particles.set_status(queue, word, static_cast<cl_int>(s.closed_before));
  queue.finish();
}

std::vector<Vector> Engine::forces_blocking(Queue& queue) {
  State& s = *state_;
  run_burst(*this, queue, {0, true});
  return s.particles.read_forces(queue, s.force_exponent);
}

void run_burst(Engine& engine, Queue& queue, const ParticleBurst& burst, const std::function<void()>& between,
               double slice) {
  const std::int64_t wanted = engine.clock().step + burst.steps;
  ParticleBurst rest = burst;
  constexpr int most_attempts = 64;  // at one step
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    engine.begin_burst(rest);
    while (!engine.burst_enqueued()) {
      engine.enqueue_slice(queue, slice);
      queue.finish();
      if (between) between();
    }
    queue.finish();
    engine.collect(queue);
    if (const std::int64_t left = wanted - engine.clock().step; left != rest.steps) {
      rest.steps = left;
      attempt = 0;
    }
    if (rest.steps <= 0 && engine.settled()) return;
  }
  throw failure("neighbour lists or forces do not fit in memory", "use fewer particles or a shorter cutoff");
}

Observables observe_blocking(Engine& engine, Queue& queue, bool with_pair_distribution) {
  run_burst(engine, queue, {0, true});
  engine.observe(queue, with_pair_distribution);
  queue.finish();
  return engine.observables();
}

// ---- downloads

Download::Download(const Device& device, Queue& queue, const Engine& engine)
    : count_(engine.size()),
      wide_(engine.state_->particles.wide()),
      positions_(device, queue, count_ * bytes_of_real4(wide_), HostMirror::Mapping::queued),
      velocities_(device, queue, positions_.size(), HostMirror::Mapping::queued) {}

bool Download::fits(const Engine& engine) const {
  return engine.size() == count_ && engine.state_->particles.wide() == wide_;
}

void Download::begin(Queue& queue, const Engine& engine) {
  const Engine::State& s = *engine.state_;
  clock_ = s.clock;
  force_exponent_ = s.force_exponent;
  reads_ = {queue.read(s.particles.positions, positions_.data_for(queue), positions_.size()),
            queue.read(s.particles.velocities, velocities_.data_for(queue), velocities_.size())};
}

bool Download::complete() const { return is_complete(reads_[0]) && is_complete(reads_[1]); }
bool Download::arrived() const { return has_succeeded(reads_[0]) && has_succeeded(reads_[1]); }

double Download::seconds() const { return seconds_of_transfers(reads_, positions_.size()); }

Snapshot Download::snapshot() const {
  return {clock_, DeviceParticles::vectors_from(positions_, count_, wide_),
          DeviceParticles::vectors_from(velocities_, count_, wide_), force_exponent_};
}

}  // namespace orrery::particles
