/// Undo and redo: one history for each scene, of all that a person changes in it, and of the device that it runs on.
/// The opening of a file is a step of the scene that the file shows. Window thread.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "shell/devices/device_session.hpp"
#include "shell/edit_history.hpp"
#include "shell/window/notices.hpp"

namespace orrery::shell {

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
