/// What a person has changed in a scene, step by step, to be undone and done again. Plain values; any one thread.
///
/// A step is the difference of two sections of the state text, so that every kind of change has the same history:
/// parameters, laws, palettes and devices.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/state_text.hpp"

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
  /// Of the simulation, before the step: its moment, and its relative energy error. Only the last step has the moment.
  std::shared_ptr<const void> moment = {};
  double energy_error = 0;
  bool watched = true;  ///< a person has not said that the change is to stay
};

enum class EditDirection { undo, redo };
/// `present`, with the values that the step's keys had before it, or after it.
StateSection with_step(StateSection present, const EditStep& step, EditDirection direction);

class EditHistory {
 public:
  static constexpr std::size_t most_steps = 200;
  static constexpr std::size_t most_openings = 8;  // each keeps what was shown before: bodies, perhaps millions

  /// Adds the difference, if there is one; what had been undone cannot be done again then. While something is held
  /// (a slider, a text field), further differences continue the same step. Returns whether a new step has begun.
  bool note(const StateSection& before, const StateSection& after, bool held);
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
};

}  // namespace orrery::shell
