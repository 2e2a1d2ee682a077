/// A scene of a simulation with a camera that orbits a point and may follow an object.
///
/// `Parts` names the types and functions that differ between such scenes:
///   Running    the simulation, as StepRunner runs it; object: what it moves, "body"
///   Look       settings of drawing: color_by, follow, steps_per_second, and parameters(Look&)
///   Picture    the inputs of a picture: camera, look, generation; news_of(picture, drawn)
///   Renderer   draws a Picture; drawn() is the last one
///   Start, Drawn   a simulation's initial state, and its drawing before it runs: size(), published
///   bound(settings, fp64)   the parameters shown for the settings
///   with_moment(section, state)   a state file's section with the keys of the simulation's state
/// Window thread.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/overloaded.hpp"
#include "base/work/background.hpp"
#include "scene/gliding_range.hpp"
#include "scene/orbit_pose.hpp"
#include "scene/orbit_view.hpp"
#include "scene/path_player.hpp"
#include "scene/scene.hpp"
#include "scene/step_runner.hpp"

namespace orrery {

/// Makes a simulation's initial state on a worker thread, so that the window draws it before a device can compute.
/// Equal keys make equal values. Window thread; never waits, but for the destructor.
template <std::equality_comparable Key, class Value>
class Sketch {
 public:
  /// Asks for the value of this key; the earlier value stays until the new one is ready. Failures are ignored here; the
  /// simulation reports them.
  void follow(const Key& key, std::function<Value()> make) {
    if (key_ != key) {
      key_ = key;
      making_.start(std::move(make));
    }
    collect();
  }
  /// The same for a key that changes faster than values are made: each value in work is shown before the next is begun.
  void chase(const Key& key, std::function<Value()> make) {
    collect();
    if (!making_.busy()) follow(key, std::move(make));
  }
  void forget() {
    key_.reset();
    making_.forget();
    value_.reset();
  }
  bool busy() const { return making_.busy(); }
  /// Null while there is none.
  const std::shared_ptr<const Value>& value() const { return value_; }
  /// Counts the values so far.
  std::int64_t serial() const { return serial_; }

 private:
  void collect() {
    try {
      if (auto made = making_.poll()) take(std::make_shared<const Value>(std::move(*made)));
    } catch (...) {  // cancelled, too
      take(nullptr);
    }
  }
  void take(std::shared_ptr<const Value> value) {
    value_ = std::move(value);
    ++serial_;
  }

  std::optional<Key> key_;  // key of the latest value, ready or not
  Background<Value> making_;
  std::shared_ptr<const Value> value_;
  std::int64_t serial_ = 0;
};

template <class Parts>
class OrbitScene : public Scene {
 public:
  using Running = typename Parts::Running;
  using Settings = typename Running::Settings;
  using State = typename Running::State;
  using Look = typename Parts::Look;
  using Picture = typename Parts::Picture;

  void input(const SceneInput& input) override {
    const Camera before = view_.camera();
    std::visit(Overloaded{[&](const PointerEvent& event) { view_.pointer(event); },
                          [&](const ScrollEvent& event) { view_.scroll(event, followed().has_value()); }},
               input);
    if (view_.camera() != before) path_.stop();
  }
  void apply(const command::Command& command) override {
    std::visit(
        Overloaded{
            [&](const command::SetParameter& set) {
              if (path_.leads(set.name)) path_.stop();
              set_parameter(set.name, set.value);
            },
            [&](const command::SetPaused& set) { runner_.pause(set.paused); },
            [&](const command::TogglePaused&) { runner_.pause(!runner_.paused()); },
            [&](const command::StepOnce&) { runner_.step_once(); },
            [&](const command::Reset&) { runner_.restart(); },
            [&](const command::Rewind&) { runner_.rewind(); },
            [&](const command::ReturnTo& to) { runner_.return_to(std::static_pointer_cast<const State>(to.moment)); },
            [&](const command::ResetCamera&) { path_.stop(), follow(nothing), go_home(); },
            [&](const command::FitView&) { path_.stop(), fit_view(); },
            [&](const command::MoveView&) { path_.stop(), notify(view_.toggle_orbit()); },
            [&](const command::ChangePace& pace) { change_pace(pace.faster); },
            [&](const command::SceneCommand& own) {
              std::string said = path_.apply(own, pose_of(view_.camera()), [this] { return table(); });
              if (!said.empty()) notify(std::move(said));
            },
            [&](const command::ReloadKernels&) { runner_.reload(); },
            [&](const command::GiveUpBuilding&) { runner_.give_up(); },
            [](const auto&) {},
        },
        static_cast<const command::AnyCommand&>(command));
    apply_own(command);
  }

