#include "scenes/particles/window/running.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "compute/device/refusal.hpp"
#include "scenes/particles/laws/laws.hpp"

namespace orrery {

Backup<ParticlesState> ParticlesBackupSource::backup_of(const ParticlesDownload& download) {
  auto state = std::make_shared<const ParticlesState>(
      ParticlesState{download.world, download.laws, download.own_laws, download.moment.snapshot()});
  const auto is_finite = [](const particles::Vector& v) {
    return std::ranges::all_of(v, [](double x) { return std::isfinite(x); });
  };
  const particles::Snapshot& moment = state->moment;
  std::size_t faulty = 0;
  for (std::size_t i = 0; i < moment.position.size(); ++i)
    faulty += is_finite(moment.position[i]) && is_finite(moment.velocity[i]) ? 0U : 1U;
  return {std::move(state), faulty};
}

namespace {

using particles::Engine;

constexpr double measure_interval = 0.1;        // seconds between two measurements …
constexpr double distribution_interval = 0.75;  // … and between two that include g(r)
const particles::PairLaw empty_law{.name = "own-law", .snippet = "energy += 0;\n"};

std::size_t bytes_of(const PreparedParticles& prepared) {
  return std::max<std::size_t>(1, prepared.engine->size()) * particles::published_bytes;
}

}  // namespace

std::string box_text(const particles::Box& box) {
  if (!box.lengths) return "open space";
  const auto& l = *box.lengths;
  return brief(l[0], 4) + " × " + brief(l[1], 4) + " × " + brief(l[2], 4);
}

// ---- settings and preparation

RunningParticles::Terms RunningParticles::merged(const Terms& old, const Terms& newer, const ParticlesSettings& from,
                                                 const ParticlesSettings& to) {
  if (from.world != to.world) return newer;
  Terms all = newer;
  all.insert(old.begin(), old.end());
  return all;
}

SettingsChange RunningParticles::change(const ParticlesSettings& from, const ParticlesSettings& to, const Terms&,
                                        const ComputeContext*) {
  if (from.world != to.world) return SettingsChange::restart;
  const bool other_engine = from.precision != to.precision || from.work_group != to.work_group;
  return other_engine ? SettingsChange::renew : SettingsChange::live;
}

std::function<PreparedParticles()> RunningParticles::preparation(const ComputeContext& context,
                                                                 const ParticlesSettings& settings, const Terms& given,
                                                                 const std::shared_ptr<const ParticlesState>& state,
                                                                 const RunningParticles* present,
                                                                 const std::shared_ptr<Announced<ProgramPlan>>& plan,
                                                                 ParticlesRecord&) {
  ParticlesRequest request{settings, nullptr, {}, given};
  if (state) {
    request = {settings, state->world, state->moment, given, state->laws};
    request.own_laws = state->own_laws;
  } else if (present != nullptr && present->prepared_.settings.world == settings.world) {
    // The same world restarts under the running laws.
    request.world = present->prepared_.world;
    request.laws = present->record_->laws.running();
    request.own_laws = present->prepared_.own_laws;
  }
  return [&programs = context.programs, request = std::move(request), plan] {
    return prepare_particles(programs, request, plan.get());
  };
}

// Keeps the values that the user gave during the preparation.
void RunningParticles::adopt(ParticlesSettings& settings, const ParticlesSettings& prepared, const Terms& given) {
  settings = prepared;
  std::vector<Parameter> list = parameters(settings, true);
  for (const auto& [name, value] : given)
    if (Parameter* parameter = find(list, name)) parameter->assign(value);
}

ParticlesSettings RunningParticles::taken_back(const ParticlesSettings& settings, const ParticlesSettings& good) {
  ParticlesSettings back = settings;
  back.world = good.world;
  back.precision = good.precision;
  back.work_group = good.work_group;
  return back;
}

std::optional<ParticlesSettings> RunningParticles::fallback(const ParticlesSettings& settings, const Error& error) {
  ParticlesSettings plain = settings;
  plain.precision = "single";
  plain.work_group = 0;
  return is_refusal(error) && plain != settings ? std::optional(plain) : std::nullopt;
}

ParticlesSettings RunningParticles::after_refusal(const ParticlesSettings& settings) {
  ParticlesSettings plain = settings;
  plain.work_group = 0;
  return plain;
}

// Particles that are minimised first are shown before that: forces between overlapping particles have no meaning.
RunningParticles::RunningParticles(ComputeContext& context, PreparedParticles prepared, ParticlesRecord& record,
                                   Start how)
    : context_(context),
      prepared_(std::move(prepared)),
      record_(&record),
      surfaces_(context.surfaces, bytes_of(prepared_), context.queue),
      forces_wanted_(!prepared_.minimize),
      minimize_wanted_(prepared_.minimize) {
  if (how == Start::afresh || record_->laws.running() != laws_of(*prepared_.world))
    record_->laws.open(*prepared_.world);
  if (how == Start::afresh) record_->forget_history();
  record_->minimized.clear();
  record_->range_note.clear();
}

// ---- laws

void RunningParticles::edit(const std::string& law, const std::string& text) {
  record_->laws.edit(law, text);
  build_laws();
}

std::string RunningParticles::add_law(const std::string& ready) {
  const particles::World& world = *prepared_.world;
  double cutoff = 0;
  if (world.box.lengths) {
    const auto& lengths = *world.box.lengths;
    const double most = 0.499 * std::min({lengths[0], lengths[1], lengths[2]});
    cutoff = particles::cutoff_of(world) > 0 ? particles::cutoff_of(world) : most;
  }
  const std::string name = record_->laws.add(ready.empty() ? empty_law : particles::ready_pair_law(ready), cutoff);
  build_laws();
  return name;
}

void RunningParticles::add_parameter(const std::string& law, const std::string& name) {
  record_->laws.add_parameter(law, name);
  build_laws();
}

void RunningParticles::remove_law(const std::string& law) {
  record_->laws.remove(law);
  build_laws();
}

std::vector<LawView> RunningParticles::laws() const {
  return record_->laws.views(laws_.building(), originals_of(record_->laws.wanted(), prepared_.own_laws));
}

void RunningParticles::reset_law(const std::string& law) {
  record_->laws.reset(law, originals_of(record_->laws.wanted(), prepared_.own_laws));
  for (const LawView& view : laws())
    for (const ParameterView& number : view.numbers)
      if (view.name == law && number.usual && *number.usual != number.value)
        set_number(std::string(number.info.name), *number.usual);
  build_laws();
}

void RunningParticles::set_laws(const EditedLaws& laws) {
  record_->laws.want(laws);
  build_laws();
}

void RunningParticles::set_number(const std::string& number, const Value& value) {
  record_->laws.set(number, value);
  const auto [law, name] = particles::number_name(number);
  const particles::LawParameter* const parameter = find_parameter(record_->laws.running(), law, name);
  if (parameter == nullptr) return build_laws();
  changes_.emplace_back(
      [law, changed = *parameter](Engine& engine) { engine.set_parameter(law, changed.name, changed.value); });
  ++changes_of_state_;
  record_->changed = shown_clock_.time;
  forces_wanted_ = true;
}

void RunningParticles::accept(const LawExchange::Built& built) {
  prepared_.world = built.prepared.world;
  record_->laws.accept(built.laws);
  record_->law_seconds = built.prepared.seconds;
  const auto set = [&](const auto& laws) {
    for (const auto& law : laws)
      for (const particles::LawParameter& p : law.parameters) engine().set_parameter(law.name, p.name, p.value);
  };
  set(record_->laws.running().pairs);
  set(record_->laws.running().groups);
  finding_ = Finding{Finding::Kind::recovery};
  forces_wanted_ = true;
  record_->changed = shown_clock_.time;
  ++changes_of_state_;
  laws_.complete(built, context_.programs, engine().variant());
  if (record_->laws.wants_building()) build_laws();
}

void RunningParticles::refuse(const EditedLaws& laws, const Error& error) {
  if (error.fault() == Fault::failure) log(Level::warning, error.what());
  if (!record_->laws.refuse(laws, error)) finding_ = Finding{Finding::Kind::fault, error.what()};
  if (record_->laws.wants_building()) build_laws();
}

bool RunningParticles::give_up_amendment() {
  laws_.give_up();
  record_->laws.give_up();
  return false;
}

// ---- between two bursts

void RunningParticles::take(const ParticlesSettings& settings) {
  const particles::Ensemble ensemble = ensemble_of(settings, prepared_.world->ensemble);
  changes_.emplace_back([ensemble](Engine& engine) { engine.set_ensemble(ensemble); });
  record_->changed = shown_clock_.time;
}

bool RunningParticles::settle(const step::Burst&) {
  try {
    laws_.poll();
  } catch (const Error& error) {
    refuse(laws_.requested(), error);
  }
  if (auto kernel = laws_.take_unobserved_pairs()) engine().take_unobserved_pairs(std::move(*kernel));
  make_changes();
  return true;
}

void RunningParticles::make_changes() {
  try {
    for (const Change& change : std::exchange(changes_, {})) change(engine());
  } catch (const Error& error) {
    if (error.fault() == Fault::failure) throw;
    finding_ = Finding{Finding::Kind::fault, error.what()};
  }
}

void RunningParticles::lend() {
  if (auto built = laws_.take()) {
    worker_.start([engine = prepared_.engine, laws = built->prepared] {
      engine->use(laws.kernels, *laws.world, laws.lists);
      return std::string();
    });
    errand_ = UseOfLaws{std::move(*built)};
    return;
  }
  minimize_wanted_ = false;
  auto sight = std::make_shared<Announced<MinimizeSight>>();
  worker_.start([engine = prepared_.engine, device = context_.device, sight] {
    return orrery::minimize(*engine, device, *sight);
  });
  errand_ = Minimization{std::move(sight)};
}

// Shows a sight of the minimisation, because the engine is in use and cannot publish.
void RunningParticles::follow_sight() {
  const auto* minimization = std::get_if<Minimization>(&errand_);
  const auto told = minimization != nullptr ? minimization->sight->told() : nullptr;
  if (!told || !told->published || (sight_ && sight_->of == told->published)) return;
  const std::size_t bytes = told->published->size() * sizeof told->published->front();
  sight_ = {sight() + 1, told->published, std::make_unique<UploadedSurface>(told->published->data(), bytes)};
}

bool RunningParticles::take_back() {
  follow_sight();
  std::optional<std::string> found;
  try {
    found = worker_.poll();
    if (!found) return false;
  } catch (const Error& error) {
    const Errand failed = std::exchange(errand_, {});
    const auto* use = std::get_if<UseOfLaws>(&failed);
    if (use == nullptr) throw;
    refuse(use->built.laws, error);
    return true;
  }
  const Errand done = std::exchange(errand_, {});
  if (const auto* use = std::get_if<UseOfLaws>(&done)) {
    accept(use->built);
    return true;
  }
  record_->minimized = *found;
  forces_wanted_ = true;
  ++changes_of_state_;
  return true;
}

// ---- a burst

double RunningParticles::begin_burst(const step::Burst& burst, const ParticlesSettings&, Pace pace) {
  forces_wanted_ = false;
  burst_ = burst;
  const bool due = now_seconds() - measured_when_ >= measure_interval;
  observed_burst_ = observation_ == Observation::none && (burst.steps == 0 || pace != Pace::run || due);
  engine().begin_burst({burst.steps, observed_burst_});
  return 0;
}

void RunningParticles::enqueue_slice() {
  engine().enqueue_slice(context_.queue, context_.launch_seconds);
  in_flight_.add(context_.queue.marker(), context_.launch_seconds);
}

void RunningParticles::end_burst(const step::Burst& burst) {
  try {
    engine().collect(context_.queue);
  } catch (const particles::CannotGoOn& error) {
    finding_ = Finding{Finding::Kind::divergence, error.what()};
    return;
  }
  record_->range_note = sentence_of(engine().range_changes());
  if (burst.steps > 0) finding_ = Finding{Finding::Kind::recovery};  // the run continues with other settings
}

void RunningParticles::interrupt() {
  in_flight_.clear();
  observation_ = Observation::none;
}

// ---- publications and reports

void RunningParticles::publish(step::Sight) {
  Queue& queue = context_.queue;
  {
    auto lease = surfaces_.back().lease(queue);
    engine().publish(queue, lease.buffer());
  }
  shown_clock_ = engine().clock();
  if (std::exchange(observed_burst_, false) && observation_ == Observation::none && engine().settled()) {
    const double now = now_seconds();
    const bool distribution = now - distribution_when_ >= distribution_interval || burst_.steps == 0;
    if (distribution) distribution_when_ = now;
    engine().observe(queue, distribution);
    measured_when_ = now;
    observation_ = Observation::under_way;
  }
  queue.flush();
}

bool RunningParticles::published() {
  if (!surfaces_.back().arrived()) return false;
  surfaces_.flip();
  front_ = &surfaces_.front();
  sight_.reset();
  return true;
}

void RunningParticles::collect() {
  if (observation_ == Observation::none || !engine().observed()) return;
  observation_ = Observation::none;
  const particles::Observables observables = engine().observables();
  record_->add(observables);
  if (observables.broken == 0 && std::isfinite(observables.total())) return;
  finding_ = Finding{Finding::Kind::divergence, not_finite_text(static_cast<std::size_t>(observables.broken),
                                                                engine().size(), noun, observables.step)};
}

double RunningParticles::reference_temperature(const ParticlesSettings& settings) const {
  const bool drifts = settings.thermostat == "none" && !record_->laws.running().pairs.empty();
  if (drifts && record_->observables) return record_->observables->temperature;
  return ensemble_of(settings, prepared_.world->ensemble).temperature_at(shown_clock_.time);
}

std::string RunningParticles::status() const {
  if (laws_.building()) return laws_.status();
  const auto* minimization = std::get_if<Minimization>(&errand_);
  if (minimization == nullptr) return {};
  const auto told = minimization->sight->told();
  if (!told) return "minimising energy";
  const particles::MinimizeProgress& now = told->progress;
  return "minimising energy: step " + std::to_string(now.step) + " of at most " + std::to_string(now.most_steps) +
         ", largest force " + brief(now.largest_force, 3) + " (goal " + brief(now.wanted_force, 3) + ")";
}

void RunningParticles::describe(const ParticlesSettings& settings, ParticlesSnapshot& snapshot) const {
  const particles::World& world = *prepared_.world;
  snapshot.laws = laws();
  snapshot.minimizing = minimizing();
  snapshot.about = world.about;
  snapshot.particles = static_cast<std::int64_t>(engine().size());
  snapshot.box = box_text(world.box);
  snapshot.step = shown_clock_.step;
  snapshot.time = shown_clock_.time;
  record_->describe(prepared_, reference_temperature(settings), snapshot);
  const particles::Ensemble ensemble = ensemble_of(settings, world.ensemble);
  auto& seen = snapshot.measured;
  if (seen && ensemble.thermostat == particles::Thermostat::langevin && !ensemble.final_temperature)
    seen->kinetic_shortfall = record_->kinetic_shortfall(seen->expected_kinetic, seen->kinetic_error);
}

void RunningParticles::release(Leaving how) {
  if (how == Leaving::unanswered) {
    laws_.give_up();
    abandon(worker_);
  } else {
    laws_.leave();
    leave(worker_);
  }
}

}  // namespace orrery
