#include "scenes/nbody/window/running.hpp"

#include <algorithm>
#include <cmath>

#include "compute/device/refusal.hpp"
#include "compute/tuning/variant_text.hpp"
#include "interop/surface.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery {
namespace {

bool is_finite(const Body& b) {
  return std::isfinite(b.x) && std::isfinite(b.y) && std::isfinite(b.z) && std::isfinite(b.vx) && std::isfinite(b.vy) &&
         std::isfinite(b.vz);
}

}  // namespace

Backup<NbodyState> NbodyBackupSource::backup_of(const NbodyDownload& download) {
  auto state = std::make_shared<const NbodyState>(
      NbodyState{download.bodies(), download.clock(), download.tree(), download.mixed_rows()});
  const auto faulty = std::ranges::count_if(state->bodies, [](const Body& body) { return !is_finite(body); });
  return {std::move(state), static_cast<std::size_t>(faulty)};
}

namespace {

constexpr double map_share = 0.4;  // share of the device's time while the bodies move

// Settings that every device supports, for use after `settings` failed on a new device.
NbodySettings plainer(NbodySettings settings) {
  if (settings.work_group == 0 && settings.precision == "single" && settings.variant == "auto") return {};
  settings.variant = "auto";
  settings.work_group = 0;
  settings.precision = "single";
  return settings;
}

NbodyPull pull_of(const NbodySettings& settings) { return {settings.softening, gravity_of(settings)}; }

std::size_t bytes_of(const PreparedNbody& prepared) { return prepared.simulation->bodies() * published_bytes; }

}  // namespace

// ---- settings and preparation

// A setting stays unset until the user gives it another value.
Unset RunningNbody::merged(const Unset& old, const Unset& newer, const NbodySettings& from, const NbodySettings& to) {
  return {newer.dt || (old.dt && from.dt == to.dt),
          newer.softening || (old.softening && from.softening == to.softening),
          newer.burst || (old.burst && from.burst == to.burst)};
}

SettingsChange RunningNbody::change(const NbodySettings& from, const NbodySettings& to, const Unset& unset,
                                    const ComputeContext* context) {
  if (unset.dt || unset.softening || unset.burst || from.bodies != to.bodies || from.initial != to.initial ||
      from.seed != to.seed || from.units != to.units || from.date != to.date)
    return SettingsChange::restart;
  // Several devices share the bodies by the way that forces are summed; with individual steps, each has all of them, as
  // with a tree.
  const bool other_way = from.forces != to.forces || (from.time_steps != to.time_steps && to.forces != "tree");
  const bool other_shares = other_way && context != nullptr && context->members.size() > 1;
  // A tree is calibrated while it is prepared; "auto" may stand for one.
  const bool tree = to.forces == "tree" || to.forces == "auto";
  const bool other_tree = tree && (from.forces != to.forces || from.force_error != to.force_error ||
                                   from.opening_angle != to.opening_angle || from.order != to.order ||
                                   choice_for(from.variant, tree_kernel) != choice_for(to.variant, tree_kernel));
  if (from.precision != to.precision || other_shares || other_tree) return SettingsChange::renew;
  const bool other_kernels = from.integrator != to.integrator || from.work_group != to.work_group ||
                             from.forces != to.forces || from.variant != to.variant || from.contact != to.contact ||
                             from.time_steps != to.time_steps;
  return other_kernels ? SettingsChange::amend : SettingsChange::live;
}

bool RunningNbody::same_bits(const NbodySettings& a, const NbodySettings& b) {
  return a == with_bits_of(a, b) && choice_for(a.variant, tree_kernel) == choice_for(b.variant, tree_kernel);
}

NbodySettings RunningNbody::with_bits_of(const NbodySettings& present, NbodySettings moment) {
  moment.burst = present.burst;
  moment.bodies = present.bodies;
  moment.work_group = present.work_group;
  if (choice_for(present.variant, tree_kernel) == choice_for(moment.variant, tree_kernel))
    moment.variant = present.variant;
  return moment;
}

