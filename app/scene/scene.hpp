/// One scene: a model, how it is drawn, and its parameters.
///
/// The window thread calls everything here, once a frame in this order: input/apply → update → draw →
/// snapshot, of which a frame without news leaves out the last two. All of this happens without a device, too: a scene
/// shows what it can. Nothing here waits for the device; what takes long (building kernels, making initial conditions)
/// runs on worker threads and is taken over when it is ready.
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
  bool kept = false;                ///< the picture is saved: nothing of it is left for later frames
  bool offline = false;             ///< time stands still until a picture is complete: nothing in it is under way
  bool calm = false;                ///< a person wants less motion: views are where they go at once
  std::optional<double> film = {};  ///< one is recorded of which a picture lasts so many seconds
  int pictures = all_pictures;      ///< so many of a simulation's may come to the front in this frame
  gl::PassTimer* passes = nullptr;  ///< of the frame; null where nobody times it

  /// What is drawn from now on is the pass of that name.
  void begin_pass(std::string_view name) const {
    if (passes != nullptr) passes->next(name);
  }
};

enum class PointerButton { left, middle, right };

/// Positions are pixels in the viewport, origin top left, y down.
struct PointerEvent {
  enum class Kind { press, release, move, double_click };
  Kind kind;
  PointerButton button = PointerButton::left;  ///< of press, release and double_click
  glm::vec2 position{0, 0};
  bool left_down = false, middle_down = false, right_down = false;
  bool shift = false, control = false, alt = false;
  Key held = Key::none;  ///< the letter that was held at the last press or release of a button
};

struct ScrollEvent {
  glm::vec2 position{0, 0};
  double steps = 0;  ///< wheel clicks, positive away from the user
  bool shift = false, control = false;
};

/// What a scene computes on. Lives longer than the scenes that use it.
struct ComputeContext {
  Device& device;
  Queue& queue;  ///< for the window thread alone
  ProgramLibrary& programs;
  SurfaceFactory& surfaces;
  /// Of every device that computes together; the first one's, `programs`, first.
  std::span<ProgramLibrary* const> members;
  double slice_seconds = 0.008;   ///< device time that a frame may enqueue now, where one slice is in flight at a time
  double launch_seconds = 0.008;  ///< of a launch that drawing does not feel, where many are in flight
  double uneven_seconds = 0.008;  ///< of a launch whose end leaves most of the device empty, because its groups differ
  double ahead_seconds = 0.008;   ///< device time that may be in flight, so that the device never waits for a frame
  bool yields = false;            ///< something is being timed on the device: nothing is enqueued that can wait
};

/// A movement of the hand: the pointer or the wheel acts on the picture.
using SceneInput = std::variant<PointerEvent, ScrollEvent>;

/// A scene answers these questions of the frame loop before it draws.
struct SceneStatus {
  bool shows_picture = true;   ///< draw() shows what the scene is about, and not only a background
  bool sketch_coming = false;  ///< a picture that needs no device is about to be there
  bool compiling = false;      ///< a driver's compiler is at work, which cannot be called off; leave() keeps it aside
  bool can_give_up = false;    ///< something goes on instead of what is being prepared (command::GiveUpBuilding)
  bool on_host = true;         ///< copy() tells the present state
  bool awaits_copy = false;    ///< it is paused, and in a moment copy() will tell exactly what is shown
  bool shows_earlier = false;  ///< draw() shows a picture of an earlier state until there is one of the present
  bool in_hand = false;        ///< command::Escape ends what a person does in the picture
  bool shows_refused = false;  ///< a text that was refused is shown, until load()
  bool complete = true;        ///< while its time stands still, draw() will never show more than it does now
  bool stuck = false;          ///< it will not be complete by itself: SceneSnapshot::fault tells why
  bool replaced = false;       ///< it is not what was asked for: likewise
  struct Simulation {
    std::int64_t pictures = 0;  ///< of other moments that have come to the front, one for each burst
    std::int64_t steps = 0;     ///< from the beginning to what is shown; −1 before it runs
    std::int64_t burst = 1;
    bool paused = false;
    bool edited = false;  ///< by hand on the way there: from the beginning, another run would come about
  };
  std::optional<Simulation> simulation = {};  ///< none: the scene is not about one
  /// The scene's camera path.
  struct Path {
    double length = 0, at = 0;  ///< seconds: of all of it, and of the camera's place on it
    bool playing = false;
  };
  std::optional<Path> path = {};  ///< none: it has no keyframes
  /// The simulation as it was a moment ago, for command::ReturnTo; null where there is none, or at its beginning.
  std::shared_ptr<const void> moment = {};
};

