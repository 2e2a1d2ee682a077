/// Copies a region of one device's buffer to the same place in other devices' buffers.
///
/// Within a context the receivers copy directly; otherwise the data passes through pinned host memory of this class.
/// Nothing waits. One thread, that of all the queues.
#pragma once

#include <optional>

#include "compute/queue/host_mirror.hpp"

namespace orrery {

/// An event that another context can wait for: `event` itself if it belongs to that context; otherwise an event of that
/// context that completes, or fails, after it. The queue of `event` must be flushed. Any thread; never waits.
cl::Event relayed(const cl::Event& event, const cl::Context& context);

class Handover {
 public:
  /// `bytes` is the size of the largest region. `direct`: the receivers belong to the sender's context.
  Handover(const Device& sender, Queue& queue, std::size_t bytes, bool direct);
  ~Handover();
  Handover(Handover&&) noexcept = default;
  Handover& operator=(Handover&&) noexcept = delete;

  /// Takes the region in its state at this place of the sender's queue. All receivers must have received the previous
  /// region, which the caller ensures by the order of events.
  void begin(Queue& sender, const cl::Buffer& from, const Region& region);
  /// Commands enqueued on `receiver` after this call begin when the region is in `to`.
  void deliver(Queue& sender, Queue& receiver, const cl::Buffer& to);

 private:
  cl::Context context_;
  cl::CommandQueue queue_;
  std::optional<HostMirror> memory_;  // none for direct copies
  cl::Buffer from_;
  Region region_;
  cl::Event read_;
  std::vector<cl::Event> written_;  // events of the receivers of the present region
};

}  // namespace orrery
