/// One scene: a model, how it is drawn, and its parameters.
///
/// The window thread calls everything here, once a frame in this order: input/apply → update → draw →
/// snapshot, where a frame without news omits the last two. This also happens without a device; the scene then shows as
/// much as it can. Nothing here waits for the device; long work (building kernels, making initial conditions) runs on
/// worker threads and is taken over when it is ready.
#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compute/program/program.hpp"
#include "interop/surface.hpp"
#include "protocol/command.hpp"
#include "protocol/key_binding.hpp"
#include "protocol/snapshot.hpp"
#include "render/pass_timer.hpp"
#include "scene/leaving.hpp"
#include "scene/news.hpp"
#include "scene/scene_kind.hpp"

namespace orrery {

/// The part of the framebuffer that the picture fills, in pixels, origin bottom left.
struct Viewport {
  glm::ivec2 origin{0, 0};
  glm::ivec2 size{0, 0};
  glm::ivec2 framebuffer{0, 0};
  unsigned target = 0;              ///< OpenGL's name of the framebuffer; 0: the window's
  float scale = 1;                  ///< the display's content scale
  bool kept = false;                ///< the picture is saved: it must be complete in this frame
  bool offline = false;             ///< time stands still until the picture is complete
  bool calm = false;                ///< reduced motion: views jump to their targets
  std::optional<double> film = {};  ///< seconds per picture of the film being recorded
  int pictures = all_pictures;      ///< most pictures of a simulation to show in this frame
  gl::PassTimer* passes = nullptr;  ///< the frame's timer; null: not timed

  /// Begins the pass of that name.
  void begin_pass(std::string_view name) const {
    if (passes != nullptr) passes->next(name);
  }
};

enum class PointerButton { left, middle, right };

/// Positions are pixels in the viewport, origin top left, y down.
struct PointerEvent {
  enum class Kind { press, release, move, double_click };
  Kind kind;
  PointerButton button = PointerButton::left;  ///< for press, release and double_click
  glm::vec2 position{0, 0};
  bool left_down = false, middle_down = false, right_down = false;
  bool shift = false, control = false, alt = false;
  Key held = Key::none;  ///< letter held at the last press or release of a button
};

struct ScrollEvent {
  glm::vec2 position{0, 0};
  double steps = 0;  ///< wheel clicks, positive away from the user
  bool shift = false, control = false;
};

/// The devices and queues that a scene computes on. Outlives the scenes that use it.
struct ComputeContext {
  Device& device;
  Queue& queue;  ///< used by the window thread alone
  ProgramLibrary& programs;
  SurfaceFactory& surfaces;
  /// The libraries of all devices that compute together; `programs` is the first.
  std::span<ProgramLibrary* const> members;
  double slice_seconds = 0.008;   ///< device time a frame may enqueue when one slice is in flight
  double launch_seconds = 0.008;  ///< device time per launch that does not disturb drawing
  double uneven_seconds = 0.008;  ///< likewise, for work-groups of unequal duration
  double ahead_seconds = 0.008;   ///< device time in flight that keeps the device busy between frames
  bool yields = false;            ///< a measurement runs: deferrable work is not enqueued
};

/// An input event of the pointer or the wheel in the picture.
using SceneInput = std::variant<PointerEvent, ScrollEvent>;

/// State of a scene that the frame loop reads before drawing.
struct SceneStatus {
  bool shows_picture = true;   ///< draw() shows more than a background
  bool sketch_coming = false;  ///< a picture that needs no device will follow soon
  bool compiling = false;      ///< a driver's compiler runs and cannot be cancelled; leave() sets it aside
  bool can_give_up = false;    ///< the preparation can be cancelled (command::GiveUpBuilding)
  bool on_host = true;         ///< copy() has the present state
  bool awaits_copy = false;    ///< it is paused, and copy() will soon have exactly the shown state
  bool shows_earlier = false;  ///< draw() shows an earlier state until the present one is ready
  bool in_hand = false;        ///< command::Escape ends an interaction in the picture
  bool shows_refused = false;  ///< a text that was refused is shown, until load()
  bool complete = true;        ///< draw() shows all there is at the present time
  bool stuck = false;          ///< it cannot become complete by itself; reason: SceneSnapshot::fault
  bool replaced = false;       ///< it differs from the request; reason: SceneSnapshot::fault
  struct Simulation {
    std::int64_t pictures = 0;  ///< pictures of new moments shown, one per burst
    std::int64_t steps = 0;     ///< steps from the beginning to the picture; −1 before it runs
    std::int64_t burst = 1;
    bool paused = false;
    bool edited = false;  ///< changed by hand: a run from the beginning would differ
  };
  std::optional<Simulation> simulation = {};  ///< none: the scene has no simulation
  /// The scene's camera path.
  struct Path {
    double length = 0, at = 0;  ///< seconds: the whole path, and the camera's position
    bool playing = false;
  };
  std::optional<Path> path = {};  ///< none: it has no keyframes
  /// A recent moment of the simulation, for command::ReturnTo; null at the beginning or without a simulation.
  std::shared_ptr<const void> moment = {};
};

/// A change of a simulation's state by hand, in the picture; undo returns to the moment before it.
struct StateEdit {
  std::string text;                           ///< "Add a body"
  std::shared_ptr<const void> before, after;  ///< moments for command::ReturnTo; null until the change is made
  std::size_t bytes = 0;                      ///< size of both moments
  bool dropped = false;                       ///< the change was cancelled
  bool known() const { return dropped || before != nullptr; }
};

/// A copy of a state, callable on any thread.
using SceneCopy = std::function<StateSection()>;

class Scene {
 public:
  explicit Scene(const SceneKind& kind) : kind_(&kind) {}
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const SceneKind& kind() const { return *kind_; }

