/// What the devices of a simulation tell each other: positions after each step, what their pairs pull on others' bodies
/// in each evaluation, and at the end of a burst the whole state to the first device.
///
/// All of it is enqueued on the members' links; nothing waits. A buffer is overwritten only when everyone has read what
/// it held, because the next positions of a device depend on those that every other device had from it: so two
/// alternating buffers, and one for everything else, are enough. The thread that owns the queues.
#pragma once

#include "compute/queue/handover.hpp"
#include "scenes/nbody/model/member.hpp"

namespace orrery {

/// How: through pinned host memory, or by copies between buffers of one context.
enum class Exchange { host, direct };

/// Throws a usage Error when these devices cannot exchange that way.
void check_exchange(std::span<const Device> devices, Exchange exchange);

class NbodyExchange {
 public:
  /// Borrows members, all of which have bodies; there are at least two, and the first is the one that draws. A parcel's
  /// devices are indices of `members`.
  NbodyExchange(std::vector<NbodyMember*> members, std::vector<NbodyParcel> parcels, std::size_t bodies,
                Precision precision, Exchange exchange);

  /// The queue of each member; `first` is the caller's.
  Queue& queue(std::size_t member, Queue& first) { return member == 0 ? first : queues_[member - 1]; }

  /// Everything that is enqueued from now on begins after what is in `first`.
  void fork(Queue& first);
  /// What is enqueued on `first` from now on begins after everything that the members do. Hands all of it to the
  /// devices.
  void join(Queue& first);

  /// The field's entries of others' bodies, when all of the field is enqueued; each member's queue then waits for all
  /// of its own. Hands everything so far to the devices: what one waits for another must have been told to do.
  void send_field(Queue& first);
  /// Positions as `advanced` (a marker for each member) leaves them in the buffers of that index.
  void send_positions(std::size_t index, std::span<const cl::Event> advanced);
  /// What else there is to know of the others' bodies, to the first member.
  void gather(std::size_t index, std::span<const cl::Event> advanced);

 private:
  void trace_beside(Queue& first);
  void flush(Queue& first);
  Region bodies_of(std::size_t member) const;
  Region field_of(const NbodyParcel& parcel) const;
  cl::Context context(std::size_t member) const { return members_[member]->device().context(); }

  std::vector<NbodyMember*> members_;
  std::vector<NbodyParcel> parcels_;
  std::size_t bodies_, bytes_;                      // bytes of a real4
  std::vector<Queue> queues_;                       // of all members but the first
  std::array<std::vector<Handover>, 2> positions_;  // of each member, by the index of the buffers
  std::vector<Handover> field_;                     // of each parcel
  std::vector<std::vector<Handover>> state_;        // of each member but the first, of each buffer
};

}  // namespace orrery
