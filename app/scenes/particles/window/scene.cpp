#include "scenes/particles/window/scene.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files/gradient.hpp"
#include "base/overloaded.hpp"
#include "base/points/point_format.hpp"
#include "base/text.hpp"
#include "scenes/particles/files/particle_frame.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/laws/laws.hpp"
#include "scenes/particles/panels/command.hpp"

namespace orrery {
namespace {

constexpr double home_in_extents = 3.0;              // the camera's first distance
constexpr double fastest = 3;                        // multiples of √(kT/m), at the palette's end
constexpr double smooth_motion_of_particles = 0.02;  // motion from picture to picture, in heights of the picture
constexpr std::int64_t most_lengthened = 8;          // factor per change: motion from rest becomes faster
constexpr std::size_t ramp_texels = 64;
constexpr float click_reach = 6;  // pixels at scale 1
constexpr std::string_view laws_key = "laws";
std::vector<NamedEntry> world_list() {
  std::vector<NamedEntry> list;
  for (const particles::WorldEntry& entry : particles::known_worlds())
    list.push_back({entry.name, entry.title, entry.about});
  return list;
}

std::string kind_of(const SeenParticle& seen, const RunningParticles* running) {
  if (running == nullptr || seen.kind >= running->prepared().world->kinds.size()) return {};
  return running->prepared().world->kinds[seen.kind].name;
}

std::string text_of(const SeenParticle& seen) {
  const auto text = [](float value) { return brief(static_cast<double>(value), 3); };
  const std::string charge = seen.charge != 0 ? "charge " + text(seen.charge) + ", " : "";
  return charge + "speed " + text(seen.speed) + ", energy " + text(seen.energy);
}

// A world without given values sets its own.
void leave_open(std::vector<Parameter> rows, std::vector<Parameter> usual, const RunningParticles::Terms& given) {
  for (Parameter& row : rows)
    if (row.info().brought && !given.contains(row.info().name)) row.assign(find(usual, row.info().name)->value());
}

/// The keys of a state file for the moment and the user's own laws.
struct Moment {
  particles::EngineClock clock;
  std::optional<int> force_exponent;
  std::string world_toml;
  std::optional<EditedLaws> laws;
  StateSection numbers;  // parameters of laws

  /// False for a key of something else. Throws a usage Error for a bad value.
  bool take(const std::string& key, const Value& value) {
    constexpr std::int64_t largest_exponent = 4000;
    const auto* whole = std::get_if<std::int64_t>(&value);
    const auto* text = std::get_if<std::string>(&value);
    if (key == "step" && whole != nullptr) return clock.step = *whole, true;
    if (key == "time" && finite_number(value)) return clock.time = *finite_number(value), true;
    if (key == "force-exponent" && whole != nullptr)
      return force_exponent = static_cast<int>(std::clamp(*whole, -largest_exponent, largest_exponent)), true;
    if (key == "world-toml" && text != nullptr) return world_toml = *text, true;
    if (key.find('/') != std::string::npos && finite_number(value)) return numbers.emplace_back(key, value), true;
    if (key != laws_key || text == nullptr) return false;
    particles::ReadyLaws read = particles::parse_laws(*text, std::string(laws_key));
    laws = {std::move(read.pairs), std::move(read.groups)};
    return true;
  }

