#include "shell/tools/kernel_folder.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/work/external_editor.hpp"
#include "compute/program/kernel_sources.hpp"

namespace orrery::shell {

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

// A file that is still to be written or removed has not changed by another's hand.
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

}  // namespace orrery::shell
