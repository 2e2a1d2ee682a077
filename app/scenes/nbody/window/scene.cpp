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
#include "scenes/nbody/window/archived_run.hpp"

namespace orrery {
namespace {

constexpr double home_in_extents = 2.9;     // the camera's first distance …
constexpr double home_in_reaches = 3.2;     // … from which a circle of that radius is seen
constexpr double roomy_aspect = 1.6;        // width to height of a picture into which two galaxies fit from there
constexpr double palette_half_width = 1.7;  // standard deviations of the quantity's logarithm
constexpr double least_half_width = 0.1;    // in the same logarithm
constexpr std::size_t ramp_texels = 64;
constexpr std::int64_t fewest_tuned = 64;
constexpr std::int64_t most_sketched = 1'000'000;  // more look the same, but take seconds and double memory
constexpr float click_reach = 10;                  // pixels at scale 1 around a body that a click still hits
constexpr double smooth_motion = 0.02;             // motion from picture to picture, in heights of the picture
constexpr std::int64_t few_bodies = 32;            // up to this number, each orbit is followed …
constexpr double smooth_fall = 0.125;              // … with this part of a free fall from picture to picture

// A condition without given values sets its own.
Unset unset_in(const std::vector<std::pair<std::string, Value>>& state) {
  const auto missing = [&](std::string_view key) {
    return std::ranges::none_of(state, [&](const auto& entry) { return entry.first == key; });
  };
  if (missing("initial")) return {};
  return {missing("dt"), missing("softening"), missing("burst")};
}

bool take_moment_key(NbodyState& moment, const std::string& key, const Value& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  const auto* flag = std::get_if<bool>(&value);
  const auto* text = std::get_if<std::string>(&value);
  if (key == "step" && whole != nullptr && *whole >= 0) return moment.clock.step = *whole, true;
  if (key == "edited" && flag != nullptr) {
    if (*flag && !moment.clock.edited()) moment.clock.cohorts = std::make_shared<const Cohorts>(1);
    return true;
  }
  if (key == "cohorts" && text != nullptr)
    return moment.clock.cohorts = std::make_shared<const Cohorts>(parse_cohorts(*text, key)), true;
  if (key == "time" && finite_number(value)) return moment.clock.time = *finite_number(value), true;
  if (key == "bodies-csv" && text != nullptr) return moment.bodies = parse_bodies_csv(*text, key), true;
  if (const auto* matrix = std::get_if<Matrix>(&value); key == "bodies-csv" && matrix != nullptr)
    return moment.bodies = bodies_of(*matrix, key), true;
  if (key == "tree-memory" && text != nullptr) return moment.tree = parse_tree_memory(*text, key), true;
  if (key == "step" || key == "time" || key == "edited" || key == "cohorts" || key == "bodies-csv" ||
      key == "tree-memory")
    throw usage_error(key, value_text({}, value),
                      key == "step"                              ? "a whole number of 0 or more"
                      : key == "time"                            ? "a finite number"
                      : key == "edited"                          ? "true or false"
                      : key == "tree-memory" || key == "cohorts" ? "a text as Orrery saves it"
                                                                 : "the text of a .csv file of bodies");
  return false;
}

Measured measured_by(const NbodyLook& look) {
  if (look.color_by == "error") return Measured::error;
  if (look.color_by == "depth") return Measured::leaf_size;
  if (look.color_by == "level") return Measured::level;
  return look.color_by == "cost" ? Measured::interactions : Measured::nothing;
}

std::string_view next_cells(const NbodyLook& look) {
  if (look.cells == "off") return "levels";
  return look.cells == "levels" ? "level" : "off";
}

// A change by hand is a leap: there is no interpolation across it.
NbodyGlimpse glimpse_of(const NbodyPast::Moments& moments, std::int64_t step) {
  const auto [from, to] = NbodyPast::around(moments, step);
  const bool leaps = to != nullptr && ((to->changes && to->state->clock.edited()) ||
                                       to->state->bodies.size() != from->state->bodies.size());
  if (to == nullptr || leaps) return {NbodyPast::nearest(moments, step)->state, nullptr, 0};
  return {from->state, to->state, static_cast<double>(step - from->step) / static_cast<double>(to->step - from->step)};
}

}  // namespace

/// The panel offers the names; any other text is a file.
std::vector<Parameter> NbodySceneParts::bound(NbodySettings& settings, bool fp64) {
  std::vector<Parameter> list = parameters(settings, fp64);
  for (Parameter& parameter : list) {
    if (parameter.info().name != "initial") continue;
    ParameterInfo info = parameter.info();
    for (const InitialInfo& initial : initial_conditions()) info.choices.emplace_back(initial.name, initial.title);
    parameter = Parameter(info, &settings.initial);
  }
  return list;
}

StateSection NbodySceneParts::with_moment(StateSection section, const std::shared_ptr<const NbodyState>& state) {
  if (!state) return section;
  section.emplace_back("step", state->clock.step);
  section.emplace_back("time", state->clock.time);
  if (state->clock.edited()) {
    section.emplace_back("edited", true);
    section.emplace_back("cohorts", text_of(*state->clock.cohorts));
  }
  section.emplace_back("bodies-csv", matrix_of(std::shared_ptr<const Bodies>(state, &state->bodies)));
  if (std::string tree = text_of(state->tree); !tree.empty()) section.emplace_back("tree-memory", std::move(tree));
  return section;
}

NbodyScene::NbodyScene(const SceneKind& kind) : OrbitScene(kind, click_reach) {}

// ---- input

void NbodyScene::apply_own(const command::Command& command) {
  using namespace command;
  if (std::holds_alternative<CancelReading>(command)) cancel_reading();
  if (std::holds_alternative<TakeTuned>(command)) runner_.retune();
  if (std::holds_alternative<ResetCamera>(command) || std::holds_alternative<FitView>(command))
    look_.follow_part = "none";
  if (std::holds_alternative<Escape>(command) && hands_.on()) hands_.escape();
  if (const auto* dropped = std::get_if<DropObject>(&command)) drop(*dropped);
  if (std::holds_alternative<Reset>(command) || std::holds_alternative<Rewind>(command) ||
      std::holds_alternative<ReturnTo>(command))
    approach_.reset();
  const auto* own = std::get_if<SceneCommand>(&command);
  if (own == nullptr) return;
  do_by_hand(*own);
  RunningNbody* const running = runner_.simulation();
  handle_own<ReverseTime, SwitchForces, SwitchCells, MeasureTransfer, MeasureAccuracy, GoToStep, StepBack, TogglePast>(
      *own, Overloaded{
                [&](const GoToStep& to) { go_to(to); },
                [&](const StepBack&) {
                  if (running != nullptr) go_to({past().step - runner_.settings().burst});
                },
                [&](const TogglePast&) { ui_->past = !ui_->past; },
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

// A work-group and a variant exclude each other.
void NbodyScene::choose(const std::string& name, NbodySettings settings) {
  if (name == work_group_parameter) settings.variant = "auto";
  if (name == variant_parameter) {
    settings.work_group = 0, check_variant(settings);
    const NamedTuneValues tree = choice_for(settings.variant, tree_kernel);
    if (const auto order = tree.find("order"); order != tree.end()) settings.order = order->second;
  }
  if (name == "order") settings.variant = "auto";
  if (name == "initial") return start_from(settings.initial);
  if (name == "units") return runner_.set(settings, {.dt = true, .softening = true, .burst = true});
  runner_.set(settings);
}

// Another condition sets its own values.
void NbodyScene::start_from(const std::string& initial) {
  NbodySettings settings = runner_.settings();
  settings.initial = initial;
  const InitialInfo* info = find_initial(initial);
  if (info == nullptr || info->fixed_bodies > 0 || find_initial(runner_.settings().initial) == nullptr)
    settings.bodies = 0;
  runner_.set(settings, {.dt = true, .softening = true, .burst = true});
}

// ---- hands

void NbodyScene::input(const SceneInput& input) {
  const auto taken = Overloaded{[&](const PointerEvent& event) { return hands_.take(event, view_.slack()); },
                                [&](const ScrollEvent& event) { return hands_.take(event); }};
  if (!std::visit(taken, input)) OrbitScene::input(input);
}

SceneStatus NbodyScene::status() const {
  SceneStatus status = OrbitScene::status();
  status.in_hand = hands_.on();
  const RunningNbody* const running = runner_.simulation();
  status.simulation->edited = running != nullptr && running->model().clock().edited();
  return status;
}

std::shared_ptr<const StateEdit> NbodyScene::take_edit() {
  if (edits_.empty()) return {};
  auto edit = std::move(edits_.front());
  edits_.pop_front();
  return edit;
}

// Edits refer to the bodies in the picture: a body that was just removed is not removed again.
void NbodyScene::do_by_hand(const command::SceneCommand& own) {
  using namespace command;
  handle_own<ToggleHands>(own, [&](const ToggleHands&) { hands_.toggle(); });
  handle_own<RemoveBody, DuplicateBody>(own, [&](const auto&) {
    if (hands_.on()) return void(key_of_hands_ = own);
    notify("Hands are off: press H, then click a body");
  });
}

HandMeasure NbodyScene::measure(std::string_view object) const {
  constexpr double least_speed = 1e-12;
  const BodyNumbers* const known = numbers();
  if (known == nullptr) return {};
  const NbodyDiagnostics& now = runner_.record().diagnostics;
  HandMeasure measure{.object = std::string(object), .gravity = gravity_of(runner_.settings())};
  if (measure.is_set()) measure.bodies = look_.new_bodies;
  measure.mass = static_cast<double>(measure.bodies) * (look_.new_mass > 0 ? look_.new_mass : known->mean_mass);
  const LogSpread& speed = now.speed.known ? now.speed : known->speed;
  const double fall =
      std::sqrt(gravity_of(runner_.settings()) * known->mean_mass * static_cast<double>(size()) / known->extent);
  measure.speed = std::max(speed.known ? std::exp(speed.mean) : fall, least_speed);
  return measure;
}

void NbodyScene::follow_hands() {
  forecast_.follow(flight());
  if (!runs() || runner_.editing()) return;
  if (const auto key = std::exchange(key_of_hands_, {})) {
    const auto subject = hands_.subject();
    if (!subject) return notify("Click a body first");
    handle_own<command::RemoveBody, command::DuplicateBody>(
        *key, Overloaded{[&](const command::RemoveBody&) { change_bodies(BodyRemoved{*subject}); },
                         [&](const command::DuplicateBody&) {
                           constexpr float beside = 0.03F;  // in heights of the picture
                           const HandSight seen = sight();
                           const HandSight::Plane plane = seen.plane();
                           const glm::vec2 middle = view_.middle();
                           const glm::dvec3 shift = seen.place(plane, middle + glm::vec2(2 * beside * middle.y, 0)) -
                                                    seen.place(plane, middle);
                           change_bodies(BodyDuplicated{*subject, {shift.x, shift.y, shift.z}});
                         }});
    return;
  }
  if (const auto edit = hands_.take_edit(sight(), measure(look_.new_object))) change_bodies(*edit);
}

void NbodyScene::drop(const command::DropObject& dropped) {
  if (!runs() || std::ranges::find(hand_objects, dropped.object) == hand_objects.end()) return;
  const HandSight seen = sight();
  const glm::vec2 at{dropped.at[0], dropped.at[1]};
  HandGesture gesture{.pressed = at, .cursor = at, .down = false};
  gesture.meet({}, seen);
  change_bodies(added(gesture, seen, measure(dropped.object)));
}

void NbodyScene::change_bodies(const BodyEdit& edit) {
  const auto noted = std::make_shared<StateEdit>(StateEdit{.text = text_of(edit), .before = {}, .after = {}});
  edits_.push_back(noted);
  const auto change = [edit, initial = runner_.settings().initial](NbodyState& state) {
    change_by_hand(state, edit, initial);
  };
  using State = std::shared_ptr<const NbodyState>;
  runner_.edit({change, [this, noted, edit](const State& before, const State& after) {
                  noted->dropped = after == nullptr;
                  if (after == nullptr) return;
                  noted->before = before;
                  noted->after = after;
                  noted->bytes = (before->bodies.size() + after->bodies.size()) * sizeof(Body);
                  changed_.push_back(edit);
                  notify(noted->text + ". Energy and momentum are now compared with those after this change");
                }});
}

// Bodies that were changed by hand keep their colours and trails, and the camera continues.
void NbodyScene::take_changed() {
  for (const BodyEdit& edit : std::exchange(changed_, {})) {
    hands_.follow(edit);
    if (renderer_) renderer_->carry_trails(edit, runner_.generation());
    if (!followed()) continue;
    const auto index = index_after(edit, *followed());
    index ? void(look_.follow = *index) : follow(nothing);
  }
}

std::optional<FlightPlan> NbodyScene::flight() const {
  constexpr std::int64_t longest_ahead = 2000;  // steps
  const HandGesture* const gesture = hands_.gesture();
  const auto state = runner_.last_state();
  if (gesture == nullptr || !state || !runs() || runner_.editing()) return std::nullopt;
  const NbodySettings& settings = runner_.settings();
  FlightPlan plan{.bodies = std::shared_ptr<const Bodies>(state, &state->bodies),
                  .thrown = gesture->thrown(sight(), measure(look_.new_object)),
                  .replaced = {},
                  .dt = settings.dt,
                  .softening = settings.softening,
                  .gravity = gravity_of(settings),
                  .radius = contact_of(settings) == Contact::pass ? 0 : settings.radius,
                  .integrator = &integrator_of(settings.integrator)};
  plan.ahead = std::clamp<std::int64_t>(runner_.simulation()->shown_step() - state->clock.step, 0, longest_ahead);
  if (gesture->grabs()) {
    if (gesture->body >= state->bodies.size()) return std::nullopt;
    const glm::dvec3 to = gesture->to(sight());
    plan.replaced = gesture->body;
    plan.thrown = state->bodies[gesture->body];
    plan.thrown.mass *= gesture->mass_factor;
    plan.thrown.x = to.x, plan.thrown.y = to.y, plan.thrown.z = to.z;
  }
  return plan;
}

void NbodyScene::describe_hands(NbodySnapshot& nbody) const {
  NbodySnapshot::Hands& shown = nbody.hands;
  shown.on = hands_.on();
  const HandMeasure fresh = measure(look_.new_object);
  shown.new_mass = fresh.mass;
  shown.new_object = "a " + fresh.object + (fresh.is_set() ? " of " + grouped(fresh.bodies) + " bodies" : "");
  const HandGesture* const gesture = hands_.gesture();
  if (!shown.on || gesture == nullptr) return;
  const HandSight seen = sight();
  const auto pixel = [&](const glm::dvec3& place) -> std::array<float, 2> {
    const glm::vec2 at = seen.pixel(place).value_or(gesture->pressed);
    return {at.x, at.y};
  };
  const Body thrown = gesture->thrown(seen, fresh);
  shown.holds = gesture->grabs() ? NbodySnapshot::Hands::Holds::body : NbodySnapshot::Hands::Holds::new_body;
  shown.dragged = gesture->dragged;
  shown.from = pixel(gesture->from);
  shown.to = pixel(gesture->to(seen));
  if (!gesture->grabs())
    shown.radius = static_cast<float>(fresh.radius(seen) / seen.picture_height()) * static_cast<float>(seen.size.y);
  shown.speed = std::hypot(thrown.vx, thrown.vy, thrown.vz);
  shown.mass = thrown.mass;
  const auto state = runner_.last_state();
  if (gesture->grabs() && state && gesture->body < state->bodies.size())
    shown.mass = state->bodies[gesture->body].mass * gesture->mass_factor;
  constexpr std::size_t most_points = 1000;
  const FlightPath& path = forecast_.path();
  for (std::size_t k = 0; k < path.size(); k += path.size() / most_points + 1)
    if (const auto at = seen.pixel({path[k][0], path[k][1], path[k][2]})) shown.path.push_back({at->x, at->y});
}

// ---- the followed body

std::string NbodyScene::reading() const {
  const auto& reading = runner_.record().reading;
  return reading ? reading->progress().status() : std::string();
}

// A small file's rows are read here, so that faults are reported before anything changes; null for other starts.
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

// The running simulation continues with its settings.
void NbodyScene::cancel_reading() {
  if (reading().empty() || !runner_.can_give_up()) return;
  runner_.give_up();
  runner_.record().cancel_reading();
}

const BodyNumbers* NbodyScene::numbers() const {
  if (const RunningNbody* running = runner_.simulation()) return &running->prepared();
  return sketch_.value().get();
}

void NbodyScene::follow(std::int64_t body, std::optional<glm::vec3> place) {
  picked_place_ = place;
  OrbitScene::follow(body);
}

void NbodyScene::take_picked() {
  if (!renderer_) return;
  const auto answer = renderer_->poll_pick();
  if (!answer) return;
  const bool lost = picked_of_ != runner_.generation();
  if (std::exchange(picked_by_hand_, false)) return lost ? hands_.pick_again() : hands_.answer(answer->body, sight());
  if (lost) return;
  if (!answer->body) return follow(nothing);
  if (followed() != answer->body->index) follow(answer->body->index, answer->body->place);
}

// The place as drawn; until that has been read, the picked place.
std::optional<glm::dvec3> NbodyScene::place_of_followed() const {
  const RunningNbody* running = runner_.simulation();
  if (running == nullptr || !followed()) return picked_place_;
  const std::optional<BodyWatch::Seen>& seen = running->watch_of_body().seen();
  if (seen && seen->body == *followed()) return glm::dvec3{seen->place[0], seen->place[1], seen->place[2]};
  return picked_place_;
}

void NbodyScene::look_at_followed() {
  const auto& moments = runner_.past().moments();
  const std::int64_t kept = moments.empty() ? 0 : moments.back().step,
                     shown = runner_.simulation() != nullptr ? runner_.simulation()->shown_step() : 0;
  portraits_.follow({approach_ ? approach_->glimpse.nearest() : runner_.last_state(),
                     {runner_.settings().softening, gravity_of(runner_.settings())},
                     std::max(kept, shown)},
                    followed());
  follow_survivor();
}

// A merged body stays in place: shortly afterwards, its nearest body is usually the one that it merged into.
void NbodyScene::follow_survivor() {
  const auto& portrait = portraits_.last();
  if (!portrait || approach_ || portrait->body != followed() || !is_gone(portrait->own)) return;
  const auto& nearest = portrait->standing.nearest;
  if (!nearest) return follow(nothing);
  const auto name = [&](std::uint32_t body) {
    return name_of_body(body, parts(), static_cast<std::size_t>(std::max<std::int64_t>(size(), 0)));
  };
  notify(name(portrait->body) + " has merged. The camera follows the nearest: " + name(nearest->body));
  follow(nearest->body);
}

// In a kept moment the body is drawn at its place of that moment.
NbodySnapshot::Followed NbodyScene::describe_followed() const {
  const auto& portrait = portraits_.last();
  if (!followed() || !portrait) return {};
  MarkedBody drawn{{portrait->own.x, portrait->own.y, portrait->own.z}, 0};
  if (const auto place = place_of_followed(); place && !approach_)
    drawn = {*place, runner_.record().diagnostics.time - portrait->clock.time};
  return describe(portraits_, parts(), static_cast<std::size_t>(std::max<std::int64_t>(size(), 0)), sight(), drawn);
}

// The last state is about a second old: its part has moved since.
void NbodyScene::look_for_part() {
  if (std::exchange(part_, look_.follow_part) != look_.follow_part) {
    found_part_.reset(), part_of_.reset();
    if (!followed()) part_ == "none" ? view_.release() : view_.follow();
  }
  const auto state = runner_.last_state();
  if (const auto found = part_search_.poll(); found && *found && part_of_)
    found_part_ = FoundPart{**found, part_of_->clock.time, found_part_ ? found_part_->place : std::nullopt};
  if (part_ != "densest" || !state || state == part_of_ || part_search_.busy()) return;
  part_of_ = state;
  const auto around = found_part_ ? std::optional(found_part_->part.place) : std::nullopt;
  part_search_.start([state, around] { return densest_part(state->bodies, around); });
}

std::optional<glm::dvec3> NbodyScene::place_of_part(double frame) {
  constexpr double glide_seconds = 0.4, arrived = 1e-4;  // the latter in distances of the camera
  const RunningNbody* const running = runner_.simulation();
  const NbodyDiagnostics& now = runner_.record().diagnostics;
  if (part_ == "none" || running == nullptr || !running->field_known()) return std::nullopt;
  if (part_ == "mass") return glm::dvec3{now.centre[0], now.centre[1], now.centre[2]};
  if (!found_part_) return std::nullopt;
  glm::dvec3 wanted;
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    wanted[axis] = found_part_->part.place[k] + found_part_->part.velocity[k] * (now.time - found_part_->time);
  }
  glm::dvec3 place = found_part_->place.value_or(wanted);
  if (glm::distance(place, wanted) > arrived * view_.camera().distance)
    place += (wanted - place) * (1 - std::exp(-frame / glide_seconds));
  found_part_->place = place;
  return place;
}

// ---- a frame

// Bodies that started at one place may have separated while forces were softened.
void NbodyScene::look_for_crowd(const RunningNbody& running) {
  if (crowd_of_ != runner_.generation()) {
    crowd_of_ = runner_.generation();
    softened_ = false;
    crowd_.forget();
  }
  const bool softens = runner_.settings().softening > 0;
  softened_ = softened_ || softens;
  if (const auto state = runner_.last_state(); softened_ && !softens && state) {
    softened_ = false;
    runner_.record().step_watch = StepWatch();
    crowd_.start([state, precision = running.model().precision()] { return crowd_among(state->bodies, precision); });
  }
  if (auto crowd = crowd_.poll()) runner_.record().step_watch = StepWatch(std::move(*crowd));
}

// ---- the past

void NbodyScene::go_to(const command::GoToStep& to) {
  if (to.other_branch) runner_.switch_branch();
  if (runner_.past().moments().empty()) return;
  runner_.pause(true);
  approach_ = {to.step, to.arrives, glimpse_of(runner_.past().moments(), to.step)};
  if (!to.arrives) return;
  runner_.go_to(to.step);
  if (const auto goal = runner_.goal()) approach_->step = *goal;
}

SceneWriter NbodyScene::points_writer() const {
  const std::shared_ptr<const NbodyState> state = runner_.last_state();
  if (!state) return {};
  const NbodySettings& settings = runner_.settings();
  const BodyFileNotes notes{state->clock.time, settings.softening, named_units(settings), state->clock.step};
  return [state, notes](const std::filesystem::path& path, const FileProgress& progress) {
    write_bodies(path, state->bodies, notes, progress);
  };
}

SceneWriter NbodyScene::past_writer() const {
  if (runner_.past().moments().empty() || !device_) return {};
  const RunningNbody* const running = runner_.simulation();
  const std::string forces(running != nullptr ? name_of(running->model().kernels().variant.forces) : "auto");
  return [run = PastOfDevice{runner_.past(), runner_.rounds_as()}, info = *device_, forces](
             const std::filesystem::path& path, const FileProgress& progress) {
    write_archived_run(path, run, info, forces, progress);
  };
}

// Shows a preview of the requested moment until it has been published.
void NbodyScene::follow_moment() {
  const RunningNbody* const running = runner_.simulation();
  const bool arrived = approach_ && approach_->arrives && !runner_.goal() &&
                       (running == nullptr || running->shown_step() == approach_->step || !runner_.paused());
  if (arrived) approach_.reset();
  if (!approach_) {
    moment_.forget();
    return drawn_moment_.reset();
  }
  chase(approach_->glimpse, moment_, drawn_moment_);
}

// The ghost follows the shown moment as far as the other branch reaches.
void NbodyScene::follow_ghost() {
  const auto& other = runner_.past().other_branch();
  const std::int64_t step = shown_step();
  const bool reaches = !other.empty() && other.front().step <= step && step <= other.back().step;
  if (!look_.ghost || !reaches) {
    ghost_.forget();
    return drawn_ghost_.reset();
  }
  chase(glimpse_of(other, step), ghost_, drawn_ghost_);
}

void NbodyScene::chase(const NbodyGlimpse& glimpse, Sketch<NbodyGlimpse, BodySketch>& sketch,
                       std::optional<DrawnSketch>& drawn) {
  const NbodyStart start = start_of(runner_.settings(), {}, glimpse.from);
  sketch.chase(glimpse, [start, glimpse] { return sketch_bodies(glimpse, start); });
  const BodySketch* made = sketch.value().get();
  if (made == nullptr || made->size() == 0) return drawn.reset();
  if (drawn && drawn->serial == sketch.serial()) return;
  const std::size_t bytes = made->published.size() * sizeof made->published.front();
  drawn = {sketch.serial(), std::make_unique<UploadedSurface>(made->published.data(), bytes)};
}

std::int64_t NbodyScene::shown_step() const {
  if (approach_) return approach_->step;
  return runner_.simulation() != nullptr ? runner_.simulation()->shown_step() : 0;
}

PastView NbodyScene::past() const {
  const auto seen = [](const auto& moments) {
    std::vector<PastView::Moment> list;
    for (const auto& each : moments) list.push_back({each.step, each.time, each.changes});
    return list;
  };
  PastView view{.moments = seen(runner_.past().moments()), .other_branch = seen(runner_.past().other_branch())};
  view.fork = runner_.past().fork().value_or(0);
  view.time = runner_.record().diagnostics.time;
  view.step = shown_step();
  if (!approach_) return view;
  view.time = approach_->glimpse.time();
  view.is_near = true;
  return view;
}

void NbodyScene::begin_frame() {
  take_picked();
  follow_hands();
  look_for_part();
  follow_moment();
  follow_ghost();
  look_at_followed();
  RunningNbody* const running = runner_.simulation();
  if (running == nullptr) return;
  running->watch_of_body().choose(followed());
  running->want(measured_by(look_), look_.cells != "off");
  look_for_crowd(*running);
  running->want_potential(look_.color_by == "potential" || followed() || runner_.paused());
}

// Before a device is known, the number of bodies is guessed from OpenGL's device.
void NbodyScene::ask_for_sketch() {
  DeviceInfo guess;
  if (!gl::draws_on_processor()) guess.device_class = DeviceClass::gpu;
  NbodyStart start = start_of(runner_.settings(), device_.value_or(guess), runner_.last_state());
  start.bodies = std::min(start.bodies, most_sketched);
  const std::shared_ptr<BodyReading> file = start.state ? nullptr : runner_.record().reading_of(start.initial);
  sketch_.follow(start, [start, file] { return sketch_bodies(start, file.get()); });
}

void NbodyScene::meet_sketch() {
  range_.reset();
  wants_home_in(sketch_.value()->initial, sketch_.value()->units);
}

// New bodies have arrived, or the same ones on another device.
void NbodyScene::meet_simulation() {
  const std::string& initial = runner_.simulation()->prepared().settings.initial;
  runner_.record().reading.reset();
  picked_place_.reset();
  if (runner_.began() == Start::edited) return take_changed();
  changed_.clear();
  if (runner_.began() == Start::afresh) hands_.forget_bodies(), found_part_.reset();
  range_.reset();
  const bool others = initial != view_.home_of();
  if (look_.follow >= size() || (others && !view_.home_of().empty())) follow(nothing);
  wants_home_in(initial, runner_.simulation()->prepared().settings.units);
}

// The same bodies in other units have other places.
void NbodyScene::wants_home_in(const std::string& initial, const std::string& units) {
  const bool other_units = std::exchange(home_units_, units) != units;
  if (view_.wants_home(initial) || other_units) go_home();
}

void NbodyScene::go_home() {
  Camera home;
  if (const BodyNumbers* known = numbers())
    home.distance = std::max(home_in_extents * known->extent, home_in_reaches * reach_of(view_.home_of(), home_units_));
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

// Before the first field only mass and speed are known.
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
  if (measured == Measured::error && !running->maps_all_errors()) return runner_.record().errors.spread;
  if (measured != Measured::nothing) return running->measured().spread;
  return look_.color_by == "acceleration" ? now.acceleration : now.depth;
}

std::int64_t NbodyScene::smooth_burst() const {
  const RunningNbody* running = runner_.simulation();
  const NbodyDiagnostics& now = runner_.record().diagnostics;
  if (running == nullptr || !running->field_known() || !now.speed.known) return 1;
  const double fast = std::exp(now.speed.mean + now.speed.deviation);
  double time = smooth_motion * view_.picture_height() / fast;
  if (size() <= few_bodies) time = std::min(time, smooth_fall * now.free_fall);
  const double steps = time / std::abs(runner_.settings().dt);
  return steps < 1e9 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(steps)) : 0;
}

// The range in logarithms.
std::optional<NbodyScene::WantedRange> NbodyScene::wanted_range() const {
  if (look_.color_by == "origin") return WantedRange{range_of_parts(parts().size())};
  if (look_.color_by == "age") return cohorts() != nullptr ? std::optional(WantedRange{{0, 1}}) : std::nullopt;
  const LogSpread spread = quantity();
  if (!spread.known) return std::nullopt;
  // Bodies with equal values have one colour in the middle, in spite of rounding.
  const double half = std::max(palette_half_width * spread.deviation, least_half_width);
  return WantedRange{{spread.mean - half, spread.mean + half}};
}

const Cohorts* NbodyScene::cohorts() const {
  const RunningNbody* const running = runner_.simulation();
  return running != nullptr ? running->model().clock().cohorts.get() : nullptr;
}

std::vector<BodyPart> NbodyScene::parts() const {
  const auto bodies = static_cast<std::size_t>(std::max<std::int64_t>(size(), 0));
  const std::string& initial = runner_.settings().initial;
  return cohorts() != nullptr ? parts_of(*cohorts(), initial, bodies) : parts_of(initial, bodies);
}

// The shader takes most_parts parts: beyond that, the oldest ones after the first are omitted.
std::vector<BodyPicture::Part> NbodyScene::coloured_parts(const std::string& quantity) const {
  std::vector<BodyPicture::Part> all;
  const auto add = [&](std::size_t first, double value) {
    if (all.size() == most_parts) all.erase(all.begin() + 1);
    all.push_back({static_cast<std::uint32_t>(first), static_cast<float>(value)});
  };
  if (quantity == "origin")
    for (const BodyPart& part : parts()) add(part.first, static_cast<double>(all.size()));
  if (quantity != "age" || cohorts() == nullptr) return all;
  const double now = runner_.record().diagnostics.time;
  for (const Cohort& each : *cohorts()) add(each.first, each.born && now != 0 ? std::abs(1 - *each.born / now) : 1);
  return all;
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
  picture.chosen = hands_.subject();
  picture.hand = forecast_.serial();
  if (drawn_ghost_) picture.ghost = ghost_.serial(), picture.ghosts = ghost_.value()->size();
  picture.size = viewport.size;
  picture.scale = viewport.scale;
  if (drawn_moment_) {
    picture.bodies = moment_.value()->size();
    picture.mean_mass = moment_.value()->mean_mass;
    picture.sketch = -moment_.serial();  // differs from sketches of a start
    if (picture.followed && *picture.followed >= picture.bodies) picture.followed.reset();
    return picture;
  }
  if (front() == nullptr) return picture;
  picture.parts = coloured_parts(picture.look.color_by);
  picture.mean_mass = numbers()->mean_mass;
  if (!runs()) {
    picture.bodies = sketch_.value()->size();
    picture.sketch = sketch_.serial();
    for (auto* marked : {&picture.followed, &picture.chosen})
      if (*marked && **marked >= picture.bodies) marked->reset();
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
  const News news = OrbitScene::news(viewport);
  return renderer_ && news == News::none && renderer_->drawn_share() < 1 ? News::progress : news;
}

void NbodyScene::draw(const Viewport& viewport) {
  if (!renderer_) renderer_ = std::make_unique<BodyRenderer>();
  const BodyPicture present = picture(viewport);
  Surface* surface = front();
  renderer_->draw(present,
                  {.bodies = surface,
                   .cells = runs() && !drawn_moment_ ? runner_.simulation()->front_cells() : nullptr,
                   .ghost = drawn_ghost_ ? drawn_ghost_->surface.get() : nullptr},
                  viewport);
  if (surface == nullptr) return;
  bytes_copied_ = surface->bytes_copied();
  auto pick = view_.take_pick();
  if (!pick && !picked_by_hand_ && runs() && !runner_.editing())
    if (const auto place = hands_.take_pick()) pick = view_.pick_at(*place), picked_by_hand_ = true;
  if (!pick) return;
  renderer_->begin_pick(present, *surface, pick->cursor, pick->reach);
  picked_of_ = runner_.generation();
}

void NbodyScene::describe_cells(NbodySnapshot& nbody) const {
  NbodySnapshot::Cells& cells = nbody.cells;
  cells.wanted = look_.cells != "off";
  if (nbody.forces != NbodySnapshot::Forces::of_tree) return;
  const auto bodies = static_cast<std::size_t>(nbody.bodies);
  const RunningNbody* const running = runner_.simulation();
  const TreeShape shape = running != nullptr ? running->model().kernels().variant.tree : TreeShape();
  const std::size_t levels = TreeLevels(bodies, shape).rows.size();
  cells.finest = static_cast<std::int64_t>(levels);
  cells.drawable = static_cast<std::int64_t>(cell_levels(bodies, shape).back().number);
  cells.drawn = static_cast<std::int64_t>(chosen_cell_level(look_, bodies, shape));
  if (renderer_)
    for (const CellLevel& level : renderer_->drawn().cells)
      cells.levels.push_back({std::to_string(level.number), color_of_level(level.number, levels)});
}

void NbodyScene::describe_units(NbodySnapshot& nbody) const {
  const NbodySettings& settings = runner_.settings();
  const UnitSystem& units = units_named(settings.units);
  const std::string unnamed = "G = " + brief(gravity_of(settings), 4);
  const auto text = [&](std::string_view unit) { return units.named() ? std::string(unit) : unnamed; };
  nbody.units = {.length = units.named() ? std::string(units.length) : "length units",
                 .time = text(units.time),
                 .speed = text(units.speed),
                 .acceleration = text(units.acceleration),
                 .potential = text(units.potential),
                 .mass = text(units.mass),
                 .energy = text(units.energy),
                 .momentum = text(units.momentum),
                 .angular_momentum = text(units.angular_momentum),
                 .named = units.named()};
  if (!has_date(settings.initial)) return;
  nbody.date = date_text(julian_day(settings.date) + nbody.time * days_of_time_unit(units));
}

void NbodyScene::describe_colors(NbodySnapshot& nbody) const {
  const NbodyLook& look = seen_look();
  ColorScale& colors = nbody.colors;
  colors.by = look.color_by;
  colors.ramp = gradient_ramp(look.palette, ramp_texels);
  const auto& range = held_ ? held_->range : range_.now();
  if (!range) return;
  const bool binary = look.color_by == "depth" || look.color_by == "level";
  const auto told = [&](double log) { return binary ? log / std::numbers::ln2 : std::exp(log); };
  colors.low = told(range->low), colors.high = told(range->high);
  if (look.color_by == "age") colors.low = 0, colors.high = std::abs(nbody.time);
  if (look.color_by != "origin") return;
  const std::vector<BodyPart> known = parts();
  for (std::size_t k = 0; k < known.size(); ++k) {
    const std::size_t texel = (2 * k + 1) * ramp_texels / (2 * known.size());
    const std::uint8_t* rgb = &colors.ramp[3 * texel];
    nbody.parts.push_back({known[k].name, {rgb[0], rgb[1], rgb[2]}});
  }
}

SceneSnapshot NbodyScene::snapshot() const {
  SceneSnapshot snapshot = described();
  const NbodySettings& settings = runner_.settings();
  const InitialInfo* const initial = find_initial(settings.initial);
  snapshot.subject = initial != nullptr ? std::string(initial->title)
                                        : in_words(std::filesystem::path(settings.initial).stem().string());
  const RunningNbody* running = runner_.simulation();
  if (running != nullptr) {
    const NbodyKernels& kernels = running->model().kernels();
    snapshot.work_group = kernels.limits;
    const bool tree = kernels.variant.forces == Forces::tree;
    snapshot.running = {tree ? std::string(tree_kernel) : kernel_name(kernels.variant.precision),
                        tree ? tree_named(kernels.variant) : nbody_named(kernels.variant)};
  }
  if (std::string text = reading(); !text.empty()) {
    snapshot.status = std::move(text);
    if (runner_.can_give_up()) snapshot.cancel_reading = "Keep the earlier bodies";
  }
  snapshot.energy_error = runner_.record().energy_error();
  snapshot.work.smooth_burst = smooth_burst();
  NbodySnapshot nbody;
  nbody.paused = runner_.paused();
  nbody.backwards = settings.dt < 0;
  nbody.individual = takes_individual_steps(settings);
  const Contact contact = contact_of(settings);
  nbody.contacts = {contact != Contact::pass, contact == Contact::bounce, keeps_energy(settings)};
  static const std::string readable = readable_bodies();
  nbody.readable = readable;
  nbody.burst_progress = runner_.burst_progress();
  nbody.steps_per_second = runner_.rate().steps;
  nbody.interactions_per_second = runner_.rate().work;
  runner_.record().describe(nbody);
  if (running != nullptr)
    running->describe(nbody);
  else if (drawn_sketch_)
    nbody.bodies = static_cast<std::int64_t>(sketch_.value()->size());
  if (running == nullptr && nbody.bodies == most_sketched) nbody.bodies = std::max(nbody.bodies, settings.bodies);
  nbody.past = past();
  if (nbody.past.is_near) nbody.time = nbody.past.time;
  describe_units(nbody);
  describe_cells(nbody);
  describe_colors(nbody);
  describe_hands(nbody);
  nbody.followed = describe_followed();
  if (renderer_ && renderer_->drawn().bodies > most_drawn_at_once) nbody.drawn_share = renderer_->drawn_share();
  nbody.picture_height = view_.picture_height();
  snapshot.tune_size = nbody.bodies;
  if (nbody.bodies < fewest_tuned)
    snapshot.untunable = "Tuning needs at least " + std::to_string(fewest_tuned) + " bodies";
  snapshot.panels = std::make_shared<ui::NbodyPanels>(std::move(nbody), ui_);
  snapshot.add_statistics = [bodies = size(), step = runner_.record().diagnostics.step,
                             rate = runner_.rate(RateMeter::longest)](nlohmann::ordered_json& document) {
    document["nbody"] = {
        {"bodies", bodies}, {"step", step}, {"steps_per_second", rate.steps}, {"interactions_per_second", rate.work}};
  };
  return snapshot;
}

// ---- from device to device, and from session to session

ComparisonJob NbodyScene::comparison(const ChangedParameters& changed) const {
  std::array<NbodySettings, 2> settings{runner_.settings(), runner_.settings()};
  std::vector<Parameter> other = parameters(settings[1], true);
  change(other, changed);
  check_variant(settings[1]);
  return [settings, state = runner_.last_state()](const std::array<ProgramLibrary*, 2>& sides,
                                                  const BetweenSlices& between) mutable {
    const Bodies bodies = state ? state->bodies : fresh_bodies(start_of(settings[0], sides[0]->device().info()));
    Comparison result = compare_nbody(sides, settings, bodies, between);
    if (!state) result.work += " from the initial condition";
    for (std::size_t k = 0; k < 2; ++k) {
      std::vector<Parameter> bound = parameters(settings[k], true);
      result.sides[k] = side_text(sides[k]->device().info().name, bound);
    }
    return result;
  };
}

// The initial condition sets some of the defaults. A new scene has the values of its condition.
std::optional<std::pair<NbodySettings, NbodyLook>> NbodyScene::defaults_at_present() const {
  NbodySettings settings;
  const RunningNbody* const running = runner_.simulation();
  if (running == nullptr && runner_.settings().initial != settings.initial) return std::nullopt;
  if (running != nullptr) orrery::take(settings, running->prepared().suggestion, {true, true, true});
  return std::pair(settings, NbodyLook());
}

bool NbodyScene::is_awaited(std::string_view row) const {
  const Unset& unset = runner_.terms();
  return (row == "dt" && unset.dt) || (row == "softening" && unset.softening) || (row == "burst" && unset.burst);
}

void NbodyScene::complete(std::vector<ParameterView>& rows) const {
  const UnitSystem& units = units_named(runner_.settings().units);
  for (ParameterView& row : rows) {
    std::string_view& unit = row.info.unit;
    if (units.named())
      unit = unit == "length" ? units.length : unit == "time" ? units.time : unit == "mass" ? units.mass : unit;
  }
}

std::vector<std::string> NbodyScene::load(const StateSection& state, std::shared_ptr<void> content) {
  approach_.reset();
  NbodyState moment;
  const Loading loading =
      read(state, [&](const std::string& key, const Value& value) { return take_moment_key(moment, key, value); });
  const NbodySettings& settings = loading.settings;
  check_initial(settings.initial, settings.bodies);
  check_variant(settings);
  // The state names a file of bodies by its path, and has an archive's last moment.
  const bool is_archive = !moment.bodies.empty();
  if (content && !is_archive) runner_.record().reading = std::static_pointer_cast<BodyReading>(content);
  const std::shared_ptr<BodyReading> file = moment.bodies.empty() ? read_at_once(settings) : nullptr;
  const auto is_open = [&](bool open, const char* key) { return open && !loading.given.contains(key); };
  const Unset& open = runner_.terms();
  if (file) runner_.record().reading = file;
  runner_.narrow_terms({is_open(open.dt, "dt"), is_open(open.softening, "softening"), is_open(open.burst, "burst")});
  runner_.set(settings, unset_in(state));
  const auto run = is_archive ? std::static_pointer_cast<PastOfDevice>(content) : nullptr;
  if (run)
    runner_.resume(run->past, run->device);
  else if (!moment.bodies.empty())
    runner_.resume(std::move(moment));
  take(loading);
  if (loading.camera) home_units_ = settings.units;
  if (loading.camera) part_ = look_.follow_part;  // starts there, without a glide
  return loading.unknown;
}

}  // namespace orrery