  std::optional<ParticlesState> state() const {
    if (world_toml.empty()) return std::nullopt;
    particles::World world = particles::parse_world(world_toml, "world-toml");
    ParticlesState state;
    state.moment = {clock, world.particles.position, world.particles.velocity, force_exponent};
    state.laws = laws_of(world);
    state.world = std::make_shared<const particles::World>(std::move(world));
    return state;
  }
};

// Describes particles before they run, and their laws.
void describe_sketch(const ParticlesSketch& sketch, ParticlesSnapshot& view) {
  const particles::World& world = *sketch.world;
  view.about = world.about;
  view.particles = static_cast<std::int64_t>(sketch.size());
  view.box = box_text(world.box);
  LawBook laws;
  laws.open(world);
  view.laws = laws.views(false);
  for (std::size_t k = 0; k < world.kinds.size(); ++k)
    view.kinds.push_back({world.kinds[k].name, kind_color(world, k)});
}

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json as_json(const ParticlesSnapshot& view) {
  const ParticlesMeasures seen = view.measured.value_or(ParticlesMeasures());
  Json laws = Json::array();
  for (const LawView& law : view.laws)
    laws.push_back(
        {{"name", law.name}, {"text", law.text}, {"refused", law.refused}, {"energy", number_or_null(law.energy)}});
  return {{"world", view.world},
          {"particles", view.particles},
          {"step", view.step},
          {"steps_per_second", view.steps_per_second},
          {"temperature", number_or_null(seen.temperature)},
          {"pressure", seen.pressure ? number_or_null(*seen.pressure) : Json()},
          {"energy", number_or_null(seen.energy)},
          {"mean_kinetic", number_or_null(seen.mean_kinetic)},
          {"expected_kinetic", number_or_null(seen.expected_kinetic)},
          {"laws", laws},
          {"law_seconds", view.law_seconds}};
}

}  // namespace

// The complete state: particles at their places, and the laws as typed.
StateSection ParticlesSceneParts::with_moment(StateSection section,
                                              const std::shared_ptr<const ParticlesState>& state) {
  if (!state) return section;
  particles::World world = with_laws(*state->world, state->laws);
  world.particles.position = state->moment.position;
  world.particles.velocity = state->moment.velocity;
  section.emplace_back("step", state->moment.clock.step);
  section.emplace_back("time", state->moment.clock.time);
  if (const auto exponent = state->moment.force_exponent)
    section.emplace_back("force-exponent", static_cast<std::int64_t>(*exponent));
  section.emplace_back("world-toml", particles::world_text(world));
  return section;
}

ParticlesScene::ParticlesScene(const SceneKind& kind) : OrbitScene(kind, click_reach) {}

// ---- input

void ParticlesScene::apply_own(const command::Command& command) {
  using namespace command;
  if (std::holds_alternative<Escape>(command)) ui_->open = false;
  if (const auto* set = std::get_if<SetParameter>(&command); set != nullptr && is_awaited(set->name))
    given_look_[set->name] = set->value;
  const auto* own = std::get_if<SceneCommand>(&command);
  if (own == nullptr) return;
  handle_own<OpenWorld, EditLaw, AddLaw, AddLawParameter, RemoveLaw, ResetLaw, ToggleLawText, Minimize>(
      *own,
      Overloaded{
          [&](const OpenWorld& wanted) { open(wanted.world); },
          [&](const EditLaw& edit) { with_running([&](auto& running) { running.edit(edit.law, edit.text); }); },
          [&](const AddLaw& add) { with_running([&](auto& running) { ui_->begin(running.add_law(add.ready)); }); },
          [&](const AddLawParameter& add) {
            with_running([&](auto& running) { running.add_parameter(add.law, add.name); });
          },
          [&](const RemoveLaw& remove) { with_running([&](auto& running) { running.remove_law(remove.law); }); },
          [&](const ResetLaw& reset) { with_running([&](auto& running) { running.reset_law(reset.law); }); },
          [&](const ToggleLawText&) { ui_->open = !ui_->open; },
          [&](const Minimize&) { with_running([](auto& running) { running.minimize(); }); },
      });
}

void ParticlesScene::choose(const std::string& name, ParticlesSettings settings) {
  if (name == "world") return open(settings.world);
  std::vector<Parameter> list = parameters(settings, fp64());
  const Parameter& row = *find(list, name);
  runner_.set(settings, row.info().brought ? RunningParticles::Terms{{name, row.value()}} : RunningParticles::Terms());
}

// Sets a number of a law.
void ParticlesScene::choose_own(const std::string& name, const Value& value) {
  with_running([&](auto& running) { running.set_number(name, value); });
}

void ParticlesScene::open(const std::string& world) {
  (void)particles::find_world(world);  // throws if there is none
  ParticlesSettings settings = runner_.settings();
  given_look_.clear();
  given_laws_.reset();
  if (settings.world == world) return runner_.restart();
  settings.world = world;
  runner_.set(settings);
}

// ---- the followed particle

const SeenWorld* ParticlesScene::world() const {
  if (const RunningParticles* running = runner_.simulation()) return &running->prepared();
  return sketch_.value().get();
}

void ParticlesScene::with_running(const std::function<void(RunningParticles&)>& action) {
  if (RunningParticles* running = runner_.simulation()) action(*running);
}

void ParticlesScene::follow(std::int64_t particle, std::optional<SeenParticle> seen) {
  followed_ = seen;
  looked_at_ = -1;
  OrbitScene::follow(particle);
}

void ParticlesScene::begin_frame() {
  if (!renderer_) return;
  const auto answer = renderer_->pick().poll();
  if (!answer || answer->generation != runner_.generation()) return;
  const auto& seen = answer->particle;
  if (answer->searched && !seen) return follow(nothing);
  if (answer->searched && followed() != seen->index) return follow(seen->index, seen);
  if (seen && followed() == seen->index) followed_ = seen;
}

// A particle that leaves through a face of the box enters at the opposite one: the view glides there.
void ParticlesScene::move_view(double frame) {
  std::optional<glm::dvec3> place;
  if (followed() && followed_) place = glm::dvec3(followed_->place);
  const SeenWorld* const seen = world();
  const bool leapt = place && place_ && seen != nullptr && glm::distance(*place, *place_) > 0.5 * seen->extent;
  if (leapt) view_.follow();
  place_ = place;
  view_.move(place, frame);
}

// ---- a frame

SceneStatus ParticlesScene::status() const {
  SceneStatus now = OrbitScene::status();
  now.shows_refused = runner_.record().laws.refuses();
  const bool looks = followed() && (!renderer_ || looked_at_ != runner_.published() || renderer_->pick().under_way());
  now.complete = now.complete && !looks;
  return now;
}

void ParticlesScene::ask_for_sketch() {
  const ParticlesStart start{runner_.settings().world, runner_.last_state()};
  sketch_.follow(start, [start] { return sketch_particles(start); });
}

void ParticlesScene::meet_sketch() { meet(sketch_.value()->name, *sketch_.value()->world); }

void ParticlesScene::meet_simulation() {
  looked_at_ = -1;
  if (const auto laws = std::exchange(given_laws_, {})) give_laws(*laws);
  if (look_.follow >= size()) follow(nothing);
  const PreparedParticles& running = runner_.simulation()->prepared();
  meet(running.settings.world, *running.world);
  given_look_.clear();
}

void ParticlesScene::return_from(const ParticlesPicture&) {
  given_look_.clear();
  given_laws_.reset();
}

// Adapts the view to other particles.
void ParticlesScene::meet(const std::string& name, const particles::World& world) {
  if (name == view_.home_of()) return;
  if (!view_.home_of().empty()) follow(nothing);
  range_.reset();
  orrery::take(look_, world.view);
  std::vector<Parameter> list = parameters(look_);
  for (const auto& [name, value] : std::exchange(given_look_, {}))
    if (Parameter* parameter = find(list, name)) parameter->assign(value);
  if (view_.wants_home(name)) go_home();
}

void ParticlesScene::give_laws(const EditedLaws& laws) {
  try {
    runner_.simulation()->set_laws(laws);
  } catch (const Error& error) {
    notify(error.what());
  }
}

void ParticlesScene::go_home() {
  Camera home;
  home.elevation = 0.35;
  if (const SeenWorld* const seen = world()) home.distance = home_in_extents * seen->extent;
  view_.go_home(home);
}

std::optional<ParticlesScene::WantedRange> ParticlesScene::wanted_range() const {
  constexpr double close = 1e-3;  // share of its width
  const SeenWorld& of = *world();
  const RunningParticles* running = runner_.simulation();
  const auto& seen = runner_.record().observables;
  const double measured = seen ? seen->temperature : 0;  // for a wanted temperature of 0
  const double reference =
      running != nullptr ? running->reference_temperature(runner_.settings()) : of.world->ensemble.temperature_at(0);
  const double kT = of.world->boltzmann * std::max(reference, measured);
  PaletteRange range;
  if (look_.color_by == "charge") {
    range = {0, of.largest_charge};
  } else if (look_.color_by == "energy") {
    const double mean = seen ? seen->energy_per_particle() : 0;
    const double spread = 0.6 * std::abs(mean) + kT;
    range = {mean - spread, mean + spread};
  } else {
    const double mass = of.masses.empty() ? 1 : of.masses.front().first;
    range = {0, fastest * std::sqrt((kT > 0 ? kT : 1) / mass)};
  }
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) return std::nullopt;
  return WantedRange{range, close * (range.high - range.low)};
}

