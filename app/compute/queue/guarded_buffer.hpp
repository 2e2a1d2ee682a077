/// A device buffer between two guard zones, which reveals writes out of bounds on any device.
#pragma once

#include <span>
#include <string>

#include "compute/queue/queue.hpp"

namespace orrery {

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

}  // namespace orrery
