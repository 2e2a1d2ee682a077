#include "scenes/nbody/window/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/error.hpp"
#include "base/files/gradient.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/comparison.hpp"
#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/tuning/tuning.hpp"

namespace orrery {
namespace {

constexpr double home_in_extents = 2.9;     // the camera's first distance
constexpr double roomy_aspect = 1.6;        // width to height of a picture into which two galaxies fit from there
constexpr double palette_half_width = 1.7;  // standard deviations of the quantity's logarithm
constexpr std::size_t ramp_texels = 64;
constexpr std::int64_t fewest_tuned = 64;
constexpr std::array<std::string_view, 4> compared_parameters{"precision", "forces", "work-group", "variant"};
constexpr std::int64_t most_sketched = 1'000'000;  // look like more, which take seconds, and memory twice
constexpr std::array<std::string_view, 4> ruinous_choices{"dt", "softening", "integrator", "precision"};
constexpr float click_reach = 10;  // pixels at scale 1 beside a body at which a click still means it

/// The panel offers the names; any other text is a file.
std::vector<Parameter> panel_parameters(NbodySettings& settings, bool fp64) {
  std::vector<Parameter> list = parameters(settings, fp64);
  for (Parameter& parameter : list) {
    if (parameter.info().name != "initial") continue;
    ParameterInfo info = parameter.info();
    for (const InitialInfo& initial : initial_conditions()) info.choices.emplace_back(initial.name, initial.title);
    parameter = Parameter(info, &settings.initial);
  }
  return list;
}

// A condition that is named without its numbers brings them.
Unset unset_in(const std::vector<std::pair<std::string, Value>>& state) {
  const auto missing = [&](std::string_view key) {
    return std::ranges::none_of(state, [&](const auto& entry) { return entry.first == key; });
  };
  if (missing("initial")) return {};
  return {missing("dt"), missing("softening"), missing("burst")};
}

bool take_moment_key(NbodyState& moment, const std::string& key, const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* text = std::get_if<std::string>(&value);
  if (key == "step" && whole != nullptr && *whole >= 0) return moment.clock.step = *whole, true;
  if (key == "time" && finite_number(value)) return moment.clock.time = *finite_number(value), true;
  if (key == "bodies-csv" && text != nullptr) return moment.bodies = parse_bodies_csv(*text, key), true;
  if (const auto* matrix = std::get_if<Matrix>(&value); key == "bodies-csv" && matrix != nullptr)
    return moment.bodies = bodies_of(*matrix, key), true;
  if (key == "tree-memory" && text != nullptr) return moment.tree = parse_tree_memory(*text, key), true;
  if (key == "step" || key == "time" || key == "bodies-csv" || key == "tree-memory")
    throw usage_error(key, value_text({}, value),
                      key == "step"          ? "a whole number of 0 or more"
                      : key == "time"        ? "a finite number"
                      : key == "tree-memory" ? "a text as Orrery saves it"
                                             : "the text of a .csv file of bodies");
  return false;
}

Measured measured_by(const NbodyLook& look) {
  if (look.color_by == "error") return Measured::error;
  if (look.color_by == "depth") return Measured::leaf_size;
  return look.color_by == "cost" ? Measured::interactions : Measured::nothing;
}

std::string_view next_cells(const NbodyLook& look) {
  if (look.cells == "off") return "levels";
  return look.cells == "levels" ? "level" : "off";
}

using SavedState = std::vector<std::pair<std::string, Value>>;

SavedState with_bodies(SavedState state, const std::shared_ptr<const NbodyState>& bodies) {
  if (!bodies) return state;
  state.emplace_back("step", bodies->clock.step);
  state.emplace_back("time", bodies->clock.time);
  state.emplace_back("bodies-csv", matrix_of(std::shared_ptr<const Bodies>(bodies, &bodies->bodies)));
  if (std::string tree = text_of(bodies->tree); !tree.empty()) state.emplace_back("tree-memory", std::move(tree));
  return state;
}

}  // namespace

NbodyScene::NbodyScene(const SceneKind& kind) : Scene(kind), runner_(NbodySettings()), view_(click_reach) {}

// ---- input

void NbodyScene::pointer(const PointerEvent& event) { view_.pointer(event); }

void NbodyScene::scroll(const ScrollEvent& event) { view_.scroll(event, followed().has_value()); }

void NbodyScene::apply(const command::Command& command) {
  std::visit(Overloaded{
                 [&](const command::SetParameter& set) { set_parameter(set.name, set.value); },
                 [&](const command::SetPaused& set) { runner_.pause(set.paused); },
                 [&](const command::TogglePaused&) { runner_.pause(!runner_.paused()); },
                 [&](const command::StepOnce&) { runner_.step_once(); },
                 [&](const command::Reset&) { runner_.restart(); },
                 [&](const command::Rewind&) { runner_.rewind(); },
                 [&](const command::ResetCamera&) { follow(nobody), go_home(); },
                 [&](const command::ReloadKernels&) { runner_.reload(); },
                 [&](const command::GiveUpBuilding&) { runner_.give_up(); },
                 [&](const command::CancelReading&) { cancel_reading(); },
                 [&](const command::TakeTuned&) { runner_.retune(); },
                 [&](const command::SceneCommand& own) { apply_own(own); },
                 [](const auto&) {},
             },
             command);
}

void NbodyScene::apply_own(const command::SceneCommand& command) {
  using namespace command;
  RunningNbody* const running = runner_.simulation();
  handle_own<ReverseTime, SwitchForces, SwitchCells, MeasureTransfer, MeasureAccuracy>(
      command, Overloaded{
                   [&](const ReverseTime&) { set_parameter("dt", -runner_.settings().dt); },
                   [&](const SwitchForces&) {
                     if (running != nullptr) set_parameter("forces", std::string(running->other_forces()));
                   },
                   [&](const SwitchCells&) { set_parameter("cells", std::string(next_cells(look_))); },
                   [&](const MeasureTransfer& measure) {
                     if (running != nullptr) running->measure_transfer(measure.begin);
                   },
                   [&](const MeasureAccuracy& measure) {
                     if (running != nullptr)
                       running->measure_accuracy(measure.begin, runner_.settings(), runner_.last_state());
                   },
               });
}

void NbodyScene::set_parameter(const std::string& name, const Value& value) {
  NbodyLook look = look_;
  std::vector<Parameter> look_parameters = parameters(look);
  if (Parameter* parameter = find(look_parameters, name)) {
    parameter->assign(value);
    if (name == "follow") return follow_checked(look.follow);
    if (look.color_by != look_.color_by) range_.reset();
    look_ = look;
    return;
  }
  NbodySettings settings = runner_.settings();
  std::vector<Parameter> list = panel_parameters(settings, fp64_);
  Parameter* parameter = find(list, name);
  if (parameter == nullptr) return;
  parameter->assign(value);
  // Who asks for the one does without the other.
  if (name == work_group_parameter) settings.variant = "auto";
  if (name == variant_parameter) {
    settings.work_group = 0, check_variant(settings);
    const NamedTuneValues tree = choice_for(settings.variant, tree_kernel);
    if (const auto order = tree.find("order"); order != tree.end()) settings.order = order->second;
  }
  if (name == "order") settings.variant = "auto";
  if (name == "initial") return start_from(settings.initial);
  runner_.set(settings);
}

// Another condition brings the numbers it looks right with.
void NbodyScene::start_from(const std::string& initial) {
  NbodySettings settings = runner_.settings();
  settings.initial = initial;
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr || info->fixed_bodies > 0 || find_initial(runner_.settings().initial) == nullptr)
    settings.bodies = 0;
  runner_.set(settings, {.dt = true, .softening = true, .burst = true});
}