/// A change of a simulation's state by hand, in the picture, which undo takes back: to the moment before it.
struct StateEdit {
  std::string text;                           ///< "Add a body"
  std::shared_ptr<const void> before, after;  ///< moments for command::ReturnTo; null until the change is made
  std::size_t bytes = 0;                      ///< of both
  bool dropped = false;                       ///< the change was not made after all
  bool known() const { return dropped || before != nullptr; }
};

/// A state that may be told on any thread.
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
  /// Takes over what is complete and enqueues the next slice. `seconds` is the frame's time, `frame` its length.
  virtual void update(double seconds, double frame, const Viewport& viewport) = 0;
  /// Between two frames, every few milliseconds: enqueues more where the device is about to have nothing to do. False
  /// where nothing is computed, and there is nothing to feed before the next frame.
  virtual bool feed(double /*seconds*/) { return false; }
  virtual void draw(const Viewport& viewport) = 0;
  /// How another picture than the last one would come about by draw(). Where none would, the window leaves out frames.
  virtual News news(const Viewport&) const { return News::motion; }
  virtual SceneStatus status() const { return {}; }
  virtual SceneSnapshot snapshot() const = 0;

  // ---- from device to device

  /// `context` stays valid until the device is let go.
  virtual void attach(ComputeContext& context) = 0;
  /// The scene leaves its device, where everything that holds OpenCL or surface objects is let go, and is attached to
  /// the next, where they are made anew; the state (bodies, time, view) goes along. Never waits, except for files that
  /// are given up at the end. True once the state is on the host: the device can be let go without a loss.
  virtual bool leave(Leaving how) = 0;

  // ---- what a person sets, and what is kept

  /// Everything that a person can set here, each declared once: widgets, options, keys in files, undo, reset and the
  /// search follow from it.
  virtual std::vector<ParameterView> table() const = 0;
  /// The keys and values of a state file, flat: the parameters first, then what else recreates the session, as they
  /// were a moment ago, where that costs nothing now.
  virtual SceneCopy copy() const = 0;
  /// Takes over the keys it knows, all or none; returns the unknown ones. `content` is what SceneKind::open() has read
  /// of the file that the keys name, or null. Throws a usage Error for bad values.
  virtual std::vector<std::string> load(const StateSection& state, std::shared_ptr<void> content = {}) = 0;

  StateSection save() const { return copy()(); }
  /// The parameters but the view; one that the scene has still to decide is missing, and load() without its key lets
  /// the scene decide it.
  StateSection choices() const;
  /// Their defaults.
  StateSection defaults() const;
  /// The view; empty for the first view.
  StateSection view_keys() const;
  /// A guided tour begins from these, with its own keys over them, whatever was done to the scene before.
  StateSection untouched() const;

  /// A change by hand that a person has just made, once; null where there is none.
  virtual std::shared_ptr<const StateEdit> take_edit() { return {}; }
  /// What a passing notice should say, once; empty when there is nothing to say.
  std::string take_notice() { return std::exchange(notice_, {}); }

 protected:
  void notify(std::string notice) { notice_ = std::move(notice); }

 private:
  const SceneKind* kind_;
  std::string notice_;
};

}  // namespace orrery
