/// Guided tours: captions, each beside a state of the scenes. Plain values; any thread.
///
///     title = "…"  about = "…"
///     [[step]]        caption = "…"  scene = "nbody"  seconds = 20  restart = true  look_at = "Simulation/Steps/s"
///     [step.nbody]    keys of a state file: those that change
///
/// A step's state is that of the steps before it, and its own keys over it. `scene` is that of the step before unless
/// it is given; with `seconds` the tour goes on by itself after so long without input.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/files/state_text.hpp"
#include "protocol/snapshot.hpp"
#include "scene/scene.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::shell {

struct TourStep {
  std::string caption, scene;
  StateTables state;  ///< of the scenes
  double seconds = 0;
  bool restart = false;  ///< the scene begins again
  std::string look_at;   ///< a control, or the title of a section
};

struct Tour {
  std::string title, about;
  std::vector<TourStep> steps;
};

/// Tries each step in scenes of its own. Throws a usage Error with file, line and column: also for a key that its scene
/// does not know, and for a value that it refuses. `file` stands for the text in messages.
Tour parse_tour(SceneKinds kinds, const std::string& text, const std::string& file);
Tour read_tour(SceneKinds kinds, const std::filesystem::path& path);

/// The tour's first step, over the defaults of all scenes that the tour changes, whose cameras go home.
TourStep beginning_of(const Tour& tour, const std::vector<std::unique_ptr<Scene>>& scenes);

/// The tours of assets/tours, in the order of their files; one that cannot be read is left out.
std::vector<TourEntry> known_tours();
/// The file of a tour's name or path. Throws a usage Error that lists the names.
std::filesystem::path find_tour(const std::string& name_or_path);

/// The tour that is shown: its present step, and what was shown before it. Window thread.
class TourGuide {
 public:
  /// The session before a tour; what makes the state may be called once, later.
  struct Before {
    std::function<StateTables()> state;
    std::string scene;
  };

  /// From its first step on. A tour that begins during another keeps what was before that one.
  void begin(Tour tour, Before before, double now);
  /// The step to go to, so many from here; null where there is none, or no tour.
  const TourStep* go(int direction, double now);
  /// Something was pressed or moved: the time of the step begins again.
  void touched(double now);
  /// The step's time is over.
  bool due(double now) const;
  void close();
  /// What was shown before, of the scenes that the tour has changed; the offer ends.
  std::optional<std::pair<StateTables, std::string>> leave(bool back);

  bool shows() const { return std::holds_alternative<Walk>(phase_); }
  bool offers() const { return std::holds_alternative<Left>(phase_); }
  TourSnapshot snapshot(double now) const;

 private:
  struct Walk {
    Tour tour;
    Before before;
    std::size_t at = 0;
    double since = 0;  ///< seconds; the step's beginning, or the last input in it
  };
  struct Left {
    Before before;
    StateTables changed;  ///< the tour's last state
  };
  std::variant<std::monostate, Walk, Left> phase_;
};

}  // namespace orrery::shell
