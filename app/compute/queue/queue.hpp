/// An in-order command queue; all commands are enqueued here.
///
/// Only finish(), wait_until() and the *_blocking calls wait. Failures are thrown as Error with the device's name. One
/// thread at a time, for a queue and those beside it.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>

#include "base/clock.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/device/device.hpp"
#include "compute/queue/profiler.hpp"

namespace orrery {

/// A one- or two-dimensional NDRange. `global` must be a multiple of `local`.
struct Range {
  cl::NDRange global;
  cl::NDRange local = cl::NullRange;
  cl::NDRange offset = cl::NullRange;
};

/// A region of a buffer: `rows` of `bytes` each, `pitch` apart, beginning at `offset`. Rows do not wrap: offset % pitch
/// + bytes ≤ pitch.
struct Region {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::size_t rows = 1;
  std::size_t pitch = 0;  ///< unused for a single row
  std::size_t size() const { return rows * bytes; }
  bool operator==(const Region&) const = default;
};

/// Events of commands for a device on another machine that may not have ended. When such a device is lost, PoCL 6.0
/// unlocks a lock of an event that it does not hold (pocl_update_event_device_lost), and aborts the process at the last
/// release of the event: events of failed commands are therefore never released.
class KeptEvents {
 public:
  explicit KeptEvents(const DeviceInfo& device) : needed_(is_remote(device)) {}
  KeptEvents(KeptEvents&&) = default;
  KeptEvents& operator=(KeptEvents&&) = default;
  ~KeptEvents();
  /// The event if it must be kept, else null.
  cl::Event* wanted(cl::Event& event) const { return needed_ ? &event : nullptr; }
  void keep(const cl::Event& event);

 private:
  bool needed_;
  std::deque<cl::Event> events_;
};

class Queue {
 public:
  explicit Queue(const Device& device) : Queue(device, Profiler(), std::make_shared<Shared>()) {}
  /// A second queue of the same device; the first one's profiler counts and names the launches of both.
  Queue(const Device& device, const Queue& first) : Queue(device, first.profiler_.beside(), first.shared_) {}

  const DeviceInfo& device() const { return info_; }
  const cl::CommandQueue& handle() const { return *queue_; }
  Profiler& profiler() { return profiler_; }
  const Profiler& profiler() const { return profiler_; }

  /// `name` labels the launch in the profiler; `work` is its amount of work for later prediction.
  void launch(std::string_view name, const cl::Kernel& kernel, const Range& range, const Work& work = {});
  /// The program whose kernel was launched under `name`, or null. The caller must not release it.
  cl_program program_of(std::string_view name) const;
  /// The names of all launches so far, in alphabetical order.
  std::vector<std::string> launched() const;
  /// Gives every launch an event, which is also appended to `events`; null: stops.
  void collect_into(std::vector<cl::Event>* events) { collected_ = events; }
  cl::Event copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes, std::size_t from_offset = 0,
                 std::size_t to_offset = 0);
  /// Asynchronous. The host memory must stay valid until the event completes and should be pinned (HostMirror):
  /// some drivers wait inside the call for pageable memory.
  cl::Event read(const cl::Buffer& from, void* to, std::size_t bytes, std::size_t from_offset = 0);
  cl::Event write(const cl::Buffer& to, const void* from, std::size_t bytes, std::size_t to_offset = 0);
  /// The same for a region; its rows are contiguous in host memory.
  cl::Event read(const cl::Buffer& from, void* to, const Region& region);
  cl::Event write(const cl::Buffer& to, const void* from, const Region& region);
  /// Copies to the same place.
  cl::Event copy(const cl::Buffer& from, const cl::Buffer& to, const Region& region);
  /// Fills with copies of the value.
  template <class T>
  void fill(const cl::Buffer& buffer, T value, std::size_t bytes, std::size_t offset = 0) {
    checked("filling a buffer", [&] {
      cl::Event event;
      queue_->enqueueFillBuffer(buffer, value, offset, bytes, nullptr, kept_.wanted(event));
      kept_.keep(event);
    });
  }
  /// True if a kernel was launched for the first time since the last has_answered(): PoCL compiles at that moment.
  bool may_compile() const { return compiles_; }
  void has_answered() { compiles_ = false; }
  cl::Event marker();
  /// Markers of this queue and of each beside it, all flushed.
  std::vector<cl::Event> markers();
  /// Commands enqueued later begin after the event, which must be of the same context (see relay.hpp). The queue of the
  /// event must be flushed.
  void after(const cl::Event& event);
  cl::Event acquire_gl(const cl::Memory& object);
  cl::Event release_gl(const cl::Memory& object);

  /// Returns when the buffer has the data, also for commands of other queues.
  template <class T>
  void write_blocking(const cl::Buffer& to, std::span<const T> data, std::size_t to_offset = 0) {
    write_bytes_blocking(to, data.data(), data.size_bytes(), to_offset);
  }
  /// Reads into `data`, whose memory is reused.
  template <class T>
  std::vector<T> read_blocking(const cl::Buffer& from, std::size_t count, std::vector<T> data = {}) {
    data.resize(count);
    read_into(from, std::as_writable_bytes(std::span(data)));
    return data;
  }
  /// Fills `data` with the bytes from `from_offset` on.
  void read_into(const cl::Buffer& from, std::span<std::byte> data, std::size_t from_offset = 0);

  /// Submits the enqueued commands to the device; does not wait.
  void flush();
  /// Waits for all commands; for headless use and tear-down only.
  void finish();
  /// Waits until `reached`, a quick test of commands of this queue or those beside it, returns true.
  void wait_until(const std::function<bool()>& reached);
  /// Collects profiles; throws if a command failed.
  void harvest();

 private:
  struct Shared {                                             // shared with the queues beside this one
    std::map<std::string, cl_program, std::less<>> programs;  // keys: names of launches
    std::vector<std::weak_ptr<cl::CommandQueue>> queues;
  };

  Queue(const Device& device, Profiler profiler, std::shared_ptr<Shared> shared);
  void note_program(std::string_view name, const cl::Kernel& kernel);
  void write_bytes_blocking(const cl::Buffer& to, const void* data, std::size_t bytes, std::size_t to_offset);
  /// Calls `enqueue` with an event and records it under `name`.
  template <class F>
  cl::Event recorded(std::string_view name, const char* attempted, std::size_t bytes, F&& enqueue) {
    return checked(attempted, [&] {
      const Asked asked{profiler_.tracing() ? now_nanoseconds() : 0, {}, {}};
      cl::Event event;
      enqueue(&event);
      kept_.keep(event);
      profiler_.record(name, event, Work(static_cast<double>(bytes)), asked);
      return event;
    });
  }
  template <class F>
  std::invoke_result_t<F> checked(const char* attempted, F&& call) {
    const DriverCall watched(info_);
    try {
      return std::forward<F>(call)();
    } catch (const cl::Error& error) {
      throw opencl_error(error, attempted, info_.name);
    }
  }

  DeviceInfo info_;
  std::shared_ptr<cl::CommandQueue> queue_;
  Profiler profiler_;
  KeptEvents kept_;
  std::vector<cl::Event>* collected_ = nullptr;
  std::shared_ptr<Shared> shared_;
  std::set<cl_kernel> known_;  // launched kernels
  bool compiles_ = false;
};

/// True if the event is complete or failed; never waits. A null event counts as complete.
bool is_complete(const cl::Event& event);
/// True if the event is complete without an error.
bool has_succeeded(const cl::Event& event);

}  // namespace orrery