std::string RunningNbody::rounds_as(const ComputeContext& context) {
  std::string names;
  for (const ProgramLibrary* member : context.members) {
    const DeviceInfo& device = member->device().info();
    if (std::string name = device.name + "\n"; !names.ends_with(name)) names += name;  // equal names give equal bits
  }
  return names;
}

std::function<PreparedNbody()> RunningNbody::preparation(const ComputeContext& context, const NbodySettings& settings,
                                                         const Unset& unset, std::shared_ptr<const NbodyState> state,
                                                         const RunningNbody*,
                                                         const std::shared_ptr<Announced<ProgramPlan>>& plan,
                                                         NbodyRecord& record) {
  if (state || (record.reading && record.reading->failed())) record.cancel_reading();
  const std::shared_ptr<BodyReading> file = state ? nullptr : record.reading_of(settings.initial);
  return [devices = context.members, settings, unset, state = std::move(state), file, plan] {
    return prepare_nbody(devices, settings, unset, state, plan.get(), file.get());
  };
}

void RunningNbody::adopt(NbodySettings& settings, const NbodySettings& prepared, const Unset& unset) {
  orrery::take(settings, Suggestion{prepared.dt, prepared.softening, prepared.burst}, unset);
}

NbodySettings RunningNbody::taken_back(const NbodySettings& settings, const NbodySettings& good) {
  NbodySettings back = good;
  back.dt = settings.dt;
  back.softening = settings.softening;
  back.gravity = settings.gravity;
  back.radius = settings.radius;
  back.restitution = settings.restitution;
  back.step_accuracy = settings.step_accuracy;
  back.burst = settings.burst;
  return back;
}

std::optional<NbodySettings> RunningNbody::fallback(const NbodySettings& settings, const Error& error) {
  if (!is_refusal(error) || settings == NbodySettings()) return std::nullopt;
  return plainer(settings);
}

NbodySettings RunningNbody::after_refusal(const NbodySettings& settings) {
  return settings.work_group != 0 || settings.variant != "auto" ? plainer(settings) : settings;
}

RunningNbody::RunningNbody(ComputeContext& context, PreparedNbody prepared, NbodyRecord& record, Start how)
    : context_(context),
      prepared_(std::move(prepared)),
      record_(&record),
      surfaces_(context.surfaces, bytes_of(prepared_), context.queue),
      watch_(context.device, context.queue) {
  record_->sweep.cancel();
  record_->errors.forget_recent();
  if (how == Start::continued) {
    record_->return_to(model().clock().time, prepared_.settings.dt);
    return;
  }
  record_->step_watch = StepWatch(prepared_.crowd);
  record_->forget_history();
}

// ---- between two bursts

void RunningNbody::amend(const NbodySettings& settings) {
  std::vector<NbodySpeed> speeds;
  for (std::size_t k = 0; k < model().devices(); ++k)
    speeds.push_back({model().kernels(k).speed, model().kernels(k).measured});
  kernels_.start([devices = context_.members, settings = for_sources(settings, model().sources(), model().bodies()),
                  bodies = model().bodies(), speeds] { return nbody_kernels(devices, settings, bodies, speeds); });
}

bool RunningNbody::take_amendment() {
  std::optional<std::vector<NbodyKernels>> ready = kernels_.poll();
  if (!ready || ready->front().variant.precision != model().precision()) return false;
  record_->sweep.cancel();
  record_->errors.forget_recent();
  model().use(std::move(*ready));
  for (const std::string_view launch :
       {nbody_launch::force, nbody_launch::add, nbody_launch::tree, nbody_launch::walk, nbody_launch::listed,
        nbody_launch::substep, nbody_launch::advance, nbody_launch::contact})
    context_.queue.profiler().mark_first(launch);
  return true;
}

bool RunningNbody::give_up_amendment() {
  abandon(kernels_);
  return true;
}

