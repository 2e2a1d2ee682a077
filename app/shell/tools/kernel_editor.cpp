#include "shell/tools/kernel_editor.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/log.hpp"
#include "base/work/abandon.hpp"
#include "base/work/external_editor.hpp"
#include "compute/program/kernel_sources.hpp"

namespace orrery::shell {
namespace {

using Edits = KernelSources::Edits;

constexpr double look_interval = 0.5;  // seconds between two looks at the files
constexpr double proving_seconds = 3;  // that new kernels must run without a fault

std::string names_of(const Edits& edits) {
  std::string names;
  for (const auto& [file, text] : edits) names += (names.empty() ? "" : ", ") + file;
  return names;
}

std::string line_of(const CompilerMessage& message) {
  std::string place = message.file;
  if (message.line > 0) place += ":" + std::to_string(message.line);
  if (message.column > 0) place += ":" + std::to_string(message.column);
  const char* kind = message.kind == CompilerMessage::Kind::error     ? "error: "
                     : message.kind == CompilerMessage::Kind::warning ? "warning: "
                                                                      : "note: ";
  return (place.empty() ? "" : place + ": ") + kind + message.text;
}

}  // namespace

// ---- commands

void KernelEditor::apply(const command::ShowKernel& show) {
  if (shown_ == show.file) return;
  shown_ = show.file;
  original_.reset();
  text_.reset();
  looked_ = 0;
}

void KernelEditor::apply(const command::SaveKernel& save) {
  if (save.file == shown_ && original_ && *original_ == save.text) return apply(command::RestoreKernel{save.file});
  wanted_[save.file] = save.text;
  tried_.reset();  // the same text is tried again
  forgive(save.file);
  kept_.erase(save.file);
  tasks_.push_back({Deed::write, save.file, save.text});
  if (save.file == shown_) text_ = text_of(shown_);
}

void KernelEditor::apply(const command::RestoreKernel& restore) {
  wanted_.erase(restore.file);
  kept_.erase(restore.file);
  refused_.erase(restore.file);
  forgive(restore.file);
  unkept_.erase(restore.file);
  tasks_.push_back({Deed::remove, restore.file, {}});
  take_text(restore.file);
}

void KernelEditor::apply(const command::UseKeptKernel& use) {
  const auto kept = kept_.find(use.file);
  if (kept == kept_.end()) return;
  wanted_[use.file] = kept->second;
  kept_.erase(kept);
  take_text(use.file);
}

void KernelEditor::apply(const command::OpenKernelElsewhere& open) { tasks_.push_back({Deed::open, open.file, {}}); }

// The previous kernels keep running; the same text is tried again when it is saved again.
void KernelEditor::apply(const command::GiveUpBuilding&) {
  if (!trial_.busy()) return;
  orrery::abandon(trial_);
  const auto present = kernel_sources();
  refused_ = worth_trying();
  std::erase_if(refused_, [&](const auto& edit) {
    return present->is_edited(edit.first) && present->text(edit.first) == edit.second;
  });
  messages_.clear();
  for (const auto& [file, text] : refused_)
    messages_.push_back({CompilerMessage::Kind::error, file, 0, 0, "cancelled during compilation"});
}

// ---- files

KernelEditor::Seen KernelEditor::look(const KernelEditStore& store, const std::vector<Task>& tasks,
                                      const std::string& shown) {
  Seen seen;
  for (const Task& task : tasks) {
    try {
      if (task.deed == Deed::write) store.write(task.file, task.text);
      if (task.deed == Deed::remove) store.remove(task.file);
      if (task.deed == Deed::open) seen.message = open_in_editor(store.copy_of(task.file));
    } catch (const std::exception& error) {
      seen.message = error.what();
      if (task.deed == Deed::write) seen.unkept[task.file] = error.what();
    }
  }
  try {
    seen.files = store.files();
    seen.copies = store.read();
    seen.newest_original = store.newest_original();
    if (!shown.empty())
      seen.original = std::make_shared<const std::string>(read_file(store.original_of(shown), kernel_kind));
    seen.shown = shown;
  } catch (const std::exception& error) {
    seen.message = error.what();
  }
  return seen;
}

void KernelEditor::look_again(double now) {
  looked_ = now;
  under_way_ = std::exchange(tasks_, {});
  looking_.start([store = store_, tasks = under_way_, shown = shown_] { return look(store, tasks, shown); });
}

void KernelEditor::take(const Seen& seen) {
  files_ = seen.files;
  for (const Task& task : std::exchange(under_way_, {})) {
    if (task.deed != Deed::write) continue;
    const auto why = seen.unkept.find(task.file);
    if (why == seen.unkept.end())
      unkept_.erase(task.file);
    else
      unkept_[task.file] = why->second;
  }
  if (!seen.message.empty()) message_ = seen.message;
  originals_changed_ = originals_changed_ || (newest_original_ && *newest_original_ != seen.newest_original);
  newest_original_ = seen.newest_original;
  take_copies(seen.copies);
  if (seen.shown != shown_ || !seen.original) return;
  if (original_ && *original_ == *seen.original) return;
  original_ = seen.original;
  take_text(shown_);
}

// A copy that appears or changes while the program runs was saved in order to run.
void KernelEditor::take_copies(const Edits& copies) {
  const Edits before = std::exchange(on_disk_, copies);
  if (!std::exchange(has_looked_, true)) {
    kept_ = copies;
    if (kept_.empty()) return;
    message_ = "Edited kernels of an earlier session are not in use: " + names_of(kept_);
    return log(Level::info, message_);
  }
  Edits all = before;
  all.insert(copies.begin(), copies.end());
  for (const auto& [file, ignored] : all) {
    const auto old = before.find(file), present = copies.find(file);
    const bool same = old != before.end() && present != copies.end() && old->second == present->second;
    const bool to_come = std::ranges::any_of(tasks_, [&](const Task& task) { return task.file == file; });
    if (same || to_come) continue;
    kept_.erase(file);
    forgive(file);
    if (present == copies.end()) {
      if (unkept_.contains(file) || wanted_.erase(file) == 0) continue;
    } else if (const auto known = wanted_.find(file); known != wanted_.end() && known->second == present->second) {
      continue;
    } else {
      wanted_[file] = present->second;
    }
    take_text(file);
  }
}

// Gives the panel the new text of the file, if it shows that file.
void KernelEditor::take_text(const std::string& file) {
  if (file != shown_ || !original_) return;
  const auto edit = wanted_.find(file);
  text_ = edit == wanted_.end() ? original_ : std::make_shared<const std::string>(edit->second);
  ++revision_;
}

// ---- builds

bool KernelEditor::follow(std::span<ProgramLibrary* const> devices, double now) {
  try {
    if (const auto seen = looking_.poll()) take(*seen);
    if (auto tried = trial_.poll()) take(std::move(*tried), now);
    (void)publishing_.poll();
  } catch (const std::exception& error) {
    message_ = as_error(error).what();
  }
  const bool unread = !shown_.empty() && !original_;
  if (!looking_.busy() && (now - looked_ > look_interval || !tasks_.empty() || unread)) look_again(now);
  if (!devices.empty() && !(tried_ && wanted_ == *tried_)) begin_trial(devices);
  const bool edited = std::exchange(originals_changed_, false);
  const auto present = kernel_sources();
  const auto told = std::exchange(told_, present);
  return edited || (told && told != present);
}

void KernelEditor::begin_trial(std::span<ProgramLibrary* const> devices) {
  tried_ = wanted_;
  trial_.start(
      [libraries = std::vector(devices.begin(), devices.end()), present = kernel_sources(), wanted = worth_trying()] {
        KernelTrial trial = try_kernels(libraries, *present, wanted);
        return Tried{trial, stored_choices(*trial.accepted)};
      });
}

// A kernel that has failed while it ran is not tried again because of another edit.
KernelSources::Edits KernelEditor::worth_trying() const {
  Edits edits = wanted_;
  const auto present = kernel_sources();
  for (const auto& [file, text] : taken_back_) {
    edits.erase(file);
    if (const auto before = present->edits().find(file); before != present->edits().end()) edits.insert(*before);
  }
  return edits;
}

void KernelEditor::take(Tried tried, double now) {
  refused_ = std::move(tried.trial.refused);
  messages_ = std::move(tried.trial.messages);
  log_ = std::move(tried.trial.log);
  for (const CompilerMessage& message : messages_)
    if (message.kind == CompilerMessage::Kind::error) log(Level::warning, line_of(message));
  if (!refused_.empty())
    log(Level::warning, "edited kernels do not build; the previous kernels keep running: " + names_of(refused_));
  const auto present = kernel_sources();
  if (tried.trial.accepted->edits() == present->edits()) return;
  good_ = present;
  used_since_ = now;
  fault_before_ = fault_;
  use(tried.trial.accepted);
  use_tuned(std::move(tried.tuned));
}

void KernelEditor::use(std::shared_ptr<const KernelSources> sources) {
  const std::string names = names_of(sources->edits());
  log(Level::info,
      names.empty() ? "the kernels of the installation are in use" : "edited kernels are in use: " + names);
  use_kernel_sources(std::move(sources));
}

void KernelEditor::take_back(const Edits& edits, const std::string& reason) {
  for (const auto& [file, text] : edits) {
    taken_back_[file] = text;
    faults_.push_back({CompilerMessage::Kind::error, file, 0, 0, reason});
    log(Level::warning, line_of(faults_.back()));
  }
  used_since_.reset();
}

void KernelEditor::forgive(const std::string& file) {
  taken_back_.erase(file);
  std::erase_if(faults_, [&](const CompilerMessage& message) { return message.file == file; });
}

void KernelEditor::judge(const std::string& scene_fault, bool compiling, double now) {
  fault_ = scene_fault;
  if (!used_since_) return;
  if (scene_fault.empty() || scene_fault == fault_before_) {
    if (!compiling && now - *used_since_ > proving_seconds) used_since_.reset();
    return;
  }
  Edits failed = kernel_sources()->edits();
  std::erase_if(failed, [this](const auto& edit) {
    const auto before = good_->edits().find(edit.first);
    return before != good_->edits().end() && before->second == edit.second;
  });
  take_back(failed, scene_fault);
  use(good_);
  publish_choices();
}

void KernelEditor::withdraw(const std::string& reason) {
  const auto present = kernel_sources();
  if (present->edits().empty()) return;
  take_back(present->edits(), reason);
  use(std::make_shared<const KernelSources>(present->folder()));
  publish_choices();
}

void KernelEditor::publish_choices() {
  publishing_.start([] {
    use_stored_choices();
    return true;
  });
}

void KernelEditor::leave() {
  if (!trial_.busy()) return;
  orrery::leave(trial_);
  tried_.reset();
}

void KernelEditor::abandon() {
  if (!trial_.busy()) return;
  orrery::abandon(trial_);
  tried_.reset();
}

// ---- the snapshot

std::shared_ptr<const std::string> KernelEditor::text_of(const std::string& file) const {
  const auto edit = wanted_.find(file);
  return edit == wanted_.end() ? original_ : std::make_shared<const std::string>(edit->second);
}

EditorSnapshot KernelEditor::snapshot() const {
  EditorSnapshot s;
  const auto present = kernel_sources();
  for (const std::string& name : files_) {
    KernelFile file;
    file.name = name;
    file.modified = present->is_edited(name);
    const auto wanted = wanted_.find(name);
    const bool in_use =
        wanted == wanted_.end() ? !file.modified : file.modified && present->text(name) == wanted->second;
    file.refused = refused_.contains(name) || taken_back_.contains(name);
    file.building = trial_.busy() && !in_use;
    file.offered = kept_.contains(name);
    if (const auto why = unkept_.find(name); why != unkept_.end()) file.unkept = why->second;
    s.files.push_back(std::move(file));
  }
  s.folder = store_.folder().string();
  s.open = shown_;
  s.text = text_;
  s.original = original_;
  s.revision = revision_;
  s.messages = faults_;
  s.messages.insert(s.messages.end(), messages_.begin(), messages_.end());
  s.log = log_;
  return s;
}

void name_sources(std::vector<KernelStatistics>& kernels, const Queue& queue, const ProgramLibrary& programs) {
  for (KernelStatistics& kernel : kernels) {
    const auto origin = programs.origin_of(queue.program_of(kernel.name));
    if (!origin) continue;
    kernel.file = origin->file;
    kernel.modified = origin->edited;
  }
}

}  // namespace orrery::shell
