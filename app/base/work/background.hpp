/// A value that is prepared on a worker thread while its predecessor stays in use.
#pragma once

#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "base/work/threads.hpp"

namespace orrery {

/// Owned by one thread (the window's); only the work itself runs elsewhere. A newer request displaces one that has
/// not begun; the one that runs is finished and its result dropped. The destructor waits for the one that runs.
template <class T>
class Background {
 public:
  /// Begins `work` on a worker thread, or as soon as the one that runs there is done.
  void start(std::function<T()> work) {
    next_ = std::move(work);
    if (running_.valid()) standing_ = Standing::displaced;
    begin_next();
  }

  /// True while a result is still to come.
  bool busy() const { return running_.valid() || next_; }

  /// The finished result of the newest request, once; never waits. Rethrows what the work threw.
  std::optional<T> poll() {
    if (!running_.valid() || running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return {};
    std::future<T> done = std::move(running_);
    const Standing standing = std::exchange(standing_, Standing::wanted);
    begin_next();
    if (standing == Standing::wanted) return done.get();
    try {
      (void)done.get();
    } catch (const std::exception& error) {  // a displaced request's fault interests nobody
      if (standing == Standing::forgotten)
        log(Level::warning, std::string("what was given up has failed: ") + error.what());
    } catch (...) {  // nor that it was cancelled
    }
    return {};
  }

  /// The result is not wanted any more; if the work fails, poll() logs why.
  void forget() {
    next_ = nullptr;
    if (running_.valid()) standing_ = Standing::forgotten;
  }

 private:
  enum class Standing { wanted, displaced /* by a newer request */, forgotten };

  void begin_next() {
    if (running_.valid() || !next_) return;
    // What the work holds, a device perhaps, goes with its end and on its thread, not when somebody asks for the
    // result.
    running_ = std::async(std::launch::async, [work = std::exchange(next_, nullptr)]() mutable {
      give_signal_stack();
      const std::function<T()> held = std::move(work);
      return held();
    });
    standing_ = Standing::wanted;
  }

  std::function<T()> next_;
  std::future<T> running_;
  Standing standing_ = Standing::wanted;  // of the one that runs
};

}  // namespace orrery