  void update(double seconds, double frame, const Viewport& viewport) override {
    view_.fit(viewport);
    begin_frame();
    const std::int64_t before = runner_.moments(), most = viewport.film ? 0 : look_.steps_per_second;
    runner_.space_bursts(most > 0 ? static_cast<double>(runner_.settings().burst) / static_cast<double>(most) : 0);
    runner_.update(seconds, viewport.pictures);
    // In a film, a view moves once per picture.
    if (viewport.film && !runner_.paused()) frame = runner_.moments() == before ? 0 : *viewport.film;
    release_held_picture();
    follow_sketch();
    if (runs() && runner_.generation() != seen_) {
      seen_ = runner_.generation();
      meet_simulation();
    }
    follow_range(seconds);
    view_.orbit(frame);
    move_view(viewport.calm ? std::numeric_limits<double>::infinity() : frame);
    if (viewport.film && runner_.paused()) frame = viewport.pictures > 0 ? *viewport.film : 0;
    if (const auto pose = path_.advance(frame)) {
      view_.lead(placed_at(view_.camera(), *pose));
      for (const auto& [row, value] : path_.values([this] { return table(); })) set_parameter(row, value);
    }
  }
  bool feed(double seconds) override { return runner_.feed(seconds); }
  News news(const Viewport& viewport) const override {
    if (viewport.offline && !runner_.rests()) return News::none;
    return renderer_ ? news_of(picture(viewport), renderer_->drawn()) : News::motion;
  }
  SceneStatus status() const override {
    return {.shows_picture = front() != nullptr,
            .sketch_coming = sketch_.busy(),
            .compiling = runner_.preparing(),
            .can_give_up = runner_.can_give_up(),
            .on_host = runner_.on_host(),
            .awaits_copy = runner_.awaits_backup(),
            .complete = runner_.rests(),
            .stuck = runner_.stuck(),
            .replaced = runner_.fault().replaced,
            .simulation = SceneStatus::Simulation{runner_.moments(), runs() ? runner_.steps() : -1,
                                                  runner_.settings().burst, runner_.paused()},
            .path = path_.status(),
            .moment = runner_.last_state()};
  }

  void attach(ComputeContext& context) override {
    device_ = context.device.info();
    runner_.attach(context);
  }
  bool leave(Leaving how) override {
    if (how == Leaving::files_only) return true;
    runner_.leave(how);
    if (how == Leaving::in_order) return runner_.left();
    renderer_.reset();
    drawn_sketch_.reset();
    drawn_moment_.reset();
    device_.reset();
    return true;
  }

  std::vector<ParameterView> table() const override {
    Settings settings = runner_.settings();
    Look look = look_;
    Camera camera = view_.camera(), home = view_.home();
    const auto brought = defaults_at_present();
    auto [usual, usual_look] = brought.value_or(std::pair(Settings(), Look()));
    std::vector<ParameterView> rows = views(Parts::bound(settings, fp64()), Parts::bound(usual, fp64()));
    std::ranges::move(views(parameters(look), parameters(usual_look)), std::back_inserter(rows));
    PathRows path = path_.rows(), no_path;
    std::ranges::move(views(path_parameters(path), path_parameters(no_path)), std::back_inserter(rows));
    std::ranges::move(views(parameters(camera), parameters(home)), std::back_inserter(rows));
    for (ParameterView& row : rows) {
      if (row.info.place == ParameterPlace::view) row.open = !view_.is_set_up();
      if (!row.info.brought) continue;
      row.open = is_awaited(row.info.name);
      if (!brought) row.usual.reset();
    }
    complete(rows);
    return rows;
  }
  SceneCopy copy() const override {
    StateSection state;
    for (ParameterView& each : table())
      if (!each.open) state.emplace_back(each.info.name, std::move(each.value));
    state.emplace_back("paused", runner_.paused());
    return [state = std::move(state), moment = runner_.last_state()] { return Parts::with_moment(state, moment); };
  }

 protected:
  static constexpr std::int64_t nothing = -1;  // no object is followed

  OrbitScene(const SceneKind& kind, float click_reach) : Scene(kind), runner_(Settings()), view_(click_reach) {}

  // ---- parts that each scene adds

  /// Receives every command; handles those of this scene alone.
  virtual void apply_own(const command::Command& command) = 0;
  /// Handles a setting chosen by a person: `settings` are the present ones with it.
  virtual void choose(const std::string& name, Settings settings) = 0;
  /// The same for a row that complete() has added.
  virtual void choose_own(const std::string&, const Value&) {}
  /// The settings and the look for reset; nothing while the initial state's values are unknown.
  virtual std::optional<std::pair<Settings, Look>> defaults_at_present() const = 0;
  /// True while the initial state that will decide this row's value is not ready.
  virtual bool is_awaited(std::string_view row) const = 0;
  /// Adds rows of the scene's own.
  virtual void complete(std::vector<ParameterView>& rows) const = 0;
  virtual void begin_frame() = 0;
  virtual void ask_for_sketch() = 0;
  virtual void meet_sketch() = 0;
  virtual void meet_simulation() = 0;
  virtual void move_view(double frame) = 0;
  virtual void go_home() = 0;
  /// Continues the simulation that was being replaced, as this picture shows it.
  virtual void return_from(const Picture& before) = 0;
  virtual Picture picture(const Viewport& viewport) const = 0;
  /// The range of the quantity that colours the objects, and the tolerance for reaching it.
  struct WantedRange {
    PaletteRange range;
    double close = 1e-3;
  };
  virtual std::optional<WantedRange> wanted_range() const = 0;

