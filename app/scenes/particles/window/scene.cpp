#include "scenes/particles/window/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/files/gradient.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "scenes/particles/files/world_file.hpp"
#include "scenes/particles/laws/laws.hpp"
#include "scenes/particles/panels/command.hpp"

namespace orrery {
namespace {

constexpr double home_in_extents = 3.0;  // the camera's first distance
constexpr double fastest = 3;            // of √(kT/m), at the palette's end
constexpr std::size_t ramp_texels = 64;
constexpr float click_reach = 6;  // pixels at scale 1
constexpr std::int64_t nobody = -1;
constexpr std::string_view laws_key = "laws";
constexpr std::array<std::string_view, 6> ruinous_choices{laws_key,      "dt",       "thermostat",
                                                          "temperature", "friction", "precision"};

using SavedState = std::vector<std::pair<std::string, Value>>;

// Complete: the particles where they are, and the laws as they were typed.
SavedState with_world(SavedState state, const std::shared_ptr<const ParticlesState>& moment) {
  if (!moment) return state;
  particles::World world = with_laws(*moment->world, moment->laws);
  world.particles.position = moment->moment.position;
  world.particles.velocity = moment->moment.velocity;
  state.emplace_back("step", moment->moment.clock.step);
  state.emplace_back("time", moment->moment.clock.time);
  if (const auto exponent = moment->moment.force_exponent)
    state.emplace_back("force-exponent", static_cast<std::int64_t>(*exponent));
  state.emplace_back("world-toml", particles::world_text(world));
  return state;
}

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

std::optional<std::int64_t> whole_number(const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr ? std::optional(*whole) : std::nullopt;
}

ParticlesState state_of(const std::string& world_toml, particles::EngineClock clock,
                        std::optional<int> force_exponent) {
  particles::World world = particles::parse_world(world_toml, "world-toml");
  ParticlesState state;
  state.moment = {clock, world.particles.position, world.particles.velocity, force_exponent};
  state.laws = laws_of(world);
  state.world = std::make_shared<const particles::World>(std::move(world));
  return state;
}

// Particles that are seen before they run, and their laws.
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
  Json laws = Json::array();
  for (const LawView& law : view.laws)
    laws.push_back(
        {{"name", law.name}, {"text", law.text}, {"refused", law.refused}, {"energy", number_or_null(law.energy)}});
  return {{"world", view.world},
          {"particles", view.particles},
          {"step", view.step},
          {"steps_per_second", view.steps_per_second},
          {"temperature", number_or_null(view.temperature)},
          {"pressure", view.has_pressure ? number_or_null(view.pressure) : Json()},
          {"energy", number_or_null(view.energy)},
          {"mean_kinetic", number_or_null(view.mean_kinetic)},
          {"expected_kinetic", number_or_null(view.expected_kinetic)},
          {"laws", laws},
          {"law_seconds", view.law_seconds}};
}

}  // namespace

ParticlesScene::ParticlesScene(const SceneKind& kind) : Scene(kind), runner_(ParticlesSettings()), view_(click_reach) {}

// ---- input

void ParticlesScene::pointer(const PointerEvent& event) { view_.pointer(event); }

void ParticlesScene::scroll(const ScrollEvent& event) { view_.scroll(event, followed().has_value()); }

void ParticlesScene::apply(const command::Command& command) {
  std::visit(Overloaded{
                 [&](const command::SetParameter& set) { set_parameter(set.name, set.value); },
                 [&](const command::SetPaused& set) { runner_.pause(set.paused); },
                 [&](const command::TogglePaused&) { runner_.pause(!runner_.paused()); },
                 [&](const command::StepOnce&) { runner_.step_once(); },
                 [&](const command::Reset&) { runner_.restart(); },
                 [&](const command::Rewind&) { runner_.rewind(); },
                 [&](const command::ResetCamera&) { follow(nobody), go_home(); },
                 [&](const command::Escape&) { ui_->open = false; },
                 [&](const command::ReloadKernels&) { runner_.reload(); },
                 [&](const command::GiveUpBuilding&) { runner_.give_up(); },
                 [&](const command::SceneCommand& own) { apply_own(own); },
                 [](const auto&) {},
             },
             command);
}