std::int64_t ParticlesScene::smooth_burst() const {
  const auto& seen = runner_.record().observables;
  if (!seen || !(seen->mass > 0)) return 1;
  const double speed = std::sqrt(2 * seen->kinetic / seen->mass);
  const double steps = smooth_motion_of_particles * view_.picture_height() / (speed * runner_.settings().dt);
  const double most = static_cast<double>(most_lengthened * runner_.settings().burst);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps < most ? steps : most));
}

ParticlesPicture ParticlesScene::picture(const Viewport& viewport) const {
  ParticlesPicture picture;
  picture.published = runner_.published();
  picture.generation = runner_.generation();
  picture.camera = held_ ? held_->camera : view_.camera();
  picture.look = held_ ? held_->look : look_;
  if (const auto& range = range_.now()) picture.low = range->low, picture.high = range->high;
  if (held_) picture.low = held_->low, picture.high = held_->high;
  picture.size = viewport.size;
  picture.scale = viewport.scale;
  if (const SeenWorld* const seen = world()) {
    picture.extent = seen->extent;
    picture.shapes = shapes_of(*seen->world);
  }
  if (runs()) {
    picture.particles = runner_.simulation()->size();
    picture.sketch = runner_.simulation()->sight();
  } else if (drawn_sketch_) {
    picture.particles = sketch_.value()->size();
    picture.sketch = sketch_.serial();
  }
  if (renderer_ && !viewport.offline) picture.every = renderer_->every(picture.particles);
  return picture;
}

