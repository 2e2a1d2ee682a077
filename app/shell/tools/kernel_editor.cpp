#include "shell/tools/kernel_editor.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/external_editor.hpp"

namespace orrery::shell {
namespace {

std::string names_of(const KernelSources::Edits& edits) {
  return joined(edits, ", ", &KernelSources::Edits::value_type::first);
}

}  // namespace

constexpr double look_interval = 0.5;  // seconds between two looks at the files

void KernelFolder::write(const std::string& file, std::string text) {
  tasks_.push_back({Deed::write, file, std::move(text)});
}

void KernelFolder::remove(const std::string& file) {
  unkept_.erase(file);
  tasks_.push_back({Deed::remove, file, {}});
}

std::string KernelFolder::unkept(const std::string& file) const {
  const auto why = unkept_.find(file);
  return why == unkept_.end() ? std::string() : why->second;
}

std::optional<KernelFolder::News> KernelFolder::follow(const std::string& shown, double now) {
  std::optional<News> news;
  if (auto seen = looking_.poll()) news = news_of(std::move(*seen));
  if (looking_.busy() || (now - looked_ <= look_interval && tasks_.empty())) return news;
  looked_ = now;
  under_way_ = std::exchange(tasks_, {});
  looking_.start([store = store_, tasks = under_way_, shown] { return look(store, tasks, shown); });
  return news;
}

KernelFolder::Seen KernelFolder::look(const KernelEditStore& store, const std::vector<Task>& tasks,
                                      const std::string& shown) {
  Seen seen;
  for (const Task& task : tasks) {
    try {
      if (task.deed == Deed::write) store.write(task.file, task.text);
      if (task.deed == Deed::remove) store.remove(task.file);
      if (task.deed == Deed::open) seen.message = open_in_editor(store.copy_of(task.file));
    } catch (const std::exception& error) {
      seen.fault = error.what();
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
    seen.fault = error.what();
  }
  return seen;
}

void KernelFolder::note_written(const Seen& seen) {
  for (const Task& task : std::exchange(under_way_, {})) {
    if (task.deed != Deed::write) continue;
    const auto why = seen.unkept.find(task.file);
    if (why == seen.unkept.end())
      unkept_.erase(task.file);
    else
      unkept_[task.file] = why->second;
  }
}

// Ignores files with pending writes or removals: other programs have not changed them.
KernelFolder::News KernelFolder::news_of(Seen seen) {
  files_ = std::move(seen.files);
  note_written(seen);
  News news{.shown = std::move(seen.shown),
            .original = std::move(seen.original),
            .message = std::move(seen.message),
            .fault = std::move(seen.fault)};
  news.originals_changed = newest_original_ && *newest_original_ != seen.newest_original;
  newest_original_ = seen.newest_original;
  const auto before = std::exchange(on_disk_, std::move(seen.copies));
  if (!before) {
    news.kept = *on_disk_;
    return news;
  }
  const auto to_come = [this](const std::string& file) {
    return std::ranges::any_of(tasks_, [&](const Task& task) { return task.file == file; });
  };
  for (const auto& [file, text] : *on_disk_)
    if (const auto old = before->find(file); (old == before->end() || old->second != text) && !to_come(file))
      news.changes[file] = text;
  for (const auto& [file, text] : *before)
    if (!on_disk_->contains(file) && !to_come(file)) news.changes[file] = std::nullopt;
  return news;
}

constexpr double proving_seconds = 3;  // time that new kernels must run without a fault

void KernelProbation::begin(std::shared_ptr<const KernelSources> before, double now) {
  trial_ = Trial{now, std::move(before), fault_};
}

std::shared_ptr<const KernelSources> KernelProbation::judge(const KernelSources& present,
                                                            const std::string& scene_fault, bool compiling,
                                                            double now) {
  fault_ = scene_fault;
  if (!trial_) return nullptr;
  if (scene_fault.empty() || scene_fault == trial_->fault_before) {
    if (!compiling && now - trial_->since > proving_seconds) trial_.reset();
    return nullptr;
  }
  auto before = trial_->before;
  Edits failed = present.edits();
  std::erase_if(failed, [&](const auto& edit) {
    const auto known = before->edits().find(edit.first);
    return known != before->edits().end() && known->second == edit.second;
  });
  take_back(failed, scene_fault);
  return before;
}

void KernelProbation::take_back(const Edits& edits, const std::string& reason) {
  for (const auto& [file, text] : edits) {
    taken_back_[file] = text;
    messages_.push_back({CompilerMessage::Kind::error, file, 0, 0, reason});
    log(Level::warning, line_of(messages_.back()));
  }
  trial_.reset();
}

void KernelProbation::forgive(const std::string& file) {
  taken_back_.erase(file);
  std::erase_if(messages_, [&](const CompilerMessage& message) { return message.file == file; });
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

// ---- commands

void KernelEditor::apply(const command::ShowKernel& show) {
  if (shown_.file == show.file) return;
  shown_ = {.file = show.file, .revision = shown_.revision};
  folder_.look_soon();
}

void KernelEditor::apply(const command::SaveKernel& save) {
  if (save.file == shown_.file && shown_.original && *shown_.original == save.text)
    return apply(command::RestoreKernel{save.file});
  wanted_[save.file] = save.text;
  tried_.reset();  // the same text is tried again
  probation_.forgive(save.file);
  kept_.erase(save.file);
  folder_.write(save.file, save.text);
  if (save.file == shown_.file) shown_.text = wanted_text();
}

void KernelEditor::apply(const command::RestoreKernel& restore) {
  wanted_.erase(restore.file);
  kept_.erase(restore.file);
  refused_.erase(restore.file);
  probation_.forgive(restore.file);
  folder_.remove(restore.file);
  show_text_of(restore.file);
}

void KernelEditor::apply(const command::UseKeptKernel& use) {
  const auto kept = kept_.find(use.file);
  if (kept == kept_.end()) return;
  wanted_[use.file] = kept->second;
  kept_.erase(kept);
  show_text_of(use.file);
}

void KernelEditor::apply(const command::OpenKernelElsewhere& open) { folder_.open_elsewhere(open.file); }

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

void KernelEditor::take(const KernelFolder::News& news) {
  if (!news.message.empty()) message_ = news.message;
  if (news.fault != std::exchange(folder_fault_, news.fault)) fault_ = news.fault;
  if (news.kept) offer(*news.kept);
  for (const auto& [file, text] : news.changes) take_change(file, text);
  if (news.shown != shown_.file || !news.original) return;
  if (shown_.original && *shown_.original == *news.original) return;
  shown_.original = news.original;
  show_text_of(shown_.file);
}

void KernelEditor::offer(const Edits& kept) {
  kept_ = kept;
  if (kept_.empty()) return;
  message_ = "Edited kernels of an earlier session are not in use: " + names_of(kept_);
  log(Level::info, message_);
}

// Uses a copy that appears or changes while the program runs.
void KernelEditor::take_change(const std::string& file, const std::optional<std::string>& text) {
  kept_.erase(file);
  probation_.forgive(file);
  if (!text) {
    if (!folder_.unkept(file).empty() || wanted_.erase(file) == 0) return;
  } else if (const auto known = wanted_.find(file); known != wanted_.end() && known->second == *text) {
    return;
  } else {
    wanted_[file] = *text;
  }
  show_text_of(file);
}

// Gives the panel the new text of the file, if it shows that file.
void KernelEditor::show_text_of(const std::string& file) {
  if (file != shown_.file || !shown_.original) return;
  shown_.text = wanted_text();
  ++shown_.revision;
}

std::shared_ptr<const std::string> KernelEditor::wanted_text() const {
  const auto edit = wanted_.find(shown_.file);
  return edit == wanted_.end() ? shown_.original : std::make_shared<const std::string>(edit->second);
}

// ---- builds

bool KernelEditor::follow(std::span<ProgramLibrary* const> devices, double now) {
  if (!shown_.file.empty() && !shown_.original) folder_.look_soon();
  bool originals_changed = false;
  try {
    if (const auto news = folder_.follow(shown_.file, now)) {
      take(*news);
      originals_changed = news->originals_changed;
    }
    if (auto tried = trial_.poll()) take(std::move(*tried), now);
    (void)publishing_.poll();
  } catch (const std::exception& error) {
    fault_ = as_error(error).what();
  }
  if (!devices.empty() && !(tried_ && wanted_ == *tried_)) begin_trial(devices);
  const auto present = kernel_sources();
  const auto told = std::exchange(told_, present);
  return originals_changed || (told && told != present);
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
  for (const auto& [file, text] : probation_.taken_back()) {
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
  probation_.begin(present, now);
  use(tried.trial.accepted);
  use_tuned(std::move(tried.tuned));
}

void KernelEditor::use(std::shared_ptr<const KernelSources> sources) {
  const std::string names = names_of(sources->edits());
  log(Level::info,
      names.empty() ? "the kernels of the installation are in use" : "edited kernels are in use: " + names);
  use_kernel_sources(std::move(sources));
}

void KernelEditor::judge(const std::string& scene_fault, bool compiling, double now) {
  const auto before = probation_.judge(*kernel_sources(), scene_fault, compiling, now);
  if (!before) return;
  use(before);
  publish_choices();
}

void KernelEditor::withdraw(const std::string& reason) {
  const auto present = kernel_sources();
  if (present->edits().empty()) return;
  probation_.take_back(present->edits(), reason);
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

EditorSnapshot KernelEditor::snapshot() const {
  EditorSnapshot s;
  const auto present = kernel_sources();
  for (const std::string& name : folder_.files()) {
    KernelFile file;
    file.name = name;
    file.modified = present->is_edited(name);
    const auto wanted = wanted_.find(name);
    const bool in_use =
        wanted == wanted_.end() ? !file.modified : file.modified && present->text(name) == wanted->second;
    file.refused = refused_.contains(name) || probation_.taken_back().contains(name);
    file.building = trial_.busy() && !in_use;
    file.offered = kept_.contains(name);
    file.unkept = folder_.unkept(name);
    s.files.push_back(std::move(file));
  }
  s.folder = folder_.path();
  s.open = shown_.file;
  s.text = shown_.text;
  s.original = shown_.original;
  s.revision = shown_.revision;
  s.messages = probation_.messages();
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

std::string file_to_edit(std::string_view kernel, Queue& queue, const ProgramLibrary& programs) {
  if (!kernel.empty()) {
    const auto origin = programs.origin_of(queue.program_of(kernel));
    return origin ? origin->file : std::string();
  }
  std::vector<KernelStatistics> kernels = queue.profiler().statistics();
  for (const std::string& name : queue.launched()) kernels.emplace_back().name = name;  // even without timings
  name_sources(kernels, queue, programs);
  const auto share = [](const KernelStatistics& each) { return each.file.empty() ? -1 : each.busy_share; };
  const auto busiest = std::ranges::max_element(kernels, {}, share);
  return busiest == kernels.end() ? std::string() : busiest->file;
}

}  // namespace orrery::shell
