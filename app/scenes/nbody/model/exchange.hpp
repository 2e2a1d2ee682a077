/// Transfers between the devices of a simulation: positions after each step, what their pairs pull on others' bodies
/// in each evaluation, and at the end of a burst the whole state to the first device.
///
/// Everything is enqueued on the members' links; nothing waits. A buffer is overwritten only when all have read its
/// content, because a device's next positions depend on those that it received from every other device. Therefore two
/// alternating buffers of positions, and one of everything else, suffice. Where each device moves all bodies, as with a
/// tree, only the field is exchanged, and who sends waits until all have used what was sent last. Used by the thread
/// that owns the queues.
#pragma once

#include "compute/queue/handover.hpp"
#include "scenes/nbody/model/member.hpp"
#include "scenes/nbody/model/rank_exchange.hpp"

namespace orrery {

/// The way of transfer: through pinned host memory, or by copies between buffers of one context.
enum class Exchange { host, direct };

/// Throws a usage Error when these devices cannot exchange that way.
void check_exchange(std::span<const Device> devices, Exchange exchange);

class NbodyExchange {
 public:
  /// Borrows the members of this process, all of which have bodies: two or more, or one where there are other
  /// processes. The first one draws.
  NbodyExchange(const NbodyPresence& here, const NbodyPlan& plan, const NbodyCompany& company, std::size_t bodies,
                Precision precision, Exchange exchange);

  /// The queue of each member; `first` is the caller's.
  Queue& queue(std::size_t member, Queue& first) { return member == 0 ? first : queues_[member - 1]; }

  /// Work that is enqueued from now on begins after the work that is in `first`.
  void fork(Queue& first);
  /// Work that is enqueued on `first` from now on begins after all work of the members. Flushes all queues to the
  /// devices.
  void join(Queue& first);

  /// Sends the field's entries of other members' bodies, when all of the field is enqueued; each member's queue waits
  /// for its own. Flushes everything: a command that another device waits for must have reached its driver.
  void send_field(Queue& first);
  /// Sends the pieces of the field that have been walked for since the last call; send_field() does the rest. Does
  /// nothing without a tree.
  void send_walked(Queue& first);
  /// Sends positions from the buffers of this index after `advanced` (a marker for each member).
  void send_positions(Queue& first, std::size_t index, std::span<const cl::Event> advanced);
  /// Sends the rest of the state of the others' bodies to the first member, and to that of the first process.
  void gather(Queue& first, std::size_t index, std::span<const cl::Event> advanced);

 private:
  void trace_beside(Queue& first);
  void flush(Queue& first);
  bool all_move_all() const { return members_.front()->moves_all(); }
  void send(std::span<const std::size_t> parcels);
  Region bodies_of(std::size_t member) const;
  Region field_of(const NbodyParcel& parcel) const;
  cl::Context context(std::size_t member) const { return members_[member]->device().context(); }

  std::vector<NbodyMember*> members_;
  std::vector<NbodyParcel> parcels_;
  std::size_t bodies_, bytes_;                      // bytes per real4
  std::vector<Queue> queues_;                       // of all members but the first
  std::array<std::vector<Handover>, 2> positions_;  // of each member, by the index of the buffers
  std::vector<Handover> field_;                     // of each parcel
  std::vector<bool> sent_;                          // of each parcel of the field under way
  std::vector<std::vector<Handover>> state_;        // of each member but the first, of each buffer
  std::optional<NbodyRankExchange> ranks_;          // where there are other processes
};

}  // namespace orrery