// ---- the followed body

std::optional<std::uint32_t> NbodyScene::followed() const {
  if (look_.follow == nobody) return std::nullopt;
  return static_cast<std::uint32_t>(look_.follow);
}

std::int64_t NbodyScene::bodies() const {
  const RunningNbody* running = runner_.simulation();
  return running != nullptr ? static_cast<std::int64_t>(running->size()) : 0;
}

bool NbodyScene::runs() const {
  const RunningNbody* running = runner_.simulation();
  return running != nullptr && running->front() != nullptr;
}

std::string NbodyScene::reading() const {
  const auto& reading = runner_.record().reading;
  return reading ? reading->progress().status() : std::string();
}

// A small file's rows are read here, so that their faults are told before anything has changed; null for other starts.
std::shared_ptr<BodyReading> NbodyScene::read_at_once(const NbodySettings& settings) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{4} << 20;  // some hundredths of a second
  const std::string& path = settings.initial;
  std::error_code error;
  if (find_initial(path) != nullptr || std::filesystem::file_size(path, error) > most_bytes || error) return nullptr;
  const auto& present = runner_.record().reading;
  auto reading =
      present && present->path() == path && !present->failed() ? present : std::make_shared<BodyReading>(path);
  check_count(path, settings.bodies, static_cast<std::int64_t>(reading->bodies().size()));
  return reading;
}