  // ---- shared parts

  bool fp64() const { return !device_ || device_->fp64; }
  std::optional<std::uint32_t> followed() const {
    if (look_.follow == nothing) return std::nullopt;
    return static_cast<std::uint32_t>(look_.follow);
  }
  virtual void follow(std::int64_t object) {
    look_.follow = object;
    object == nothing ? view_.release() : view_.follow();
  }
  /// The number of objects; 0 while nothing runs.
  std::int64_t size() const {
    const Running* running = runner_.simulation();
    return running != nullptr ? static_cast<std::int64_t>(running->size()) : 0;
  }
  /// True once the simulation's objects have been published.
  bool runs() const {
    const Running* running = runner_.simulation();
    return running != nullptr && running->front() != nullptr;
  }
  /// Null before the objects are known.
  Surface* front() const {
    if (drawn_moment_) return drawn_moment_->surface.get();
    if (runs()) return runner_.simulation()->front();
    return drawn_sketch_ ? drawn_sketch_->surface.get() : nullptr;
  }
  /// The look in use now.
  const Look& seen_look() const { return held_ ? held_->look : look_; }

  void set_parameter(const std::string& name, const Value& value) {
    Camera camera = view_.camera();
    std::vector<Parameter> of_camera = parameters(camera);
    if (Parameter* parameter = find(of_camera, name)) {
      parameter->assign(value);
      path_.stop();
      return view_.place(camera);
    }
    PathRows path = path_.rows();
    std::vector<Parameter> of_path = path_parameters(path);
    Look look = look_;
    std::vector<Parameter> of_look = parameters(look);
    Settings settings = runner_.settings();
    std::vector<Parameter> list = parameters(settings, fp64());
    if (Parameter* parameter = find(of_path, name)) {
      parameter->assign(value);
      keyframes::check<OrbitPose>(path, joined({list, of_look}));
      return path_.set(path);
    }
    if (Parameter* parameter = find(of_look, name)) return parameter->assign(value), take_look(look);
    Parameter* parameter = find(list, name);
    if (parameter == nullptr) return choose_own(name, value);
    parameter->assign(value);
    choose(name, std::move(settings));
  }

  SceneSnapshot described() const {
    SceneSnapshot snapshot;
    snapshot.name = kind().name;
    snapshot.parameters = table();
    snapshot.status = runner_.status();
    snapshot.work = runner_.work();
    snapshot.path = path_.view();
    snapshot.fault = runner_.fault().text;
    snapshot.fault_title = runner_.fault().title;
    snapshot.fault_log = runner_.fault().log;
    snapshot.can_rewind = runner_.diverged();
    snapshot.bytes_copied = bytes_copied_;
    return snapshot;
  }

  /// The part of a state file's section that all such scenes read.
  struct Loading {
    Settings settings;
    Look look;
    keyframes::PathRows path;
    std::optional<Camera> camera = {};
    bool paused = false;
    std::map<std::string, Value, std::less<>> given = {}, given_look = {};
    std::vector<std::string> unknown = {};
  };
  /// `take_own` takes a key of the scene's own: false for any other. Throws a usage Error for a bad value.
  Loading read(const StateSection& state,
               const std::function<bool(const std::string& key, const Value& value)>& take_own) const {
    Loading loading{.settings = runner_.settings(), .look = look_, .path = path_.rows(), .paused = runner_.paused()};
    Camera camera = view_.camera();
    std::vector<Parameter> settings = parameters(loading.settings, true), look = parameters(loading.look),
                           of_camera = parameters(camera), of_path = path_parameters(loading.path);
    for (const auto& [key, value] : state) {
      if (Parameter* parameter = find(settings, key)) {
        parameter->assign(value);
        loading.given[key] = parameter->value();
      } else if (Parameter* seen = find(look, key)) {
        seen->assign(value);
        loading.given_look[key] = seen->value();
      } else if (Parameter* place = find(of_camera, key)) {
        place->assign(value);
        loading.camera = camera;
      } else if (Parameter* led = find(of_path, key)) {
        led->assign(value);
      } else if (key == "paused" && std::holds_alternative<bool>(value)) {
        loading.paused = std::get<bool>(value);
      } else if (!take_own(key, value)) {
        loading.unknown.push_back(key);
      }
    }
    keyframes::check<OrbitPose>(loading.path, joined({settings, look}));
    return loading;
  }
  /// Takes everything but the settings, which the runner has.
  void take(const Loading& loading) {
    const bool follows_other = loading.look.follow != look_.follow;
    runner_.pause(loading.paused);
    if (runs() && renderer_ && !held_ && runner_.replacing()) held_ = renderer_->drawn();
    if (loading.look.color_by != look_.color_by) range_.reset();
    look_ = loading.look;
    path_.set(loading.path);
    if (loading.camera) path_.stop();
    if (loading.camera) view_.place(*loading.camera);
    if (follows_other && !loading.camera) follow(look_.follow);
  }

