/// Saves unsaved text of the kernel editor as drafts, so that the program never asks before it ends and no text is
/// lost.
///
/// Drafts are drafts/FILE in the folder of the edited copies; a draft is removed when its text is saved or reverted.
/// Window thread; a worker thread writes, except in leave().
#pragma once

#include <map>
#include <string>

#include "base/work/background.hpp"
#include "compute/program/kernel_edit_store.hpp"
#include "ui/panels.hpp"

namespace orrery::shell {

class DraftKeeper {
 public:
  explicit DraftKeeper(KernelEditStore store) : store_(std::move(store)) {}

  /// Gives the drafts of an earlier session to the editor's pane; returns their names, "a.cl, b.clh".
  std::string offer(ui::EditorUi& editor);
  /// Called each frame. Returns the reason once if a draft cannot be saved.
  std::string follow(const ui::EditorUi& editor, double now);
  /// Saves the drafts and waits for the end.
  void leave(const ui::EditorUi& editor);

 private:
  using Drafts = std::map<std::string, std::string>;
  static Drafts typed(const ui::EditorUi& editor);
  static std::string keep(const KernelEditStore& store, const Drafts& drafts);

  KernelEditStore store_;
  Background<std::string> keeping_;
  double kept_at_ = 0;
  bool warned_ = false;  // a failed draft was reported
};

}  // namespace orrery::shell
