/// Undo and redo: one history per scene, of all changes by a person to the scene and its device. The opening of a file
/// is a step of the scene that the file shows.
///
/// A step is the difference of two sections of the state text, so that every kind of change has the same history:
/// parameters, laws, palettes and devices. Window thread.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/state_text.hpp"
#include "shell/devices/device_session.hpp"
#include "shell/window/notices.hpp"

namespace orrery::shell {

/// The values of one key. No value: the scene decides.
struct Change {
  std::string key;
  std::optional<Value> before, after;
  bool operator==(const Change&) const = default;
};
std::vector<Change> changes_between(const StateSection& before, const StateSection& after);

/// The opening of a file: the window's state before and after.
struct Opening {
  struct Side {
    std::string scene;  ///< shown scene
    StateSource state;  ///< state of the scenes that the file changed
  };
  std::string name;  ///< name of the file
  Side before, after;
};

struct EditStep {
  std::vector<Change> changes;
  std::shared_ptr<const Opening> opening = {};  ///< the step is this opening, without changes; null: no
  std::shared_ptr<const StateEdit> edit = {};   ///< the step is this change by hand; null: no
  /// The simulation's moment and relative energy error before the step. Only the last step has the moment.
  std::shared_ptr<const void> moment = {};
  double energy_error = 0;
  bool watched = true;  ///< a person has not confirmed the change
};

enum class EditDirection { undo, redo };
/// Returns `present` with the step's old or new values.
StateSection with_step(StateSection present, const EditStep& step, EditDirection direction);

/// The steps of one scene. A plain value.
class EditHistory {
 public:
  static constexpr std::size_t most_steps = 200;
  static constexpr std::size_t most_openings = 8;                  // each keeps a state, perhaps of millions of bodies
  static constexpr std::size_t most_bytes = std::size_t{1} << 29;  // of moments of edits; the last is always kept

  /// Adds the difference, if any, and then clears redo. While a slider or text field is held, differences continue the
  /// same step. With `refused` (the scene has reverted a value of the last step), so do differences from that value.
  /// Returns whether a new step has begun.
  bool note(const StateSection& before, const StateSection& after, bool held, bool refused = false);
  /// Adds a step.
  void add(EditStep step);
  /// Clears redo.
  void forget_undone() { steps_.resize(done_); }
  /// Ends holding: the next difference is a new step.
  void let_go() { open_ = false; }

  /// The step for undo or redo; null: none.
  const EditStep* next(EditDirection direction) const;
  /// Marks that step as undone or redone.
  void take(EditDirection direction);
  /// The last step, unless undone; null: none.
  EditStep* last();

 private:
  std::deque<EditStep> steps_;
  std::size_t done_ = 0;  // number of steps not undone
  bool open_ = false;     // the last step may continue

  /// Moves changes that continue the last step into it.
  void continue_with(std::vector<Change>& changes, const std::function<bool(const Change&, const Change&)>& continues);
};

/// The step in that direction as text: "Time step: 0.01 → 0.336".
std::string step_text(const EditStep& step, EditDirection direction, std::span<const ParameterView> parameters);

class Edits {
 public:
  /// The arguments must outlive this object.
  Edits(DeviceSession& devices, Notices& notices) : devices_(devices), notices_(notices) {}

  /// Makes a change and notes its difference to the scene. `held` as in EditHistory::note().
  void make(Scene& scene, bool held, const std::function<void()>& change);
  /// Called each frame; `held`: a control in a panel is still held.
  void follow(bool held);
  /// Notes a change by hand of the scene's state.
  void note_edit(const Scene& scene, std::shared_ptr<const StateEdit> edit);
  /// True while the step is an unfinished change by hand, which can be undone soon.
  bool awaits(const Scene& scene, EditDirection direction);
  /// Notes that a file is about to be loaded.
  void note_opening(const Scene& scene, Opening opening);
  /// Notes an opened preset: its values count as unchanged while its subject is shown.
  void begin_from(const Scene& scene, const StateSection& preset);
  /// Replaces the scene's defaults by the preset's values.
  void mark_usual(SceneSnapshot& scene) const;
  /// These four throw Scene::load's exceptions and then change nothing. For the opening of a file, take() returns it
  /// for the caller to execute; else null.
  std::shared_ptr<const Opening> take(Scene& scene, EditDirection direction);
  void reset(Scene& scene, const std::string& parameter);
  /// Undoes the last step and returns to the moment before it.
  void undo_and_rewind(Scene& scene);
  /// Keeps the last step despite its effects.
  void keep(Scene& scene);

  EditSnapshot snapshot(const SceneSnapshot& scene);

 private:
  StateSection present(const Scene& scene) const;
  void bring(Scene& scene, StateSection section);
  EditHistory& history_of(std::string_view scene, EditDirection direction);
  void forget_undone_openings(std::string_view scene);
  std::string ruin_of(EditStep& step, const SceneSnapshot& scene) const;

  DeviceSession& devices_;
  Notices& notices_;
  struct Beginning {
    std::string subject;
    StateSection values;
  };
  std::map<std::string_view, EditHistory> histories_;  // keys: names of scenes
  std::map<std::string_view, Beginning> beginnings_;
};

}  // namespace orrery::shell