// The simulation that runs goes on, with its settings.
void NbodyScene::cancel_reading() {
  if (reading().empty() || !runner_.can_give_up()) return;
  runner_.give_up();
  runner_.record().cancel_reading();
}

Surface* NbodyScene::front() const {
  if (runs()) return runner_.simulation()->front();
  return drawn_sketch_ ? drawn_sketch_->surface.get() : nullptr;
}

const BodyNumbers* NbodyScene::numbers() const {
  if (const RunningNbody* running = runner_.simulation()) return &running->prepared();
  return sketch_.value().get();
}

bool NbodyScene::is_unset(std::string_view parameter) const {
  const Unset& unset = runner_.terms();
  return (parameter == "dt" && unset.dt) || (parameter == "softening" && unset.softening) ||
         (parameter == "burst" && unset.burst);
}

void NbodyScene::follow(std::int64_t body, std::optional<glm::vec3> place) {
  look_.follow = body;
  picked_place_ = place;
  body == nobody ? view_.release() : view_.follow();
}

void NbodyScene::follow_checked(std::int64_t body) {
  if (bodies() > 0 && body >= bodies())
    throw usage_error("--follow", std::to_string(body),
                      "a whole number from -1 to " + std::to_string(bodies() - 1) + " (the last body)");
  follow(body);
}

void NbodyScene::take_picked() {
  if (!renderer_) return;
  const auto answer = renderer_->poll_pick();
  if (!answer || picked_of_ != runner_.generation()) return;
  if (!answer->body) return follow(nobody);
  if (followed() != answer->body->index) follow(answer->body->index, answer->body->place);
}

// As drawn, and until that has been read, as picked.
std::optional<glm::dvec3> NbodyScene::place_of_followed() const {
  const RunningNbody* running = runner_.simulation();
  if (running == nullptr || !followed()) return picked_place_;
  const std::optional<BodyWatch::Seen>& seen = running->watch_of_body().seen();
  if (seen && seen->body == *followed()) return glm::dvec3{seen->place[0], seen->place[1], seen->place[2]};
  return picked_place_;
}

// ---- a frame

void NbodyScene::update(double seconds, double frame, const Viewport& viewport) {
  view_.fit(viewport);
  take_picked();
  if (RunningNbody* running = runner_.simulation()) {
    running->watch_of_body().choose(followed());
    running->want(measured_by(look_), look_.cells != "off");
    running->want_potential(look_.color_by == "potential" || followed() || runner_.paused());
  }
  runner_.update(seconds);
  let_go_of_picture();
  follow_sketch();
  if (runs() && runner_.generation() != seen_) meet(runner_.simulation()->prepared());
  follow_range(seconds);
  view_.move(place_of_followed(), frame);
}

