/// Notices calls to drivers that do not return. Nothing can break off such a call, and its thread can do nothing more:
/// a thread of this class watches it.
///
/// The rule. A call that enqueues, asks or releases has to return within the time-out of this watch, which is the one
/// that slices of work have to end in (limit_silence()): some drivers compute or compile inside such calls, but what
/// they are given to compute is cut into fractions of a second. A build, or the first launch of a kernel, may take
/// longer, while its device answers another thread, which asks for copies and needs no compiler; but not ten minutes.
/// Work of the program itself between two calls is not limited. Time is counted in rounds of the watching thread, so
/// that a process that was stopped, or a machine that was asleep, has missed nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "compute/device/device_info.hpp"

namespace orrery {

/// Seconds, by the rule above.
double longest_build();
double longest_answer();

class CallWatch {
 public:
  enum class Kind { quick, build };
  /// Called on the watching thread with the device whose call does not return. The watched thread does not come back
  /// from that call meanwhile: all that it alone uses is at rest. After a return the time begins again.
  using Handler = std::function<void(const DeviceInfo& device)>;

  /// Whether the device answers another thread within longest_answer().
  using Question = std::function<bool(const DeviceInfo& device)>;

  /// Watches the thread that makes it, which destroys it as well.
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

/// A call to a driver, or a few that follow each other at once, during which a watch of this thread counts; without a
/// watch it does nothing. Within another one, the inner one counts until it ends.
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
