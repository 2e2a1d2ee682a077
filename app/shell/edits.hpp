/// Undo and redo: one history for each scene, of all that a person changes in it, and of the device that it runs on.
/// The opening of a file is a step of the scene that the file shows.
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

/// Of one key. No value: the scene decides.
struct Change {
  std::string key;
  std::optional<Value> before, after;
  bool operator==(const Change&) const = default;
};
std::vector<Change> changes_between(const StateSection& before, const StateSection& after);

/// A file was opened: what the window showed before, and what it showed then.
struct Opening {
  struct Side {
    std::string scene;  ///< that is shown
    StateSource state;  ///< of the scenes that the file changed
  };
  std::string name;  ///< of the file
  Side before, after;
};

struct EditStep {
  std::vector<Change> changes;
  std::shared_ptr<const Opening> opening = {};  ///< the step is this, and has no changes; null: it is not
  std::shared_ptr<const StateEdit> edit = {};   ///< likewise
  /// Of the simulation, before the step: its moment, and its relative energy error. Only the last step has the moment.
  std::shared_ptr<const void> moment = {};
  double energy_error = 0;
  bool watched = true;  ///< a person has not said that the change is to stay
};

enum class EditDirection { undo, redo };
/// `present`, with the values that the step's keys had before it, or after it.
StateSection with_step(StateSection present, const EditStep& step, EditDirection direction);

/// The steps of one scene. A plain value.
class EditHistory {
 public:
  static constexpr std::size_t most_steps = 200;
  static constexpr std::size_t most_openings = 8;  // each keeps what was shown before: bodies, perhaps millions
  static constexpr std::size_t most_bytes = std::size_t{1} << 29;  // of moments that edits keep; the last one always

  /// Adds the difference, if there is one; what had been undone cannot be done again then. While something is held
  /// (a slider, a text field), further differences continue the same step; and with `refused`, which tells that the
  /// scene has taken a value of the last step back, so do differences from that value. Returns whether a new step has
  /// begun.
  bool note(const StateSection& before, const StateSection& after, bool held, bool refused = false);
  /// Adds a step.
  void add(EditStep step);
  /// What had been undone cannot be done again.
  void forget_undone() { steps_.resize(done_); }
  /// Nothing is held any more: the next difference is another step.
  void let_go() { open_ = false; }

  /// The step that undo or redo takes; null where there is none.
  const EditStep* next(EditDirection direction) const;
  /// That step has been taken.
  void take(EditDirection direction);
  /// The last step, unless it has been undone; null where there is none.
  EditStep* last();

 private:
  std::deque<EditStep> steps_;
  std::size_t done_ = 0;  // of the steps, from the first
  bool open_ = false;     // the last step is being made

  /// Takes those of the changes that continue the last step.
  void continue_with(std::vector<Change>& changes, const std::function<bool(const Change&, const Change&)>& continues);
};

/// "Time step: 0.01 → 0.336", of the step as it is made in that direction.
std::string step_text(const EditStep& step, EditDirection direction, std::span<const ParameterView> parameters);

class Edits {
 public:
  /// What is passed must outlive this.
  Edits(DeviceSession& devices, Notices& notices) : devices_(devices), notices_(notices) {}

  /// Makes a change, and notes the difference that it makes to the scene. `held` as in EditHistory::note().
  void make(Scene& scene, bool held, const std::function<void()>& change);
  /// Each frame; `held`: something in a panel is still held.
  void follow(bool held);
  /// A person has changed the scene's state by hand.
  void note_edit(const Scene& scene, std::shared_ptr<const StateEdit> edit);
  /// The step is a change by hand that is still being made: it can be taken in a moment.
  bool awaits(const Scene& scene, EditDirection direction);
  /// A file is about to be loaded.
  void note_opening(const Scene& scene, Opening opening);
  /// The preset has been opened: what it sets counts as unchanged while its subject is shown.
  void begin_from(const Scene& scene, const StateSection& preset);
  /// Puts the values of the preset in the place of the scene's defaults.
  void mark_usual(SceneSnapshot& scene) const;
  /// These four throw what Scene::load throws; nothing has changed then. Where the step is the opening of a file,
  /// take() returns it, and the caller carries it out; else null.
  std::shared_ptr<const Opening> take(Scene& scene, EditDirection direction);
  void reset(Scene& scene, const std::string& parameter);
  /// Takes the last step back, and returns to the moment before it.
  void undo_and_rewind(Scene& scene);
  /// The last step stays, whatever it does.
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
  std::map<std::string_view, EditHistory> histories_;  // by the scene's name
  std::map<std::string_view, Beginning> beginnings_;
};

}  // namespace orrery::shell