// A beginning that could not be prepared has changed nothing.
void NbodyScene::let_go_of_picture() {
  if (!held_ || runner_.replacing()) return;
  const auto before = std::exchange(held_, std::nullopt);
  if (runner_.simulation() == nullptr || runner_.generation() != before->generation) return;
  look_ = before->look;
  home_distance_ = before->home_distance;
  view_.place(before->camera);
}

// Bodies are seen as soon as they are made: devices are still being looked for, and where no kernel is cached, building
// takes long. Before a device is known, the number of bodies is that of one like OpenGL's.
void NbodyScene::follow_sketch() {
  if (runs()) {
    sketch_.forget();
    return drawn_sketch_.reset();
  }
  const DeviceClass guess = gl::draws_on_processor() ? DeviceClass::cpu : DeviceClass::gpu;
  NbodyStart start = start_of(runner_.settings(), device_class_.value_or(guess), runner_.last_state());
  start.bodies = std::min(start.bodies, most_sketched);
  const std::shared_ptr<BodyReading> file = start.state ? nullptr : runner_.record().reading_of(start.initial);
  sketch_.follow(start, [start, file] { return sketch_bodies(start, file.get()); });
  const BodySketch* const made = sketch_.value().get();
  if (made == nullptr) return drawn_sketch_.reset();
  if (drawn_sketch_ && drawn_sketch_->serial == sketch_.serial()) return;
  const std::size_t bytes = made->published.size() * sizeof made->published.front();
  drawn_sketch_ = {sketch_.serial(), std::make_unique<UploadedSurface>(made->published.data(), bytes)};
  range_.reset();
  if (view_.wants_home(made->initial)) go_home();
}

// Other bodies than before: the same ones again, on another device, or new ones.
void NbodyScene::meet(const PreparedNbody& prepared) {
  seen_ = runner_.generation();
  runner_.record().reading.reset();
  range_.reset();
  picked_place_.reset();
  const bool others = prepared.settings.initial != view_.home_of();
  if (look_.follow >= bodies() || (others && !view_.home_of().empty())) follow(nobody);
  if (view_.wants_home(prepared.settings.initial)) go_home();
}

void NbodyScene::go_home() {
  Camera home;
  if (const BodyNumbers* known = numbers()) home.distance = home_in_extents * known->extent;
  home_distance_ = home.distance;
  // Three bodies in a plane are seen from above.
  const InitialInfo* info = find_initial(view_.home_of());
  if (info != nullptr && info->fixed_bodies > 0) {
    home.elevation = 1.5;
    home.azimuth = -1.5707963;
  } else {
    const glm::vec2 middle = view_.middle();
    home.distance *= std::max(1.0, roomy_aspect * middle.y / std::max(middle.x, 1.0F));
  }
  view_.go_home(home);
  if (followed()) view_.follow();
}

// Before the first field only what the bodies themselves have is known.
LogSpread NbodyScene::quantity() const {
  const BodyNumbers* known = numbers();
  if (known == nullptr) return {};
  const RunningNbody* running = runner_.simulation();
  const bool field_known = running != nullptr && running->field_known();
  const NbodyDiagnostics& now = runner_.record().diagnostics;
  if (look_.color_by == "mass") return known->mass;
  if (look_.color_by == "speed") return field_known ? now.speed : known->speed;
  if (!field_known) return {};
  const Measured measured = measured_by(look_);
  if (measured != Measured::nothing && running->measured().quantity != measured) return {};
  if (measured == Measured::error) return runner_.record().errors.spread;
  if (measured != Measured::nothing) return running->measured().spread;
  return look_.color_by == "acceleration" ? now.acceleration : now.depth;
}

void NbodyScene::follow_range(double seconds) {
  const LogSpread spread = quantity();
  if (front() == nullptr || !spread.known) return;
  const double half = palette_half_width * spread.deviation;
  range_.follow({spread.mean - half, spread.mean + half}, {runner_.published(), seconds}, runner_.paused(), 1e-3);
}