void ParticlesScene::apply_own(const command::SceneCommand& command) {
  using namespace command;
  handle_own<OpenWorld, EditLaw, AddLaw, RemoveLaw, ResetLaw, SetLawParameter, ToggleLawText, Minimize>(
      command,
      Overloaded{
          [&](const OpenWorld& wanted) { open(wanted.world); },
          [&](const EditLaw& edit) { with_running([&](auto& running) { running.edit(edit.law, edit.text); }); },
          [&](const AddLaw& add) { with_running([&](auto& running) { running.add_law(add.ready); }); },
          [&](const RemoveLaw& remove) { with_running([&](auto& running) { running.remove_law(remove.law); }); },
          [&](const ResetLaw& reset) { with_running([&](auto& running) { running.reset_law(reset.law); }); },
          [&](const SetLawParameter& set) {
            with_running([&](auto& running) { running.set_law_parameter(set.law, set.parameter, set.value); });
          },
          [&](const ToggleLawText&) { ui_->open = !ui_->open; },
          [&](const Minimize&) { with_running([](auto& running) { running.minimize(); }); },
      });
}

void ParticlesScene::set_parameter(const std::string& name, const Value& value) {
  ParticlesLook look = look_;
  std::vector<Parameter> of_look = parameters(look);
  if (Parameter* parameter = find(of_look, name)) {
    parameter->assign(value);
    if (look.color_by != look_.color_by) range_.reset();
    if (particles() > 0 && look.follow >= particles())
      throw usage_error("--follow", std::to_string(look.follow),
                        "a whole number from -1 to " + std::to_string(particles() - 1) + " (the last particle)");
    const bool other = look.follow != look_.follow;
    look_ = look;
    if (other) follow(look.follow);
    return;
  }
  ParticlesSettings settings = runner_.settings();
  std::vector<Parameter> list = parameters(settings, fp64_);
  Parameter* parameter = find(list, name);
  if (parameter == nullptr) return;
  parameter->assign(value);
  if (name == "world") return open(settings.world);
  runner_.set(settings);
}

void ParticlesScene::open(const std::string& world) {
  (void)particles::find_world(world);  // throws where there is none
  ParticlesSettings settings = runner_.settings();
  given_look_.clear();
  given_laws_.reset();
  if (settings.world == world) return runner_.restart();
  settings.world = world;
  runner_.set(settings);
}

// ---- the followed particle

std::optional<std::uint32_t> ParticlesScene::followed() const {
  if (look_.follow == nobody) return std::nullopt;
  return static_cast<std::uint32_t>(look_.follow);
}

std::int64_t ParticlesScene::particles() const {
  const RunningParticles* running = runner_.simulation();
  return running != nullptr ? static_cast<std::int64_t>(running->size()) : 0;
}

bool ParticlesScene::runs() const {
  const RunningParticles* running = runner_.simulation();
  return running != nullptr && running->front() != nullptr;
}

Surface* ParticlesScene::front() const {
  if (runs()) return runner_.simulation()->front();
  return drawn_sketch_ ? drawn_sketch_->surface.get() : nullptr;
}

const SeenWorld* ParticlesScene::world() const {
  if (const RunningParticles* running = runner_.simulation()) return &running->prepared();
  return sketch_.value().get();
}

void ParticlesScene::with_running(const std::function<void(RunningParticles&)>& action) {
  if (RunningParticles* running = runner_.simulation()) action(*running);
}

void ParticlesScene::follow(std::int64_t particle, std::optional<SeenParticle> seen) {
  look_.follow = particle;
  followed_ = seen;
  looked_at_ = -1;
  particle == nobody ? view_.release() : view_.follow();
}

void ParticlesScene::take_seen() {
  if (!renderer_) return;
  const auto answer = renderer_->pick().poll();
  if (!answer || answer->generation != runner_.generation()) return;
  const auto& seen = answer->particle;
  if (answer->searched && !seen) return follow(nobody);
  if (answer->searched && followed() != seen->index) return follow(seen->index, seen);
  if (seen && followed() == seen->index) followed_ = seen;
}

