/// Guided tours: captions, each beside a state of the scenes. Plain values; any thread.
///
///     title = "…"  about = "…"
///     [[step]]        caption = "…"  scene = "nbody"  seconds = 20  restart = true  look_at = "Simulation/Steps/s"
///     [step.nbody]    changed keys of a state file
///
/// A step's state is the previous step's with its own keys over it. `scene` defaults to the previous step's; `seconds`
/// without input lead to the next step.
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
  StateTables state;  ///< state of the scenes
  double seconds = 0;
  bool restart = false;  ///< the scene restarts
  std::string look_at;   ///< a control, or the title of a section
};

struct Tour {
  std::string title, about;
  std::vector<TourStep> steps;
};

/// Tries each step in temporary scenes. Throws a usage Error with file, line and column, also for unknown keys and
/// refused values. `file` stands for the text in messages.
Tour parse_tour(SceneKinds kinds, const std::string& text, const std::string& file);
Tour read_tour(SceneKinds kinds, const std::filesystem::path& path);

/// The tour's first step, over the defaults of all scenes that the tour changes; their cameras are reset.
TourStep beginning_of(const Tour& tour, const std::vector<std::unique_ptr<Scene>>& scenes);

/// The tours of assets/tours, in the order of their files; unreadable ones are skipped.
std::vector<TourEntry> known_tours();
/// The file of a tour's name or path. Throws a usage Error that lists the names.
std::filesystem::path find_tour(const std::string& name_or_path);

/// The running tour: its present step, and the state from before it. Window thread.
class TourGuide {
 public:
  /// The session before a tour; its state is made later, at most once.
  struct Before {
    std::function<StateTables()> state;
    std::string scene;
  };

  /// Begins a tour at its first step. A tour begun during another keeps the state from before that one.
  void begin(Tour tour, Before before, double now);
  /// Moves by `direction` steps and returns the new step; null: no such step, or no tour.
  const TourStep* go(int direction, double now);
  /// Restarts the step's time after input.
  void touched(double now);
  /// True when the step's time is over.
  bool due(double now) const;
  void close();
  /// Ends the offer; with `back`, returns the previous state of the scenes that the tour has changed.
  std::optional<std::pair<StateTables, std::string>> leave(bool back);

  bool shows() const { return std::holds_alternative<Walk>(phase_); }
  bool offers() const { return std::holds_alternative<Left>(phase_); }
  TourSnapshot snapshot(double now) const;

 private:
  struct Walk {
    Tour tour;
    Before before;
    std::size_t at = 0;
    double since = 0;  ///< seconds; start of the step, or its last input
  };
  struct Left {
    Before before;
    StateTables changed;  ///< the tour's last state
  };
  std::variant<std::monostate, Walk, Left> phase_;
};

}  // namespace orrery::shell
