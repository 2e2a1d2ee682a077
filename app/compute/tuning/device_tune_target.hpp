/// Shared parts of tuning targets on a device: a queue, outputs between guard zones, and their comparison with the
/// reference on a worker thread.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/work/background.hpp"
#include "compute/queue/host_mirror.hpp"
#include "compute/queue/queue.hpp"
#include "compute/tuning/element_group.hpp"
#include "compute/tuning/tune_target.hpp"

namespace orrery {

/// Seconds between the start and the end of an event; nothing if the driver reports none, or if the times are zero or
/// out of order.
std::optional<double> device_seconds(cl_ulong start, cl_ulong end);

/// Times enqueued work by the launches' events and by the host's clock; never waits.
/// Refers to the queue. One thread.
class TuneTimer {
 public:
  explicit TuneTimer(Queue& queue) : queue_(queue) {}
  ~TuneTimer() { queue_.collect_into(nullptr); }
  TuneTimer(const TuneTimer&) = delete;
  TuneTimer& operator=(const TuneTimer&) = delete;

  /// Times the commands that `enqueue` enqueues, and flushes the queue.
  void time(const std::function<void()>& enqueue);
  /// The times once all commands are complete. Throws an Error if a launch failed.
  std::optional<TuneRun::Times> poll();

 private:
  Queue& queue_;
  std::vector<cl::Event> events_;
  double began_ = 0;
};

/// A device buffer between two guard zones, which reveals writes out of bounds on any device.
/// One thread.
class GuardedBuffer {
 public:
  /// Each zone has at least `zone` bytes.
  static constexpr std::size_t zone = 64 << 10;

  GuardedBuffer(const Device& device, std::string name, std::size_t bytes);

  /// The sub-buffer for kernels.
  const cl::Buffer& buffer() const { return inner_; }
  std::size_t bytes() const { return bytes_; }
  /// The size of the zones and the content together.
  std::size_t all_bytes() const { return bytes_ + 2 * margin_; }

  /// Fills the zones with a pattern, and the content with NaN bytes.
  void arm(Queue& queue) const;
  /// Reads everything into `memory` of all_bytes(); asynchronous.
  cl::Event read(Queue& queue, void* memory) const;
  /// The content that was read, without the zones.
  std::span<const std::byte> content(std::span<const std::byte> read) const { return read.subspan(margin_, bytes_); }
  /// A description of the damage to a zone; empty if there is none.
  std::string damage(std::span<const std::byte> read) const;

 private:
  std::string name_;
  std::size_t bytes_, margin_;
  cl::Buffer whole_, inner_;
};

class DeviceTuneTarget : public TuneTarget {
 public:
  explicit DeviceTuneTarget(const Device& device) : device_(device), queue_(device), timer_(queue_) {}

  void arm() override;
  void begin_check(const TuneValues& values) override;
  std::optional<std::string> poll_check() override;

 protected:
  /// A description of the first output's error; empty if it is right. Called on a worker thread, never during a run.
  virtual std::string judge(const TuneValues& values, std::span<const std::byte> content) = 0;

  /// Waits for pending reads and comparisons. Derived classes call it in their destructor, before their members are
  /// destroyed.
  void end_check();

  /// The first output holds the results; all are between guard zones. The reference is valid until the next call.
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

/// Tunes the work-group of an elementwise kernel. A model adds the kernel, its data and the expected result. Its
/// destructor calls end_check().
class ElementTarget : public DeviceTuneTarget {
 public:
  ElementTarget(const Device& device, int dimensions, TuneSubject subject, std::size_t elements)
      : DeviceTuneTarget(device), subject_(std::move(subject)), space_(element_space(device.info(), dimensions)) {
    subject_.work = static_cast<double>(elements);
  }

  const TuneSubject& subject() const override { return subject_; }
  const TuneSpace& space() const override { return space_; }
  TuneValues standard() const override { return element_values(space_, standard_element_group(device().info())); }
  std::string refuse(const TuneValues& values) const override;
  std::unique_ptr<TuneRun> prepare(const TuneValues& values) override;

  /// Restores the data that a run changes; enqueued, not timed.
  virtual void restore() {}
  virtual void launch(const ElementGroup& group) = 0;
  using DeviceTuneTarget::timer;

 protected:
  /// The kernel with its arguments.
  virtual const cl::Kernel& kernel() const = 0;

 private:
  TuneSubject subject_;
  TuneSpace space_;
};

}  // namespace orrery