// Through a face of the box it comes back at the other: the view glides there.
void ParticlesScene::look_at_followed(double frame) {
  std::optional<glm::dvec3> place;
  if (followed() && followed_) place = glm::dvec3(followed_->place);
  const SeenWorld* const seen = world();
  const bool leapt = place && place_ && seen != nullptr && glm::distance(*place, *place_) > 0.5 * seen->extent;
  if (leapt) view_.follow();
  place_ = place;
  view_.move(place, frame);
}

// ---- a frame

void ParticlesScene::update(double seconds, double frame, const Viewport& viewport) {
  view_.fit(viewport);
  take_seen();
  runner_.update(seconds);
  let_go_of_picture();
  follow_sketch();
  if (runs() && runner_.generation() != seen_) {
    seen_ = runner_.generation();
    looked_at_ = -1;
    if (const auto laws = std::exchange(given_laws_, {})) give_laws(*laws);
    if (look_.follow >= particles()) follow(nobody);
    const PreparedParticles& running = runner_.simulation()->prepared();
    meet(running.settings.world, *running.world);
  }
  follow_range(seconds);
  look_at_followed(frame);
}

// A world that could not be prepared has changed nothing.
void ParticlesScene::let_go_of_picture() {
  if (!held_ || runner_.replacing()) return;
  const auto before = std::exchange(held_, std::nullopt);
  if (runner_.simulation() == nullptr || runner_.generation() != before->generation) return;
  given_look_.clear();
  given_laws_.reset();
  look_ = before->look;
  view_.place(before->camera);
}

// Particles are seen as soon as they are placed: devices are still being looked for, and where no kernel is cached,
// building takes long.
void ParticlesScene::follow_sketch() {
  if (runs()) {
    sketch_.forget();
    return drawn_sketch_.reset();
  }
  const ParticlesStart start{runner_.settings().world, runner_.last_state()};
  sketch_.follow(start, [start] { return sketch_particles(start); });
  const ParticlesSketch* const made = sketch_.value().get();
  if (made == nullptr || made->size() == 0) return drawn_sketch_.reset();
  if (drawn_sketch_ && drawn_sketch_->serial == sketch_.serial()) return;
  const std::size_t bytes = made->published.size() * sizeof made->published.front();
  drawn_sketch_ = {sketch_.serial(), std::make_unique<UploadedSurface>(made->published.data(), bytes)};
  meet(made->name, *made->world);
}