BodyPicture NbodyScene::picture(const Viewport& viewport) const {
  BodyPicture picture;
  picture.published = runner_.published();
  picture.generation = runner_.generation();
  picture.camera = held_ ? held_->camera : view_.camera();
  picture.home_distance = held_ ? held_->home_distance : home_distance_;
  picture.range = held_ ? held_->range : range_.now();
  picture.look = held_ ? held_->look : look_;
  picture.followed = followed();
  picture.size = viewport.size;
  picture.scale = viewport.scale;
  if (front() == nullptr) return picture;
  picture.mean_mass = numbers()->mean_mass;
  if (!runs()) {
    picture.bodies = sketch_.value()->size();
    picture.sketch = sketch_.serial();
    if (picture.followed && *picture.followed >= picture.bodies) picture.followed.reset();
    return picture;
  }
  const RunningNbody& running = *runner_.simulation();
  picture.step = running.shown_step();
  picture.bodies = running.size();
  picture.tree = running.model().kernels().variant.tree;
  if (running.front_cells() != nullptr) picture.cells = chosen_cells(picture.look, picture.bodies, picture.tree);
  return picture;
}

News NbodyScene::news(const Viewport& viewport) const {
  if (!renderer_) return News::motion;
  const News news = news_of(picture(viewport), renderer_->drawn());
  return news == News::none && renderer_->drawn_share() < 1 ? News::progress : news;
}

void NbodyScene::draw(const Viewport& viewport) {
  if (!renderer_) renderer_ = std::make_unique<BodyRenderer>();
  const BodyPicture present = picture(viewport);
  Surface* surface = front();
  renderer_->draw(present, surface, runs() ? runner_.simulation()->front_cells() : nullptr, viewport);
  if (surface == nullptr) return;
  bytes_copied_ = surface->bytes_copied();
  const auto pick = view_.take_pick();
  if (!pick) return;
  renderer_->begin_pick(present, *surface, pick->cursor, pick->reach);
  picked_of_ = runner_.generation();
}

void NbodyScene::describe_cells(NbodySnapshot& nbody) const {
  nbody.cells_wanted = look_.cells != "off";
  if (!nbody.by_tree) return;
  const auto bodies = static_cast<std::size_t>(nbody.bodies);
  const RunningNbody* const running = runner_.simulation();
  const TreeShape shape = running != nullptr ? running->model().kernels().variant.tree : TreeShape();
  const std::size_t levels = TreeLevels(bodies, shape).rows.size();
  nbody.finest_level = static_cast<std::int64_t>(levels);
  nbody.drawable_level = static_cast<std::int64_t>(cell_levels(bodies, shape).back().number);
  nbody.cell_level = static_cast<std::int64_t>(chosen_cell_level(look_, bodies, shape));
  if (renderer_)
    for (const CellLevel& level : renderer_->drawn().cells)
      nbody.cells.push_back({static_cast<std::int64_t>(level.number), static_cast<std::int64_t>(level.count),
                             color_of_level(level.number, levels)});
}

