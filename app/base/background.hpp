/// A value that is prepared on a worker thread while its predecessor stays in use.
#pragma once

#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <utility>

namespace orrery {

/// Owned by one thread (the window's); only the work itself runs elsewhere. A newer request displaces one that has
/// not begun; the one that runs is finished and its result dropped. The destructor waits for the one that runs.
template <class T>
class Background {
 public:
  /// Begins `work` on a worker thread, or as soon as the one that runs there is done.
  void start(std::function<T()> work) {
    next_ = std::move(work);
    stale_ = running_.valid();
    begin_next();
  }

  /// True while a result is still to come.
  bool busy() const { return running_.valid() || next_; }

  /// The finished result of the newest request, once; never waits. Rethrows what the work threw.
  std::optional<T> poll() {
    if (!running_.valid() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    std::future<T> done = std::move(running_);
    const bool dropped = std::exchange(stale_, false);
    begin_next();
    if (!dropped) return done.get();
    try {
      (void)done.get();
    } catch (...) {  // a displaced request's fault interests nobody
    }
    return {};
  }

  /// The result is not wanted any more.
  void forget() {
    next_ = nullptr;
    stale_ = running_.valid();
  }

 private:
  void begin_next() {
    if (running_.valid() || !next_) return;
    running_ = std::async(std::launch::async, std::exchange(next_, nullptr));
    stale_ = false;
  }

  std::function<T()> next_;
  std::future<T> running_;
  bool stale_ = false;  // a newer request has displaced the one that runs
};

}  // namespace orrery