// Shapes follow the parameters of the running laws.
std::vector<particles::SolidShape> ParticlesScene::shapes_of(const particles::World& world) const {
  const EditedLaws& laws = runner_.record().laws.running();
  return particles::solid_shapes(world.shapes, [&](const std::string& law, const std::string& parameter) {
    return runner_.simulation() != nullptr ? find_parameter(laws, law, parameter) : nullptr;
  });
}

void ParticlesScene::draw(const Viewport& viewport) {
  if (!renderer_) renderer_ = std::make_unique<ParticlesRenderer>();
  Surface* surface = front();
  const SeenWorld* const seen = world();
  const ParticlesPicture present = picture(viewport);
  renderer_->draw(present, surface, seen != nullptr ? seen->world.get() : nullptr, viewport);
  if (surface == nullptr) return;
  bytes_copied_ = surface->bytes_copied();
  if (const auto pick = view_.take_pick()) {
    renderer_->pick().search(present, surface->gl_buffer(), pick->cursor, pick->reach);
    surface->drawn();
  } else if (followed() && looked_at_ != present.published) {
    renderer_->pick().look(present, surface->gl_buffer(), *followed());
    surface->drawn();
    looked_at_ = present.published;
  }
}

void ParticlesScene::describe(ParticlesSnapshot& view) const {
  static const std::vector<NamedEntry> worlds = world_list();
  const ParticlesRecord& record = runner_.record();
  view.worlds = worlds;
  for (const particles::PairLaw& law : particles::ready_pair_laws())
    view.ready_laws.push_back({law.name, particles::law_title(law.name), {}});
  view.paused = runner_.paused();
  view.law_seconds = record.law_seconds;
  view.minimized = record.minimized;
  const RunningParticles* running = runner_.simulation();
  view.world = running != nullptr ? runner_.good().world : runner_.settings().world;
  if (running == nullptr) {
    view.laws = record.laws.views(false);
    if (drawn_sketch_) describe_sketch(*sketch_.value(), view);
    return;
  }
  running->describe(runner_.settings(), view);
  view.steps_per_second = runner_.rate().steps;
  const auto& kinds = running->prepared().world->kinds;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    view.kinds.push_back({kinds[k].name, kind_color(*running->prepared().world, k)});
}