// The bursts of a sweep are timed one by one.
bool RunningNbody::settle(const step::Burst& unfinished) {
  const bool between_parts = unfinished.done() > 0;
  if (!between_parts && !watch_.under_way() && !watch_.is_seen(model())) watch_.begin(context_.queue, model());
  record_->accuracy.poll();
  if (record_->accuracy.running()) return false;  // both would compete for the device
  if (record_->sweep.running() && publication_) return false;
  return error_monitor_.go_on(*prepared_.error_sample, context_.queue, model(), context_.slice_seconds);
}

void RunningNbody::want(Measured quantity, bool cells) {
  wanted_ = quantity;
  cells_wanted_ = cells;
  error_mapping_.want(quantity == Measured::error);
}

// True if the quantity can be measured for each body once its field is known.
bool RunningNbody::measurable(Measured quantity) const {
  if (quantity == Measured::nothing || quantity == Measured::error) return quantity == Measured::error;
  return quantity == Measured::level ? model().individual() : model().tree() != nullptr;
}

// True if the tree's values or the quantity have to be published for the shown moment.
bool RunningNbody::lacks_what_is_wanted() const {
  if (!field_known()) return false;
  const bool cells = cells_wanted_ && model().tree() != nullptr && front_cells_ == nullptr;
  return cells || (wanted_ != Measured::error && measurable(wanted_) && measured_.quantity != wanted_);
}

bool RunningNbody::watch() {
  if (publication_ || !slice_done()) return false;
  if (lacks_what_is_wanted()) return surface_free();
  if (!error_mapping_.wanted()) return false;
  ForceErrorMap& map = *prepared_.error_map;
  error_mapping_.begin(map, context_.queue, model(), terms_.pull);
  if (const double seconds = error_mapping_.enqueue_slice(map, context_.queue, context_.slice_seconds); seconds > 0)
    in_flight_.add(context_.queue.marker(), seconds);
  return error_mapping_.has_news(map) && surface_free();
}

bool RunningNbody::told_all() const {
  const bool maps = error_mapping_.wanted() && !maps_all_errors();
  return field_known() && !lacks_what_is_wanted() && !maps && !watch_.under_way() && watch_.is_seen(model());
}

// ---- a burst

bool RunningNbody::evaluates(const NbodySettings& settings) const {
  return field_ == Field::unknown || pull_of(settings) != terms_.pull ||
         (potential_wanted_ && !model().potential_known());
}

std::optional<std::int64_t> RunningNbody::fixed_burst() const {
  return record_->sweep.running() ? std::optional(record_->sweep.burst()) : std::nullopt;
}

double RunningNbody::begin_burst(const step::Burst& burst, const NbodySettings& settings, Pace) {
  if (!at_beginning() && pull_of(settings) != terms_.pull) record_->forget_history();
  if (field_ == Field::unknown) field_ = Field::enqueued;
  burst_ = burst;
  terms_ = {settings.dt, pull_of(settings), keeps_energy(settings)};
  if (sweeps()) record_->sweep.begin_burst();
  const double evaluations = static_cast<double>(burst.steps * model().kernels().variant.integrator->evaluations());
  const bool potential = burst.steps == 0 || affords_potential(evaluations);
  since_potential_ = potential ? 0 : since_potential_ + evaluations;
  model().begin_burst({burst.steps, settings.dt, terms_.pull.softening, potential, terms_.pull.gravity,
                       touch_of(settings), settings.step_accuracy});
  return model().burst_work();
}

std::string_view RunningNbody::other_forces() const {
  const NbodyVariant& present = model().kernels().variant;
  if (present.forces != Forces::tree) return name_of(Forces::tree);
  return name_of(exact_forces(context_.device.info(), present.precision, model().bodies()));
}

// A tree is counted by the pairs that it stands for.
std::optional<double> RunningNbody::seconds_per_interaction() const {
  const bool tree = model().kernels().variant.forces == Forces::tree;
  const auto each = context_.queue.profiler().seconds_per_work(tree ? nbody_launch::walk : nbody_launch::force);
  if (!each || !tree) return each;
  return *each / static_cast<double>(model().kernels().variant.tree.group) / static_cast<double>(model().bodies());
}

