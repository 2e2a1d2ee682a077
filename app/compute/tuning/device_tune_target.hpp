/// What tuning targets on a device share: a queue of their own, outputs between guard zones, and their comparison with
/// the reference on a worker thread.
#pragma once

#include <memory>
#include <span>

#include "base/work/background.hpp"
#include "compute/queue/guarded_buffer.hpp"
#include "compute/queue/host_mirror.hpp"
#include "compute/tuning/tune_timer.hpp"

namespace orrery {

class DeviceTuneTarget : public TuneTarget {
 public:
  explicit DeviceTuneTarget(const Device& device) : device_(device), queue_(device), timer_(queue_) {}

  void arm() override;
  void begin_check(const TuneValues& values) override;
  std::optional<std::string> poll_check() override;

 protected:
  /// How the first output's content is wrong, empty when it is right. On a worker thread; not while a run is under way.
  virtual std::string judge(const TuneValues& values, std::span<const std::byte> content) = 0;

  /// Waits for reads and for a comparison that are under way: what derives from this calls it in its destructor, before
  /// what they use is gone.
  void end_check();

  /// The first one holds the results; all are between guard zones. The reference is good until the next call.
  const cl::Buffer& add_output(std::string name, std::size_t bytes);
  const cl::Buffer& output(std::size_t index) const { return outputs_[index].buffer(); }
  const Device& device() const { return device_; }
  Queue& queue() { return queue_; }
  TuneTimer& timer() { return timer_; }

 private:
  std::string judge_all(const TuneValues& values);

  Device device_;
  Queue queue_;
  TuneTimer timer_;
  std::vector<GuardedBuffer> outputs_;
  std::vector<HostMirror> mirrors_;
  std::vector<cl::Event> reads_;
  TuneValues values_;
  Background<std::string> judging_;
};

}  // namespace orrery