  // ---- a frame

  virtual void input(const SceneInput&) {}
  /// Commands that are not this scene's are ignored.
  virtual void apply(const command::Command& command) = 0;
  /// Takes over completed work and enqueues the next slice. `seconds` is the frame's time, `frame` its length.
  virtual void update(double seconds, double frame, const Viewport& viewport) = 0;
  /// Called every few milliseconds between frames: enqueues more work if the device is about to idle. False: no more
  /// calls are needed before the next frame.
  virtual bool feed(double /*seconds*/) { return false; }
  virtual void draw(const Viewport& viewport) = 0;
  /// How draw() would differ from the last picture. Without a difference, the window leaves out frames.
  virtual News news(const Viewport&) const { return News::motion; }
  virtual SceneStatus status() const { return {}; }
  virtual SceneSnapshot snapshot() const = 0;

  // ---- change of device

  /// `context` stays valid until leave().
  virtual void attach(ComputeContext& context) = 0;
  /// Releases all OpenCL and surface objects; attach() makes them anew on the next device. The state (bodies, time,
  /// view) is kept. Waits only for files that are cancelled at exit. True once the state is on the host and the device
  /// can be released without loss.
  virtual bool leave(Leaving how) = 0;

  // ---- parameters and saved state

  /// All parameters, each declared once: widgets, options, keys in files, undo, reset and the search follow from it.
  virtual std::vector<ParameterView> table() const = 0;
  /// The keys and values of a state file, flat: the parameters first, then other keys that recreate the session. They
  /// may be slightly old if fresh ones would cost time.
  virtual SceneCopy copy() const = 0;
  /// Applies the known keys, all or none; returns the unknown ones. `content` comes from SceneKind::open() for the file
  /// that the keys name, or is null. Throws a usage Error for bad values.
  virtual std::vector<std::string> load(const StateSection& state, std::shared_ptr<void> content = {}) = 0;

  StateSection save() const { return copy()(); }
  /// The parameters without the view. A parameter that the scene will decide is missing; load() without its key leaves
  /// the decision to the scene.
  StateSection choices() const;
  /// Defaults of choices().
  StateSection defaults() const;
  /// Keys of the view; empty for the first view.
  StateSection view_keys() const;
  /// Keys of an unchanged scene; a guided tour begins from them, with its own keys over them.
  StateSection untouched() const;

  /// The newest change by hand, returned once; null: none.
  virtual std::shared_ptr<const StateEdit> take_edit() { return {}; }
  /// The text of a passing notice, returned once; empty: none.
  std::string take_notice() { return std::exchange(notice_, {}); }

 protected:
  void notify(std::string notice) { notice_ = std::move(notice); }

 private:
  const SceneKind* kind_;
  std::string notice_;
};

}  // namespace orrery
