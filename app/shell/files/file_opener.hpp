/// Opens files on a worker thread: reads and tries them, and brings back what the opening of one had replaced.
///
/// Window thread. Nothing waits; the destructor cancels the reading.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/work/background.hpp"
#include "base/work/reading_progress.hpp"
#include "shell/files/dropped_file.hpp"

namespace orrery::shell {

class FileOpener {
 public:
  ~FileOpener() { cancel(); }

  /// Replaces a file that is being read.
  void open(SceneKinds kinds, std::vector<std::string> paths);
  void bring_back(std::function<DroppedFile()> work);
  /// Once; rethrows what the opening threw.
  std::optional<DroppedFile> poll() { return opening_.poll(); }

  /// Of the last file, without its folder.
  const std::string& name() const { return name_; }
  /// See ReadingProgress::status().
  std::string status() const { return opening_.busy() && progress_ ? progress_->status() : std::string(); }
  void cancel();

 private:
  std::string name_;
  Background<DroppedFile> opening_;
  std::shared_ptr<ReadingProgress> progress_;  // of the last file
};

}  // namespace orrery::shell
