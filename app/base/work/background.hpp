/// A value that is prepared on a worker thread while its predecessor stays in use.
#pragma once

#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "base/platform/threads.hpp"

namespace orrery {

/// Owned by one thread (the window's); only the work itself runs elsewhere. A newer request replaces a waiting one; a
/// running one is finished and its result discarded. The destructor waits for running work.
template <class T>
class Background {
 public:
  /// Starts `work` on a worker thread, or as soon as the running work ends.
  void start(std::function<T()> work) {
    next_ = std::move(work);
    if (running_.valid()) standing_ = Standing::displaced;
    begin_next();
  }

  /// True while a result is expected.
  bool busy() const { return running_.valid() || next_; }

  /// The result of the newest request, once; never waits. Rethrows the exception of the work.
  std::optional<T> poll() {
    if (!running_.valid() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    std::future<T> done = std::move(running_);
    const Standing standing = std::exchange(standing_, Standing::wanted);
    begin_next();
    if (standing == Standing::wanted) return done.get();
    try {
      (void)done.get();
    } catch (const std::exception& error) {  // the result is not wanted
      if (standing == Standing::forgotten)
        log(Level::warning, std::string("a cancelled background task failed: ") + error.what());
    } catch (...) {  // cancellation is not an error
    }
    return {};
  }

  /// Discards the result; if the work fails, poll() logs the reason.
  void forget() {
    next_ = nullptr;
    if (running_.valid()) standing_ = Standing::forgotten;
  }

 private:
  enum class Standing { wanted, displaced /* by a newer request */, forgotten };

  void begin_next() {
    if (running_.valid() || !next_) return;
    // The work's captures (a device, perhaps) are destroyed on its own thread as soon as it ends, not when the result
    // is taken.
    running_ = std::async(std::launch::async, [work = std::exchange(next_, nullptr)]() mutable {
      give_signal_stack();
      const std::function<T()> held = std::move(work);
      return held();
    });
    standing_ = Standing::wanted;
  }

  std::function<T()> next_;
  std::future<T> running_;
  Standing standing_ = Standing::wanted;  // use of the running work's result
};

}  // namespace orrery