SceneSnapshot NbodyScene::snapshot() const {
  SceneSnapshot snapshot;
  snapshot.name = kind().name;
  NbodySettings settings = runner_.settings();
  const InitialInfo* const initial = find_initial(settings.initial);
  snapshot.subject = initial != nullptr ? std::string(initial->title)
                                        : in_words(std::filesystem::path(settings.initial).stem().string());
  NbodyLook look = look_;
  for (const auto& list : {panel_parameters(settings, fp64_), parameters(look)})
    for (ParameterView& view : views(list)) snapshot.parameters.push_back(std::move(view));
  const RunningNbody* running = runner_.simulation();
  if (running != nullptr) {
    const NbodyKernels& kernels = running->model().kernels();
    snapshot.work_group = kernels.limits;
    const bool tree = kernels.variant.forces == Forces::tree;
    snapshot.running = {tree ? std::string(tree_kernel) : kernel_name(kernels.variant.precision),
                        tree ? tree_named(kernels.variant) : nbody_named(kernels.variant)};
  }
  snapshot.defaults = defaults();
  snapshot.status = reading();
  if (!snapshot.status.empty() && runner_.can_give_up()) snapshot.cancel_reading = "Keep the earlier bodies";
  if (snapshot.status.empty()) snapshot.status = runner_.status();
  snapshot.fault = runner_.fault().text;
  snapshot.fault_title = runner_.fault().title;
  snapshot.fault_log = runner_.fault().log;
  snapshot.can_rewind = runner_.diverged();
  snapshot.ruinous = ruinous_choices;
  snapshot.energy_error = runner_.record().energy_error();
  snapshot.work = runner_.work();
  snapshot.bytes_copied = bytes_copied_;
  NbodySnapshot nbody;
  nbody.paused = runner_.paused();
  nbody.backwards = settings.dt < 0;
  nbody.initial = runner_.good().initial;
  nbody.burst_progress = runner_.burst_progress();
  nbody.steps_per_second = runner_.rate().steps;
  nbody.interactions_per_second = runner_.rate().work;
  runner_.record().describe(nbody);
  if (running != nullptr)
    running->describe(nbody);
  else if (drawn_sketch_)
    nbody.bodies = static_cast<std::int64_t>(sketch_.value()->size());
  if (running == nullptr && nbody.bodies == most_sketched) nbody.bodies = std::max(nbody.bodies, settings.bodies);
  const NbodyLook& drawn = held_ ? held_->look : look_;
  if (const auto& range = held_ ? held_->range : range_.now()) {
    const auto told = [&](double log) { return drawn.color_by == "depth" ? log / std::numbers::ln2 : std::exp(log); };
    nbody.color_low = told(range->low), nbody.color_high = told(range->high);
  }
  describe_cells(nbody);
  if (renderer_ && renderer_->drawn().bodies > most_drawn_at_once) nbody.drawn_share = renderer_->drawn_share();
  nbody.color_by = drawn.color_by;
  nbody.picture_height = view_.picture_height();
  nbody.color_ramp = gradient_ramp(drawn.palette, ramp_texels);
  snapshot.tune_size = nbody.bodies;
  if (nbody.bodies < fewest_tuned)
    snapshot.untunable = "Tuning needs at least " + std::to_string(fewest_tuned) + " bodies";
  snapshot.compared = compared_parameters;
  snapshot.panels = std::make_shared<ui::NbodyPanels>(std::move(nbody), ui_);
  return snapshot;
}

// ---- from device to device, and from session to session

void NbodyScene::attach(ComputeContext& context) {
  fp64_ = context.device.info().fp64;
  device_class_ = context.device.info().device_class;
  runner_.attach(context);
}

void NbodyScene::leave(Leaving how) {
  runner_.leave(how);
  if (how == Leaving::in_order) return;
  renderer_.reset();
  drawn_sketch_.reset();
  device_class_.reset();
}

ComparisonJob NbodyScene::comparison(const ChangedParameters& changed) const {
  const std::span<const std::string_view> allowed = compared_parameters;
  std::array<NbodySettings, 2> settings{runner_.settings(), runner_.settings()};
  std::vector<Parameter> other = parameters(settings[1], true);
  change(other, allowed, changed);
  check_variant(settings[1]);
  return [settings, allowed, state = runner_.last_state()](const std::array<ProgramLibrary*, 2>& sides,
                                                           const BetweenSlices& between) mutable {
    const Bodies bodies =
        state ? state->bodies : fresh_bodies(start_of(settings[0], sides[0]->device().info().device_class));
    Comparison result = compare_nbody(sides, settings, bodies, between);
    if (!state) result.work += " from the initial condition";
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Parameter> bound = parameters(settings[k], true);
      result.sides[k] = side_text(sides[k]->device().info().name, bound, allowed);
    }
    return result;
  };
}

