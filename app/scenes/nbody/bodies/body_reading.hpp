/// A file of bodies that is read once for the window's sketch and the simulation, which need it on different threads.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <string>

#include "base/work/reading_progress.hpp"
#include "scenes/nbody/bodies/body_file.hpp"

namespace orrery {

/// Any thread.
class BodyReading {
 public:
  explicit BodyReading(std::string path) : path_(std::move(path)), progress_(path_) {}

  const std::string& path() const { return path_; }
  /// Reads the file, or waits for the thread that does. Throws the error of the reading to every caller, and
  /// ReadingCancelled. The bodies live as long as this object.
  const Bodies& bodies(const FileProgress& progress = {}) {
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
    if (!bodies_.empty()) return bodies_;
    try {
      const auto tell = [&](double part) {
        progress_.tell(part);
        if (progress) progress(part);
      };
      bodies_ = read_bodies(path_, tell, &understood_);
    } catch (...) {
      failed_ = true;
      failure_ = std::current_exception();
      throw;
    }
    return bodies_;
  }
  /// After a finished reading: the text `understood` of read_bodies().
  const std::string& understood() const { return understood_; }
  /// These functions do not wait.
  bool failed() const { return failed_; }
  ReadingProgress& progress() { return progress_; }
  const ReadingProgress& progress() const { return progress_; }

 private:
  const std::string path_;
  ReadingProgress progress_;
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;  // guards the members below
  Bodies bodies_;
  std::string understood_;
  std::exception_ptr failure_;
};

}  // namespace orrery
