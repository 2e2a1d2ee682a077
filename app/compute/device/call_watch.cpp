#include "compute/device/call_watch.hpp"

#include <chrono>
#include <condition_variable>
#include <utility>

#include "base/clock.hpp"
#include "base/platform/threads.hpp"

namespace orrery {
namespace {

thread_local CallWatch* watch_here = nullptr;

}  // namespace

double longest_build() { return patience(600); }
double longest_answer() { return patience(10); }

CallWatch::CallWatch(double seconds, Question answers, Handler handler)
    : seconds_(seconds), answers_(std::move(answers)), handler_(std::move(handler)) {
  watch_here = this;
  thread_ = std::jthread([this](const std::stop_token& stop) {
    name_thread("call watch");
    give_signal_stack();
    watch(stop);
  });
}

CallWatch::~CallWatch() { watch_here = nullptr; }

void CallWatch::watch(const std::stop_token& stop) {
  constexpr std::chrono::duration<double> round(0.1);
  std::condition_variable_any wake;
  std::uint64_t seen = 0;
  double waited = 0, limit = seconds_;
  std::unique_lock lock(mutex_);
  while (!wake.wait_for(lock, stop, round, [&stop] { return stop.stop_requested(); })) {
    if (call_.device == nullptr || changes_ != seen) {
      seen = changes_;
      waited = 0;
      limit = seconds_;
      continue;
    }
    waited += round.count();
    if (waited < limit) continue;
    limit = waited + seconds_;
    if (call_.kind == Kind::build && waited < longest_build()) {
      const DeviceInfo device = *call_.device;
      lock.unlock();
      const bool answers = answers_(device);
      lock.lock();
      if (answers || changes_ != seen) continue;
    }
    handler_(*call_.device);
  }
}

DriverCall::DriverCall(const DeviceInfo& device, Kind kind) : watch_(watch_here) {
  if (watch_ == nullptr) return;
  const std::lock_guard lock(watch_->mutex_);
  outer_ = std::exchange(watch_->call_, {&device, kind});
  ++watch_->changes_;
}

DriverCall::~DriverCall() {
  if (watch_ == nullptr) return;
  const std::lock_guard lock(watch_->mutex_);
  watch_->call_ = outer_;
  ++watch_->changes_;
}

}  // namespace orrery
