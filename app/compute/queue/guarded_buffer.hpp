/// A device buffer between two zones that nothing may write to: finds writes out of bounds on any device.
#pragma once

#include <span>
#include <string>

#include "compute/queue/queue.hpp"

namespace orrery {

/// One thread.
class GuardedBuffer {
 public:
  /// Each zone has at least so many bytes.
  static constexpr std::size_t zone = 64 << 10;

  GuardedBuffer(const Device& device, std::string name, std::size_t bytes);

  /// What kernels take: a sub-buffer of so many bytes.
  const cl::Buffer& buffer() const { return inner_; }
  std::size_t bytes() const { return bytes_; }
  /// Of everything: the zone, the content, the zone.
  std::size_t all_bytes() const { return bytes_ + 2 * margin_; }

  /// Fills the zones with a pattern, and the content with bytes that are no number.
  void arm(Queue& queue) const;
  /// Reads everything into `memory` of all_bytes(); asynchronous.
  cl::Event read(Queue& queue, void* memory) const;
  /// What has been read, without the zones.
  std::span<const std::byte> content(std::span<const std::byte> read) const { return read.subspan(margin_, bytes_); }
  /// How a zone was written to, empty when none was.
  std::string damage(std::span<const std::byte> read) const;

 private:
  std::string name_;
  std::size_t bytes_, margin_;
  cl::Buffer whole_, inner_;
};

}  // namespace orrery