SceneSnapshot ParticlesScene::snapshot() const {
  SceneSnapshot snapshot = described();
  snapshot.subject = in_words(std::filesystem::path(runner_.settings().world).stem().string());
  const auto panels = std::make_shared<const ui::ParticlesPanels>(shown(), ui_);
  snapshot.panels = panels;
  snapshot.work.smooth_burst = smooth_burst();
  snapshot.add_statistics = [panels, rate = runner_.rate(RateMeter::longest)](Json& document) {
    document["particles"] = as_json(panels->seen());
    document["particles"]["steps_per_second"] = rate.steps;
  };
  return snapshot;
}

ParticlesSnapshot ParticlesScene::shown() const {
  ParticlesSnapshot view;
  describe(view);
  const ParticlesLook& look = seen_look();
  view.picture_height = view_.picture_height();
  const bool charge = look.color_by == "charge";
  view.colors = {look.color_by, 0, 1, charge ? charge_ramp(ramp_texels) : gradient_ramp(look.palette, ramp_texels)};
  if (const auto& range = range_.now()) view.colors.low = range->low, view.colors.high = range->high;
  if (held_) view.colors.low = held_->low, view.colors.high = held_->high;
  if (charge) view.colors.low = -view.colors.high;
  if (!followed()) return view;
  view.followed.emplace().number = look_.follow;
  if (!followed_) return view;
  view.followed->kind = kind_of(*followed_, runner_.simulation());
  view.followed->text = text_of(*followed_);
  return view;
}

// ---- from device to device, and from session to session

std::optional<EditedLaws> ParticlesScene::changed_laws() const {
  if (given_laws_) return given_laws_;
  const auto changed = [](const EditedLaws& laws, const std::optional<EditedLaws>& own) {
    return own == laws ? std::nullopt : std::optional(laws);
  };
  if (runner_.replacing()) return std::nullopt;  // the laws are of another world
  const RunningParticles* running = runner_.simulation();
  if (running != nullptr) return changed(runner_.record().laws.wanted(), running->prepared().own_laws);
  const auto state = runner_.last_state();  // before a device has the state again
  return state ? changed(state->laws, state->own_laws) : std::nullopt;
}

bool ParticlesScene::is_awaited(std::string_view row) const {
  const bool is_given = runner_.terms().contains(row) || given_look_.contains(row);
  const bool is_prepared = runner_.simulation() != nullptr && runner_.good().world == runner_.settings().world;
  return !is_given && !is_prepared && !runner_.last_state();
}

void ParticlesScene::complete(std::vector<ParameterView>& rows) const {
  const auto laws = changed_laws();
  std::string text = laws ? particles::laws_text(laws->pairs, laws->groups) : std::string();
  const Parameter row({.name = laws_key,
                       .help = "laws that replace the world's: tables [[pair]] and [[group]] as in a world",
                       .placeholder = "TEXT",
                       .ruinous = true,
                       .brought = true},
                      &text);
  rows.push_back(views({&row, 1}).front());
  rows.back().open = !laws;
  if (const RunningParticles* running = runner_.simulation())
    for (LawView& law : running->laws()) std::ranges::move(law.numbers, std::back_inserter(rows));
}

