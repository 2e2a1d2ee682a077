/// The progress of reading or writing a file on a worker thread; other threads can read it and cancel. Any thread.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

namespace orrery {

/// Ends a reading that was cancelled; no error.
struct ReadingCancelled {};

class ReadingProgress {
 public:
  explicit ReadingProgress(std::filesystem::path file, std::string_view verb = "reading")
      : file_(std::move(file)), verb_(verb) {}

  /// Called by the reading thread with the finished share, 0 … 1. Throws ReadingCancelled after cancel().
  void tell(double part) {
    part_ = part;
    if (cancelled_) throw ReadingCancelled{};
  }
  void cancel() { cancelled_ = true; }

  /// "reading stars.npy: 43 %"; empty before the first piece was read and after the last one.
  std::string status() const {
    const double part = part_;
    if (part <= 0 || part >= 1) return {};
    return std::string(verb_) + " " + file_.filename().string() + ": " + std::to_string(static_cast<int>(100 * part)) +
           " %";
  }

 private:
  const std::filesystem::path file_;
  const std::string_view verb_;
  std::atomic<double> part_ = 0;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace orrery