// Other particles than before.
void ParticlesScene::meet(const std::string& name, const particles::World& world) {
  if (name == view_.home_of()) return;
  if (!view_.home_of().empty()) follow(nobody);
  range_.reset();
  take(look_, world.view);
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

// Of the quantity that colours the particles.
PaletteRange ParticlesScene::wanted_range() const {
  const SeenWorld& of = *world();
  const RunningParticles* running = runner_.simulation();
  const auto& seen = runner_.record().observables;
  const double measured = seen ? seen->temperature : 0;  // where the aim is to be at rest
  const double reference =
      running != nullptr ? running->reference_temperature(runner_.settings()) : of.world->ensemble.temperature_at(0);
  const double kT = of.world->boltzmann * std::max(reference, measured);
  if (look_.color_by == "charge") return {0, of.largest_charge};
  if (look_.color_by == "energy") {
    const double mean = seen ? seen->energy_per_particle() : 0;
    const double spread = 0.6 * std::abs(mean) + kT;
    return {mean - spread, mean + spread};
  }
  const double mass = of.masses.empty() ? 1 : of.masses.front().first;
  return {0, fastest * std::sqrt((kT > 0 ? kT : 1) / mass)};
}

void ParticlesScene::follow_range(double seconds) {
  if (front() == nullptr) return;
  const PaletteRange wanted = wanted_range();
  if (std::isfinite(wanted.low) && std::isfinite(wanted.high))
    range_.follow(wanted, {runner_.published(), seconds}, runner_.paused(), 1e-3 * (wanted.high - wanted.low));
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
  if (renderer_) picture.every = renderer_->every(picture.particles);
  return picture;
}

// They follow the parameters of the laws that run.
std::vector<particles::SolidShape> ParticlesScene::shapes_of(const particles::World& world) const {
  const EditedLaws& laws = runner_.record().laws.running();
  return particles::solid_shapes(world.shapes, [&](const std::string& law, const std::string& parameter) {
    return runner_.simulation() != nullptr ? find_parameter(laws, law, parameter) : nullptr;
  });
}

News ParticlesScene::news(const Viewport& viewport) const {
  return renderer_ ? news_of(picture(viewport), renderer_->drawn()) : News::motion;
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
  view.laws = record.laws.views(false);
  const RunningParticles* running = runner_.simulation();
  view.world = running != nullptr ? runner_.good().world : runner_.settings().world;
  if (running == nullptr && drawn_sketch_) describe_sketch(*sketch_.value(), view);
  if (running == nullptr) return;
  running->describe(runner_.settings(), view);
  view.burst_progress = runner_.burst_progress();
  view.steps_per_second = runner_.rate().steps;
  const auto& kinds = running->prepared().world->kinds;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    view.kinds.push_back({kinds[k].name, kind_color(*running->prepared().world, k)});
}

SceneSnapshot ParticlesScene::snapshot() const {
  SceneSnapshot snapshot;
  snapshot.name = kind().name;
  ParticlesSettings settings = runner_.settings();
  snapshot.subject = in_words(std::filesystem::path(settings.world).stem().string());
  ParticlesLook look = look_;
  for (const auto& list : {parameters(settings, fp64_), parameters(look)})
    for (ParameterView& view : views(list)) snapshot.parameters.push_back(std::move(view));
  snapshot.defaults = defaults();
  snapshot.status = runner_.status();
  snapshot.work = runner_.work();
  snapshot.fault = runner_.fault().text;
  snapshot.fault_title = runner_.fault().title;
  snapshot.fault_log = runner_.fault().log;
  snapshot.can_rewind = runner_.diverged();
  snapshot.ruinous = ruinous_choices;
  snapshot.bytes_copied = bytes_copied_;
  snapshot.panels = std::make_shared<ui::ParticlesPanels>(shown(), ui_);
  return snapshot;
}

ParticlesSnapshot ParticlesScene::shown() const {
  ParticlesSnapshot view;
  describe(view);
  const ParticlesLook& look = held_ ? held_->look : look_;
  view.color_by = look.color_by;
  view.picture_height = view_.picture_height();
  if (const auto& range = range_.now()) view.color_low = range->low, view.color_high = range->high;
  if (held_) view.color_low = held_->low, view.color_high = held_->high;
  view.color_ramp = look.color_by == "charge" ? charge_ramp(ramp_texels) : gradient_ramp(look.palette, ramp_texels);
  view.followed = look_.follow;
  if (followed_) view.followed_kind = kind_of(*followed_, runner_.simulation());
  if (followed_) view.followed_text = text_of(*followed_);
  return view;
}

// ---- from device to device, and from session to session

void ParticlesScene::attach(ComputeContext& context) {
  fp64_ = context.device.info().fp64;
  runner_.attach(context);
}

void ParticlesScene::leave(Leaving how) {
  runner_.leave(how);
  if (how == Leaving::in_order) return;
  renderer_.reset();
  drawn_sketch_.reset();
}

StateSection ParticlesScene::choices() const {
  StateSection section;
  ParticlesSettings settings = runner_.settings();
  ParticlesLook look = look_;
  for (const auto& list : {parameters(settings, true), parameters(look)}) add_values(section, list);
  const RunningParticles* running = runner_.simulation();
  std::optional<EditedLaws> laws = given_laws_;
  const bool is_of_settings = running != nullptr && !runner_.replacing();  // else the laws are of another world
  if (!laws && is_of_settings && running->prepared().own_laws != runner_.record().laws.wanted())
    laws = runner_.record().laws.wanted();
  if (laws) section.emplace_back(laws_key, particles::laws_text(laws->pairs, laws->groups));
  return section;
}

// The world brings some of them.
StateSection ParticlesScene::defaults() const {
  ParticlesSettings settings;
  ParticlesLook look;
  if (const RunningParticles* running = runner_.simulation()) {
    orrery::take(settings, *running->prepared().world);
    orrery::take(look, running->prepared().world->view);
  }
  StateSection section;
  for (const auto& list : {parameters(settings, true), parameters(look)}) add_values(section, list);
  return section;
}

SavedState ParticlesScene::save() const { return copy()(); }

std::function<SavedState()> ParticlesScene::copy() const {
  SavedState state = choices();
  Camera camera = view_.camera();
  for (const auto& [key, value] : camera_keys(camera)) state.emplace_back(key, *value);
  state.emplace_back("paused", runner_.paused());
  return [state = std::move(state), moment = runner_.last_state()] { return with_world(state, moment); };
}

std::vector<std::string> ParticlesScene::load(const SavedState& state) {
  ParticlesSettings settings = runner_.settings();
  ParticlesLook look = look_;
  Camera camera = view_.camera();
  particles::EngineClock clock;
  std::optional<int> force_exponent;
  std::string world_toml;
  std::optional<EditedLaws> laws;
  std::map<std::string, Value> given, given_look;
  bool paused = runner_.paused(), camera_given = false;
  std::vector<Parameter> list = parameters(settings, true), of_look = parameters(look);
  std::vector<std::string> unknown;
  for (const auto& [key, value] : state) {
    if (Parameter* parameter = find(list, key)) {
      parameter->assign(value);
      given[key] = parameter->value();
    } else if (Parameter* seen = find(of_look, key)) {
      seen->assign(value);
      given_look[key] = seen->value();
    } else if (key == "paused" && std::holds_alternative<bool>(value)) {
      paused = std::get<bool>(value);
    } else if (key == "step" && whole_number(value)) {
      clock.step = *whole_number(value);
    } else if (key == "force-exponent" && whole_number(value)) {
      force_exponent = static_cast<int>(std::clamp<std::int64_t>(*whole_number(value), -4000, 4000));
    } else if (key == "time" && finite_number(value)) {
      clock.time = *finite_number(value);
    } else if (const auto* text = std::get_if<std::string>(&value); key == "world-toml" && text != nullptr) {
      world_toml = *text;
    } else if (key == laws_key && text != nullptr) {
      particles::ReadyLaws read = particles::parse_laws(*text, std::string(laws_key));
      laws = {std::move(read.pairs), std::move(read.groups)};
    } else if (take_camera_key(camera, key, value)) {
      camera_given = true;
    } else {
      unknown.push_back(key);
    }
  }
  std::optional<ParticlesState> resumed;
  if (!world_toml.empty())
    resumed = state_of(world_toml, clock, force_exponent);
  else if (given.contains("world"))
    (void)particles::find_world(settings.world);
  given.erase("world");
  const bool other_world = settings.world != runner_.settings().world || runner_.simulation() == nullptr;
  const bool other_look = look.color_by != look_.color_by, follows_other = look.follow != look_.follow;
  runner_.set(settings, given);
  if (!resumed) set_laws(laws, other_world);
  if (resumed) runner_.resume(std::move(*resumed));
  runner_.pause(paused);
  if (runs() && renderer_ && !held_ && runner_.replacing()) held_ = renderer_->drawn();
  look_ = look;
  if (other_look) range_.reset();
  if (other_world || resumed) given_look_ = std::move(given_look);
  if (camera_given) view_.place(camera);
  if (follows_other && !camera_given) follow(look_.follow);
  return unknown;
}

// Those of the world, unless others are given.
void ParticlesScene::set_laws(const std::optional<EditedLaws>& laws, bool other_world) {
  RunningParticles* running = runner_.simulation();
  given_laws_ = other_world ? laws : std::nullopt;
  if (other_world || running == nullptr) return;
  const std::optional<EditedLaws> wanted = laws ? laws : running->prepared().own_laws;
  if (wanted && *wanted != runner_.record().laws.wanted()) running->set_laws(*wanted);
}

void ParticlesScene::add_statistics(nlohmann::ordered_json& document) const {
  ParticlesSnapshot now = shown();
  now.steps_per_second = runner_.rate(RateMeter::longest).steps;
  document["particles"] = as_json(now);
}

}  // namespace orrery