// The world sets some of the defaults.
std::optional<std::pair<ParticlesSettings, ParticlesLook>> ParticlesScene::defaults_at_present() const {
  const RunningParticles* const running = runner_.simulation();
  if (running == nullptr) return std::nullopt;
  ParticlesSettings settings;
  ParticlesLook look;
  orrery::take(settings, *running->prepared().world);
  orrery::take(look, running->prepared().world->view);
  return std::pair(settings, look);
}

std::shared_ptr<const particles::World> ParticlesScene::world_to_be(const std::string& name, bool other) const {
  if (!other) return runner_.simulation()->prepared().world;
  return std::make_shared<const particles::World>(particles::read_world(particles::find_world(name)));
}

SceneWriter ParticlesScene::points_writer() const {
  const std::shared_ptr<const ParticlesState> state = runner_.last_state();
  if (!state) return {};
  return [state](const std::filesystem::path& path, const FileProgress& progress) {
    particles::World world = *state->world;
    world.particles.position = state->moment.position;
    world.particles.velocity = state->moment.velocity;
    write_points(path, frame_of(world, state->moment.clock.step, state->moment.clock.time), progress);
  };
}

std::vector<std::string> ParticlesScene::load(const StateSection& state, std::shared_ptr<void>) {
  Moment moment;
  Loading loading = read(state, [&](const std::string& key, const Value& value) { return moment.take(key, value); });
  std::optional<ParticlesState> resumed = moment.state();
  const bool names_world = loading.given.erase("world") > 0;
  if (!resumed && names_world) (void)particles::find_world(loading.settings.world);
  const bool other_world = loading.settings.world != runner_.settings().world || runner_.simulation() == nullptr;
  if (!moment.numbers.empty()) {
    const auto world = resumed ? resumed->world : world_to_be(loading.settings.world, other_world);
    std::optional<EditedLaws>& laws = moment.laws;
    if (resumed) laws = resumed->laws;
    if (!laws && !names_world) laws = given_laws_;
    if (!laws) laws = other_world ? laws_of(*world) : runner_.simulation()->prepared().own_laws;
    if (!laws) laws = laws_of(*world);
    for (const auto& [name, value] : moment.numbers) set_number(*laws, world->box, name, value);
    if (resumed) resumed->laws = *laws;
  }
  const bool begins = other_world || resumed;
  // Options extend a file: values given by the file stay.
  if (begins && (names_world || resumed)) given_look_.clear(), given_laws_.reset();
  if (begins && names_world && !resumed) {
    runner_.narrow_terms({});
    ParticlesSettings usual;
    ParticlesLook usual_look;
    leave_open(parameters(loading.settings, true), parameters(usual, true), loading.given);
    leave_open(parameters(loading.look), parameters(usual_look), loading.given_look);
  }
  if (begins) loading.given_look.merge(std::exchange(given_look_, {}));
  runner_.set(loading.settings, loading.given);
  if (!resumed) set_laws(moment.laws, other_world);
  if (resumed) runner_.resume(std::move(*resumed));
  take(loading);
  if (begins) given_look_ = std::move(loading.given_look);
  return loading.unknown;
}

// Sets the given laws, or else those of the world.
void ParticlesScene::set_laws(const std::optional<EditedLaws>& laws, bool other_world) {
  RunningParticles* running = runner_.simulation();
  if (other_world && laws) given_laws_ = laws;
  if (other_world || running == nullptr) return;
  const std::optional<EditedLaws> wanted = laws ? laws : running->prepared().own_laws;
  const LawBook& book = runner_.record().laws;
  if (wanted && (*wanted != book.wanted() || book.refuses())) running->set_laws(*wanted);
}

}  // namespace orrery