// While the device is not busy all the time, the potential costs nothing.
bool RunningNbody::affords_potential(double evaluations) const {
  constexpr double cost = 0.4;  // share of an evaluation
  constexpr double most_share = 0.02, short_burst = 0.008;
  const auto each = seconds_per_interaction();
  if (potential_wanted_ || sweeps() || !each) return true;
  const auto bodies = static_cast<double>(model().bodies()), devices = static_cast<double>(model().devices());
  const double seconds = evaluations * bodies * static_cast<double>(model().sources()) * *each / devices;
  return seconds < short_burst || since_potential_ + evaluations >= cost / most_share;
}

void RunningNbody::enqueue_slice() {
  Queue& queue = context_.queue;
  const bool walks = model().kernels().variant.forces == Forces::tree;
  const double budget = walks ? context_.uneven_seconds : context_.launch_seconds;
  const double mapped = error_mapping_.enqueue_slice(*prepared_.error_map, queue, map_share * budget);
  const cl::Event begin = sweeps() ? queue.marker() : cl::Event();
  const double before = burst_progress();
  model().enqueue_slice(queue, std::max(budget - mapped, map_share * budget));
  const cl::Event end = queue.marker();
  const double interactions = (burst_progress() - before) * model().burst_work();
  const auto each = seconds_per_interaction();
  const auto devices = static_cast<double>(model().devices());
  const double computed = each ? std::max(interactions * *each / devices, model().slice_seconds()) : 0;
  in_flight_.add(end, each ? mapped + computed : budget);
  if (sweeps()) record_->sweep.add(begin, end);
}

void RunningNbody::interrupt() {
  in_flight_.clear();
  error_monitor_.forget();
  watch_.forget();
  record_->sweep.cancel();
}

// ---- publications and reports

SurfacePair& RunningNbody::surfaces() { return sweeps() && !record_->sweep.shared() && copies_ ? *copies_ : surfaces_; }

void RunningNbody::measure_transfer(bool begin) {
  if (!begin) return record_->sweep.cancel();
  const SharingReport& sharing = context_.surfaces.report();
  if (sharing.shared && !copies_) {
    CopiedSurfaceFactory factory(context_.device, {});
    copies_.emplace(factory, bytes_of(prepared_), context_.queue);
  }
  record_->sweep.start(sharing.shared ? "" : sharing.reason);
}

void RunningNbody::measure_accuracy(bool begin, const NbodySettings& settings,
                                    std::shared_ptr<const NbodyState> state) {
  if (!begin) return record_->accuracy.cancel();
  record_->accuracy.start(context_.device.info(), settings, std::move(state));
}

// A float for each body, or null where it is not known.
cl::Buffer RunningNbody::measure(Measured quantity) {
  if (quantity == Measured::nothing) return {};
  if (quantity == Measured::error) return prepared_.error_map->errors();
  if (of_tree_() == nullptr) of_tree_ = context_.device.buffer(size() * sizeof(cl_float));
  if (quantity == Measured::level)
    model().tell_levels(context_.queue, of_tree_);
  else if (quantity == Measured::leaf_size)
    model().measure_leaves(context_.queue, of_tree_);
  else
    model().count_interactions(context_.queue, of_tree_);
  return of_tree_;
}

void RunningNbody::publish_cells(Surface::Path path) {
  if (!cells_) cells_.emplace(context_.surfaces, bytes_of_cells(), context_.queue);
  auto lease = cells_->back().lease(context_.queue, path);
  model().tree()->copy_boxes(context_.queue, lease.buffer());
}

