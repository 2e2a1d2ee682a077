/// A region of one device's buffer on its way to the same place in other devices' buffers.
///
/// Within a context the sender may copy; otherwise it passes through pinned host memory, which this owns. Nothing
/// waits. One thread, that of all the queues.
#pragma once

#include <optional>

#include "compute/queue/host_mirror.hpp"

namespace orrery {

class Handover {
 public:
  /// `bytes` of the largest region that it will carry. `direct`: the receivers are of the sender's context.
  Handover(const Device& sender, Queue& queue, std::size_t bytes, bool direct);
  ~Handover();
  Handover(Handover&&) noexcept = default;
  Handover& operator=(Handover&&) noexcept = delete;

  /// Takes the region as it is at this place of the sender's queue. All receivers must have got the last one before:
  /// that is up to the caller's order of events.
  void begin(Queue& sender, const cl::Buffer& from, const Region& region);
  /// What is enqueued on `receiver` from now on begins after the region has arrived in `to`.
  void deliver(Queue& sender, Queue& receiver, const cl::Buffer& to);

 private:
  cl::Context context_;
  cl::CommandQueue queue_;
  std::optional<HostMirror> memory_;  // none where it is copied directly
  cl::Buffer from_;
  Region region_;
  cl::Event read_;
  std::vector<cl::Event> written_;  // by the receivers of the present region
};

}  // namespace orrery
