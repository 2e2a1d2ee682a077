/// Pinned host memory that a queue can read into without waiting.
#pragma once

#include <span>

#include "compute/queue/queue.hpp"

namespace orrery {

/// Owns an ALLOC_HOST_PTR buffer, mapped for its whole life (NVIDIA's oclBandwidthTest shows the pattern).
class HostMirror {
 public:
  /// The time of the mapping: before the constructor returns (it waits for the queue), or asynchronously, for reads
  /// through that queue alone. A window's thread must not wait.
  enum class Mapping { waited, queued };

  HostMirror(const Device& device, Queue& queue, std::size_t bytes, Mapping mapping = Mapping::waited);
  ~HostMirror();
  HostMirror(HostMirror&& other) noexcept;
  HostMirror& operator=(HostMirror&& other) noexcept;

  std::size_t size() const { return bytes_; }
  void* data() { return data_; }
  /// The same for a command of this queue; the memory is released after that command.
  void* data_for(const Queue& queue) {
    queue_ = queue.handle();
    return data_;
  }
  const void* data() const { return data_; }
  template <class T>
  std::span<const T> as(std::size_t count) const {
    return {static_cast<const T*>(data_), count};
  }

 private:
  void unmap() noexcept;

  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace orrery