// Publishes bodies before their field is known, which takes long for many bodies.
void RunningNbody::publish(step::Sight sight) {
  Queue& queue = context_.queue;
  ForceErrorMap& map = *prepared_.error_map;
  const bool field_known = sight != step::Sight::first;
  if (field_known && error_mapping_.wanted()) error_mapping_.begin(map, queue, model(), terms_.pull);
  const bool tree_known = field_known && model().tree() != nullptr;
  const bool known = wanted_ == Measured::error || (field_known && measurable(wanted_));
  const Measured quantity = known ? wanted_ : Measured::nothing;
  publication_ = {sight, model().clock().step, terms_, &surfaces(), quantity, cells_wanted_ && tree_known};
  const cl::Event begin = sweeps() ? queue.marker() : cl::Event();
  // The sweep times the surfaces themselves.
  const auto path = sight == step::Sight::burst && !sweeps() ? Surface::Path::beside : Surface::Path::direct;
  const cl::Buffer measured = measure(quantity);
  {
    auto lease = publication_->into->back().lease(queue, path);
    prepared_.publisher->publish(queue, model(), lease.buffer(), field_known, measured);
  }
  if (publication_->cells) publish_cells(path);
  if (sweeps()) record_->sweep.add(begin, queue.marker());
  quantity == Measured::error ? error_mapping_.note_published(map) : error_mapping_.note_replaced();
  if (field_known) {
    prepared_.publisher->diagnose(queue, model(), measured);
    error_monitor_.begin(*prepared_.error_sample, queue, model(), terms_.pull, now_seconds(), context_.slice_seconds);
  }
  watch_.begin(queue, model());
  queue.flush();
}

bool RunningNbody::published() {
  if (!prepared_.publisher->diagnosed()) return false;
  const double began = now_seconds();
  const bool arrived = publication_->into->back().arrived() && (!publication_->cells || cells_->back().arrived());
  publication_->upload_seconds += now_seconds() - began;
  if (!arrived || (watch_.under_way() && !watch_.arrived())) return false;
  const Publication done = *std::exchange(publication_, {});
  if (done.sight == step::Sight::burst && sweeps()) record_->sweep.finish_burst(done.upload_seconds);
  done.into->flip();
  front_ = &done.into->front();
  front_step_ = done.step;
  if (done.cells) cells_->flip();
  front_cells_ = done.cells ? &cells_->front() : nullptr;
  measured_ = {done.measured, {}};
  if (done.sight == step::Sight::first) return true;
  const NbodyDiagnostics diagnostics = prepared_.publisher->diagnostics();
  measured_.spread = diagnostics.measured;
  if (done.sight != step::Sight::burst) return true;
  burst_.fixed.reset();
  field_ = Field::known;
  if (!std::isfinite(diagnostics.total())) finding_ = Finding{Finding::Kind::suspicion};
  if (done.burst.pull == terms_.pull)
    record_->add(diagnostics, model().individual() ? 0 : done.burst.dt, done.burst.pull.softening,
                 *model().kernels().variant.integrator,
                 done.burst.keeps_energy);  // else the history is another
  return true;
}

void RunningNbody::collect() {
  watch_.collect();
  error_monitor_.collect(*prepared_.error_sample, record_->errors);
  record_->accuracy.poll();
}

std::string RunningNbody::status() const {
  if (amending()) return "building kernels";
  return at_beginning() ? "computing the first field" : "";
}

void RunningNbody::describe(NbodySnapshot& snapshot) const {
  snapshot.bodies = static_cast<std::int64_t>(model().bodies());
  snapshot.step = record_->diagnostics.step;
  snapshot.time = record_->diagnostics.time;
  const bool tree = model().kernels().variant.forces == Forces::tree;
  snapshot.forces = tree ? NbodySnapshot::Forces::of_tree : NbodySnapshot::Forces::of_all_pairs;
  if (tree && prepared_.settings.opening_angle == 0) snapshot.force_errors.asked = prepared_.settings.force_error;
  for (std::size_t k = 0; k < model().devices() && model().devices() > 1; ++k) {
    snapshot.members.push_back({static_cast<std::int64_t>(model().worked_for(k)), model().kernels(k).measured});
  }
}

void RunningNbody::release(Leaving how) {
  if (how == Leaving::unanswered)
    abandon(kernels_);
  else
    leave(kernels_);
  record_->sweep.cancel();
}

}  // namespace orrery
