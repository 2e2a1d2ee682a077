/// One scene: a model, how it is drawn, and its parameters.
///
/// The window thread calls everything here, once a frame in this order: pointer/scroll/apply → update → draw →
/// snapshot, of which a frame without news leaves out the last two. All of this happens without a device, too: a scene
/// shows what it can. Nothing here waits for the device; what takes long (building kernels, making initial conditions)
/// runs on worker threads and is taken over when it is ready.
#pragma once

#include <glm/glm.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "compute/measure/side_by_side.hpp"
#include "compute/program/program.hpp"
#include "interop/surface.hpp"
#include "protocol/command.hpp"
#include "protocol/key_binding.hpp"
#include "protocol/snapshot.hpp"
#include "render/pass_timer.hpp"
#include "scene/compared_parameters.hpp"
#include "scene/leaving.hpp"
#include "scene/news.hpp"
#include "scene/scene_kind.hpp"

namespace orrery {

/// The part of the framebuffer that the picture fills, in pixels, origin bottom left.
struct Viewport {
  glm::ivec2 origin{0, 0};
  glm::ivec2 size{0, 0};
  glm::ivec2 framebuffer{0, 0};
  float scale = 1;                  ///< the display's content scale
  bool kept = false;                ///< the picture is saved: nothing of it is left for later frames
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
  double ahead_seconds = 0.008;   ///< device time that may be in flight, so that the device never waits for a frame
  bool yields = false;            ///< something is being timed on the device: nothing is enqueued that can wait
};

/// Computes a state twice, on these devices; for a worker thread. Throws Error.
using ComparisonJob =
    std::function<Comparison(const std::array<ProgramLibrary*, 2>& sides, const BetweenSlices& between)>;

class Scene {
 public:
  explicit Scene(const SceneKind& kind) : kind_(&kind) {}
  virtual ~Scene() = default;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  const SceneKind& kind() const { return *kind_; }

  virtual void pointer(const PointerEvent&) {}
  virtual void scroll(const ScrollEvent&) {}
  /// Commands that are not this scene's are ignored.
  virtual void apply(const command::Command& command) = 0;

  /// Takes over what is complete and enqueues the next slice. `seconds` is the frame's time, `frame` its length.
  virtual void update(double seconds, double frame, const Viewport& viewport) = 0;
  /// Between two frames, every few milliseconds: enqueues more where the device is about to have nothing to do.
  virtual void feed(double /*seconds*/) {}
  virtual void draw(const Viewport& viewport) = 0;
  /// How another picture than the last one would come about by draw(). Where none would, the window leaves out frames.
  virtual News news(const Viewport&) const { return News::motion; }
  /// draw() shows what the scene is about, and not only a background.
  virtual bool shows_picture() const { return true; }
  /// A picture that needs no device is about to be there.
  virtual bool has_sketch_coming() const { return false; }
  virtual SceneSnapshot snapshot() const = 0;

  /// A move to another device: the scene leaves this one, where everything that holds OpenCL or surface objects is let
  /// go, and is attached to the next, where they are made anew. The state (bodies, time, view) goes along. Never waits.
  virtual void leave(Leaving how) = 0;
  /// leave(Leaving::in_order) has brought the state to the host: the device can be let go without a loss.
  virtual bool left() const { return true; }
  /// `context` stays valid until the device is let go.
  virtual void attach(ComputeContext& context) = 0;
  /// The program ends: files that are being written are given up. Waits for that for seconds at the most, and abandons
  /// it then.
  virtual void give_up_files() {}
  /// A driver's compiler is at work, which nobody can call off; leave() keeps it aside (base/work/abandon).
  virtual bool compiling() const { return false; }
  /// What is being prepared can be given up (command::GiveUpBuilding): there is something that goes on instead.
  virtual bool can_give_up() const { return false; }

  /// Compares the present state, computed as here, with the same where parameters have other values. Throws a usage
  /// Error for parameters that change more than how it is computed, and for values out of their range.
  virtual ComparisonJob comparison(const ChangedParameters&) const {
    throw usage_error(std::string(kind().title) + " has no comparison", {}, "choose another scene");
  }

  /// The keys of save() that a person sets: parameters and laws, but not the view and not the moment. A parameter that
  /// the scene has still to decide is missing, and load() without its key lets the scene decide it.
  virtual StateSection choices() const;
  /// choices() where nothing has been set but the initial condition, or the world.
  virtual StateSection defaults() const { return kind().make(kind())->choices(); }
  /// A guided tour begins from these, with its own keys over them, whatever was done to the scene before.
  virtual StateSection untouched() const {
    StateSection section = kind().make(kind())->choices();
    section.emplace_back("paused", false);
    return section;
  }
  /// The simulation as it was a moment ago, for return_to(); null where there is none, or at its beginning.
  virtual std::shared_ptr<const void> moment() const { return {}; }
  /// Goes back to such a moment of this scene; null: to the beginning.
  virtual void return_to(const std::shared_ptr<const void>&) {}
  /// The keys of save() that tell the view; empty for the first view.
  virtual StateSection view_keys() const { return {}; }

  /// Keys of the view that are options of the window as well, besides the parameters.
  virtual std::vector<ParameterView> view_parameters() const { return {}; }

  /// The keys and values of a state file, flat: parameters first, then what else recreates the session.
  virtual std::vector<std::pair<std::string, Value>> save() const = 0;
  /// The same as they were a moment ago, where that costs nothing now: what it returns may be called on any thread.
  virtual std::function<std::vector<std::pair<std::string, Value>>()> copy() const {
    return [state = save()] { return state; };
  }
  /// It is paused, and in a moment copy() will tell exactly what is shown.
  virtual bool awaits_copy() const { return false; }
  /// What SceneKind::open() has read of the file that load() will name.
  virtual void take_content(std::shared_ptr<void>) {}
  /// Takes over the keys it knows, all or none; returns the unknown ones. Throws a usage Error for bad values.
  virtual std::vector<std::string> load(const std::vector<std::pair<std::string, Value>>& state) = 0;

  /// Adds what is of this scene to the file of --stats.
  virtual void add_statistics(nlohmann::ordered_json&) const {}
  /// What a passing notice should say, once; empty when there is nothing to say.
  std::string take_notice() { return std::exchange(notice_, {}); }

 protected:
  void notify(std::string notice) { notice_ = std::move(notice); }

 private:
  const SceneKind* kind_;
  std::string notice_;
};

inline StateSection Scene::choices() const {
  StateSection section;
  for (const ParameterView& each : snapshot().parameters) section.emplace_back(each.info.name, each.value);
  return section;
}

}  // namespace orrery