StateSection NbodyScene::choices() const {
  StateSection section;
  NbodySettings settings = runner_.settings();
  NbodyLook look = look_;
  for (const auto& list : {parameters(settings, true), parameters(look)})
    for (const Parameter& parameter : list)
      if (!is_unset(parameter.info().name)) section.emplace_back(parameter.info().name, parameter.value());
  return section;
}

// The initial condition brings some of them.
StateSection NbodyScene::defaults() const {
  NbodySettings settings;
  NbodyLook look;
  const RunningNbody* running = runner_.simulation();
  if (running != nullptr) take(settings, running->prepared().suggestion, {true, true, true});
  StateSection section;
  for (const auto& list : {parameters(settings, true), parameters(look)})
    for (const Parameter& parameter : list)
      if (running != nullptr || !is_unset(parameter.info().name))
        section.emplace_back(parameter.info().name, parameter.value());
  return section;
}

std::vector<std::pair<std::string, Value>> NbodyScene::saved_settings() const {
  std::vector<std::pair<std::string, Value>> state = choices();
  Camera camera = view_.camera();
  for (const auto& [key, value] : camera_keys(camera)) state.emplace_back(key, *value);
  state.emplace_back("paused", runner_.paused());
  return state;
}

std::vector<std::pair<std::string, Value>> NbodyScene::save() const {
  return with_bodies(saved_settings(), runner_.state());
}

std::function<std::vector<std::pair<std::string, Value>>()> NbodyScene::copy() const {
  return [settings = saved_settings(), bodies = runner_.last_state()] { return with_bodies(settings, bodies); };
}

std::vector<std::string> NbodyScene::load(const std::vector<std::pair<std::string, Value>>& state) {
  NbodySettings settings = runner_.settings();
  NbodyLook look = look_;
  Camera camera = view_.camera();
  NbodyState moment;
  bool paused = runner_.paused(), camera_given = false;
  std::vector<Parameter> list = parameters(settings, true);
  for (const Parameter& parameter : parameters(look)) list.push_back(parameter);
  std::vector<std::string> unknown;
  for (const auto& [key, value] : state) {
    if (Parameter* parameter = find(list, key))
      parameter->assign(value);
    else if (key == "paused" && std::holds_alternative<bool>(value))
      paused = std::get<bool>(value);
    else if (take_moment_key(moment, key, value))
      continue;
    else if (take_camera_key(camera, key, value))
      camera_given = true;
    else
      unknown.push_back(key);
  }
  check_initial(settings.initial, settings.bodies);
  check_variant(settings);
  const std::shared_ptr<BodyReading> read = moment.bodies.empty() ? read_at_once(settings) : nullptr;
  const auto is_open = [&](bool open, std::string_view key) { return open && value_of(state, key) == nullptr; };
  const Unset& open = runner_.terms();
  if (read) runner_.record().reading = read;
  runner_.narrow_terms({is_open(open.dt, "dt"), is_open(open.softening, "softening"), is_open(open.burst, "burst")});
  runner_.set(settings, unset_in(state));
  if (!moment.bodies.empty()) runner_.resume(std::move(moment));
  runner_.pause(paused);
  const bool follows_other = look.follow != look_.follow;
  if (runs() && renderer_ && !held_ && runner_.replacing()) held_ = renderer_->drawn();
  if (look.color_by != look_.color_by) range_.reset();
  look_ = look;
  if (camera_given) view_.place(camera);
  if (follows_other && !camera_given) follow(look_.follow);
  return unknown;
}

void NbodyScene::add_statistics(nlohmann::ordered_json& document) const {
  const RateMeter::Rate rate = runner_.rate(RateMeter::longest);
  document["nbody"] = {{"bodies", bodies()},
                       {"step", runner_.record().diagnostics.step},
                       {"steps_per_second", rate.steps},
                       {"interactions_per_second", rate.work}};
}

}  // namespace orrery
