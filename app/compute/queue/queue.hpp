/// An in-order command queue: the one place that every enqueue passes through.
///
/// Nothing but finish() and the *_blocking calls ever waits. Errors are thrown as our Error with the device's name.
/// One thread at a time.
#pragma once

#include <map>
#include <span>
#include <string>

#include "base/clock.hpp"
#include "compute/device/device.hpp"
#include "compute/queue/profiler.hpp"

namespace orrery {

/// A one- or two-dimensional NDRange. `global` must be a multiple of `local`.
struct Range {
  cl::NDRange global;
  cl::NDRange local = cl::NullRange;
  cl::NDRange offset = cl::NullRange;
};

/// Of a buffer: `rows` of `bytes` each, their beginnings `pitch` apart; the first begins at `offset`. The rows do not
/// wrap: offset % pitch + bytes ≤ pitch.
struct Region {
  std::size_t offset = 0;
  std::size_t bytes = 0;
  std::size_t rows = 1;
  std::size_t pitch = 0;  ///< of no meaning for one row
  std::size_t size() const { return rows * bytes; }
  bool operator==(const Region&) const = default;
};

class Queue {
 public:
  explicit Queue(const Device& device);

  const DeviceInfo& device() const { return info_; }
  const cl::CommandQueue& handle() const { return queue_; }
  Profiler& profiler() { return profiler_; }

  /// `name` labels the launch in the profiler; `work` is its amount of work for later prediction.
  void launch(std::string_view name, const cl::Kernel& kernel, const Range& range, const Work& work = {});
  /// That the launches of this name are of; null when there were none. Not retained.
  cl_program program_of(std::string_view name) const;
  /// From now on every launch has an event, which is appended there as well; null ends it.
  void collect_into(std::vector<cl::Event>* events) { collected_ = events; }
  cl::Event copy(const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes, std::size_t from_offset = 0,
                 std::size_t to_offset = 0);
  /// Asynchronous. The host memory must stay valid until the event completes and should be pinned (HostMirror):
  /// some drivers wait inside the call for pageable memory.
  cl::Event read(const cl::Buffer& from, void* to, std::size_t bytes, std::size_t from_offset = 0);
  cl::Event write(const cl::Buffer& to, const void* from, std::size_t bytes, std::size_t to_offset = 0);
  /// The same of a region, the rows one after another in host memory.
  cl::Event read(const cl::Buffer& from, void* to, const Region& region);
  cl::Event write(const cl::Buffer& to, const void* from, const Region& region);
  /// To the same place.
  cl::Event copy(const cl::Buffer& from, const cl::Buffer& to, const Region& region);
  /// With copies of the value.
  template <class T>
  void fill(const cl::Buffer& buffer, T value, std::size_t bytes, std::size_t offset = 0) {
    checked("filling a buffer", [&] { queue_.enqueueFillBuffer(buffer, value, offset, bytes); });
  }
  cl::Event marker();
  /// What is enqueued from now on begins after the event, which is of the same context (see relay.hpp). The queue that
  /// makes it must be flushed.
  void after(const cl::Event& event);
  cl::Event acquire_gl(const cl::Memory& object);
  cl::Event release_gl(const cl::Memory& object);

  template <class T>
  void write_blocking(const cl::Buffer& to, std::span<const T> data) {
    write_bytes_blocking(to, data.data(), data.size_bytes());
  }
  template <class T>
  std::vector<T> read_blocking(const cl::Buffer& from, std::size_t count) {
    std::vector<T> data(count);
    read_bytes_blocking(from, data.data(), count * sizeof(T));
    return data;
  }

  /// Hands the enqueued commands to the device; does not wait.
  void flush();
  /// Waits for everything; for headless use and for tear-down only.
  void finish();
  /// Collects profiles; throws when a command ended in an error.
  void harvest();

 private:
  void note_program(std::string_view name, const cl::Kernel& kernel);
  void write_bytes_blocking(const cl::Buffer& to, const void* data, std::size_t bytes);
  void read_bytes_blocking(const cl::Buffer& from, void* data, std::size_t bytes);
  /// Enqueues what `enqueue` does with an event, and takes note of it under that name.
  template <class F>
  cl::Event recorded(std::string_view name, const char* attempted, std::size_t bytes, F&& enqueue) {
    return checked(attempted, [&] {
      const Asked asked{profiler_.tracing() ? now_nanoseconds() : 0, {}, {}};
      cl::Event event;
      enqueue(&event);
      profiler_.record(name, event, Work(static_cast<double>(bytes)), asked);
      return event;
    });
  }
  template <class F>
  std::invoke_result_t<F> checked(const char* attempted, F&& call) {
    try {
      return std::forward<F>(call)();
    } catch (const cl::Error& error) {
      throw opencl_error(error, attempted, info_.name);
    }
  }

  DeviceInfo info_;
  cl::CommandQueue queue_;
  Profiler profiler_;
  std::vector<cl::Event>* collected_ = nullptr;
  std::map<std::string, cl_program, std::less<>> programs_;  // by the names of launches
};

/// The event is complete (or ended in an error); never waits. A null event counts as complete.
bool is_complete(const cl::Event& event);
/// It is complete, and not in an error.
bool has_succeeded(const cl::Event& event);

}  // namespace orrery