  struct DrawnSketch {
    std::int64_t serial = 0;
    std::unique_ptr<Surface> surface;
  };

  StepRunner<Running> runner_;
  Look look_;
  OrbitView view_;
  keyframes::PathPlayer<OrbitPose> path_;
  std::int64_t seen_ = 0;                                        // generation of objects
  Sketch<typename Parts::Start, typename Parts::Drawn> sketch_;  // drawn until objects are published
  std::optional<DrawnSketch> drawn_sketch_;                      // surface of `sketch_`
  std::optional<DrawnSketch> drawn_moment_;                      // a kept moment, drawn instead of the simulation
  GlidingRange range_;                                           // range of the palette
  std::optional<Picture> held_;       // its look and camera are used until new objects arrive
  std::optional<DeviceInfo> device_;  // attached device
  std::size_t bytes_copied_ = 0;
  std::unique_ptr<typename Parts::Renderer> renderer_;

 private:
  using PathRows = keyframes::PathRows;
  static std::vector<Parameter> path_parameters(PathRows& rows) { return keyframes::parameters<OrbitPose>(rows); }

  void change_pace(bool faster) {
    Settings settings = runner_.settings();
    std::vector<Parameter> rows = parameters(settings, fp64());
    const ParameterInfo& burst = find(rows, "burst")->info();
    const SeenPace now{look_.steps_per_second, settings.burst};
    const double rate = runner_.paused() ? 0 : runner_.rate().steps;
    const SeenPace next = changed_pace(now, faster, rate, static_cast<std::int64_t>(burst.maximum));
    if (next.burst != now.burst) set_parameter("burst", next.burst);
    if (next.steps_per_second != now.steps_per_second) set_parameter("steps-per-second", next.steps_per_second);
    notify(text_of(next, next == now));
  }

  void take_look(const Look& look) {
    if (size() > 0 && look.follow >= size())
      throw usage_error(
          "--follow", std::to_string(look.follow),
          "a whole number from -1 to " + std::to_string(size() - 1) + " (the last " + std::string(Parts::object) + ")");
    if (look.color_by != look_.color_by) range_.reset();
    const bool other = look.follow != look_.follow;
    look_ = look;
    if (other) follow(look.follow);
  }

  // The last state is at most seconds old; before the first one, the start camera sees all objects.
  void fit_view() {
    constexpr std::size_t most_places = 100000;
    std::vector<glm::dvec3> places;
    if (const auto state = runner_.last_state()) {
      const std::size_t count = Parts::count(*state);
      for (std::size_t i = 0; i < count; i += count / most_places + 1) places.push_back(Parts::place(*state, i));
    }
    follow(nothing);
    places.empty() ? go_home() : view_.fit_to(std::move(places));
  }

  // A failed preparation changes no picture.
  void release_held_picture() {
    if (!held_ || runner_.replacing()) return;
    const auto before = std::exchange(held_, std::nullopt);
    if (runner_.simulation() == nullptr || runner_.generation() != before->generation) return;
    look_ = before->look;
    view_.place(before->camera);
    return_from(*before);
  }

  // Shows objects before the device search and the build of kernels, which take long, have ended.
  void follow_sketch() {
    if (runs()) {
      sketch_.forget();
      return drawn_sketch_.reset();
    }
    ask_for_sketch();
    const auto* made = sketch_.value().get();
    if (made == nullptr || made->size() == 0) return drawn_sketch_.reset();
    if (drawn_sketch_ && drawn_sketch_->serial == sketch_.serial()) return;
    const std::size_t bytes = made->published.size() * sizeof made->published.front();
    drawn_sketch_ = {sketch_.serial(), std::make_unique<UploadedSurface>(made->published.data(), bytes)};
    meet_sketch();
  }

  void follow_range(double seconds) {
    if (front() == nullptr) return;
    if (const auto wanted = wanted_range())
      range_.follow(wanted->range, {runner_.published(), seconds}, runner_.paused(), wanted->close);
  }
};

}  // namespace orrery
