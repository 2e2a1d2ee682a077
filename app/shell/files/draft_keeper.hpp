/// Keeps on disk what is typed into the kernel editor and not saved, so that leaving never asks and nothing typed is
/// lost.
///
/// drafts/FILE in the folder of the edited copies; a draft that is saved, or taken back, goes. Window thread; the disk
/// is a worker's, but for reading at the start and the last writing in leave().
#pragma once

#include <map>
#include <string>

#include "base/work/background.hpp"
#include "compute/program/kernel_edit_store.hpp"
#include "ui/panels/editor_ui.hpp"

namespace orrery::shell {

class DraftKeeper {
 public:
  explicit DraftKeeper(KernelEditStore store) : store_(std::move(store)) {}

  /// Puts the drafts of an earlier session where the pane takes them from; returns their names, "a.cl, b.clh".
  std::string offer(ui::EditorUi& editor);
  /// Each frame. Returns why something typed cannot be kept, once.
  std::string follow(const ui::EditorUi& editor, double now);
  /// Writes what is still to be written, and waits for it.
  void leave(const ui::EditorUi& editor);

 private:
  using Drafts = std::map<std::string, std::string>;
  static Drafts typed(const ui::EditorUi& editor);
  static std::string keep(const KernelEditStore& store, const Drafts& drafts);

  KernelEditStore store_;
  Background<std::string> keeping_;
  double kept_at_ = 0;
  bool told_ = false;
};

}  // namespace orrery::shell
