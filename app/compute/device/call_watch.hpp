/// Detects calls to drivers that do not return. The call cannot be cancelled and blocks its thread; a thread of
/// this class watches it.
///
/// The rule. A call that enqueues, queries or releases must return within the time-out of this watch, which is also the
/// limit of slices of work (limit_silence()): some drivers compute or compile inside such calls, but slices take
/// fractions of a second. A build, or the first launch of a kernel, may take longer, while its device answers another
/// thread, which asks for copies and needs no compiler; but not ten minutes. Work of the program itself between two
/// calls is not limited. Time is counted in rounds of the watching thread, so that time in a stopped process or a
/// sleeping machine does not count.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "compute/device/device_info.hpp"

namespace orrery {

/// The limit of a build in seconds, by the rule above.
double longest_build();
double longest_answer();

class CallWatch {
 public:
  enum class Kind { quick, build };
  /// Called on the watching thread with the device whose call does not return. Meanwhile the watched thread stays in
  /// that call, so the handler may use its objects. If the handler returns, the time restarts.
  using Handler = std::function<void(const DeviceInfo& device)>;

  /// Returns whether the device answers another thread within longest_answer().
  using Question = std::function<bool(const DeviceInfo& device)>;

  /// Watches the thread that constructs and destroys it.
  CallWatch(double seconds, Question answers, Handler handler);
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

 private:
  friend class DriverCall;
  void watch(const std::stop_token& stop);

  double seconds_;
  Question answers_;
  Handler handler_;
  struct Call {
    const DeviceInfo* device = nullptr;  // none: the thread is in no call
    Kind kind = Kind::quick;
  };
  std::mutex mutex_;  // guards the call in progress
  Call call_;
  std::uint64_t changes_ = 0;  // calls begun and ended
  std::jthread thread_;
};

/// A scope with one or a few calls to a driver, timed by this thread's watch, if any. An inner scope replaces the outer
/// one until it ends.
class DriverCall {
 public:
  using Kind = CallWatch::Kind;
  explicit DriverCall(const DeviceInfo& device, Kind kind = Kind::quick);
  ~DriverCall();
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

 private:
  CallWatch* watch_;
  CallWatch::Call outer_;
};

}  // namespace orrery
