#include "compute/queue/guarded_buffer.hpp"

#include <algorithm>

#include "compute/device/work_group.hpp"

namespace orrery {
namespace {

constexpr cl_uchar untouched = 0xa5;
constexpr cl_uchar unwritten = 0xff;  // for every byte: a NaN that no kernel returns

// Sub-buffers need the alignment of the device.
std::size_t margin_of(const Device& device) {
  const std::size_t alignment = device.handle().getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8;
  return round_up(GuardedBuffer::zone, std::max<std::size_t>(alignment, 1));
}

}  // namespace

GuardedBuffer::GuardedBuffer(const Device& device, std::string name, std::size_t bytes)
    : name_(std::move(name)), bytes_(bytes), margin_(margin_of(device)), whole_(device.buffer(all_bytes())) {
  try {
    const cl_buffer_region region{margin_, bytes_};
    inner_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
  } catch (const cl::Error& error) {
    throw opencl_error(error, "dividing a buffer", device.info().name);
  }
}

void GuardedBuffer::arm(Queue& queue) const {
  queue.fill(whole_, untouched, all_bytes());
  queue.fill(inner_, unwritten, bytes_);
}

cl::Event GuardedBuffer::read(Queue& queue, void* memory) const { return queue.read(whole_, memory, all_bytes()); }

std::string GuardedBuffer::damage(std::span<const std::byte> read) const {
  const auto touched = [](std::byte byte) { return byte != std::byte{untouched}; };
  const auto before = read.first(margin_), after = read.last(margin_);
  if (const auto at = std::ranges::find_if(after, touched); at != after.end())
    return "writes " + std::to_string(at - after.begin()) + " bytes beyond the end of " + name_;
  if (const auto at = std::find_if(before.rbegin(), before.rend(), touched); at != before.rend())
    return "writes " + std::to_string(at - before.rbegin() + 1) + " bytes before the beginning of " + name_;
  return {};
}

}  // namespace orrery
