#include "compute/queue/host_mirror.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace orrery {

HostMirror::HostMirror(const Device& device, Queue& queue, std::size_t bytes, Mapping mapping)
    : queue_(queue.handle()), bytes_(bytes) {
  const DriverCall watched(device.info());
  buffer_ = device.buffer(bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
  try {
    const cl_bool blocking = mapping == Mapping::waited ? CL_TRUE : CL_FALSE;
    data_ = queue_.enqueueMapBuffer(buffer_, blocking, CL_MAP_READ | CL_MAP_WRITE, 0, std::max<std::size_t>(bytes, 1));
  } catch (const cl::Error& error) {
    throw opencl_error(error, "mapping " + bytes_text(static_cast<double>(bytes)), device.info().name);
  }
}

HostMirror::~HostMirror() { unmap(); }

HostMirror::HostMirror(HostMirror&& other) noexcept
    : queue_(std::move(other.queue_)),
      buffer_(std::move(other.buffer_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

HostMirror& HostMirror::operator=(HostMirror&& other) noexcept {
  if (this != &other) {
    unmap();
    queue_ = std::move(other.queue_);
    buffer_ = std::move(other.buffer_);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

void HostMirror::unmap() noexcept {
  // The C call, because a destructor cannot handle an exception.
  if (data_ != nullptr) clEnqueueUnmapMemObject(queue_(), buffer_(), data_, 0, nullptr, nullptr);
  data_ = nullptr;
}

}  // namespace orrery
