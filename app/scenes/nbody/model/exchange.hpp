/// Transfers between the devices of a simulation, of one process or of many: positions after each step, the forces of
/// pairs on others' bodies in each evaluation, and at the end of a burst the whole state to the first device.
///
/// Everything is enqueued on the members' links; nothing waits. A buffer is overwritten only when all have read its
/// content, because a device's next positions depend on those that it received from every other device. Therefore two
/// alternating buffers of positions, and one of everything else, suffice. Where each device moves all bodies, as with a
/// tree or individual steps, only the field is exchanged, and a sender waits until all have used its last data. Used by
/// the thread that owns the queues.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "base/work/ranks.hpp"
#include "compute/queue/handover.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/model/member.hpp"

namespace orrery {

/// The process of each of a run's devices, in the order of the ranks.
struct NbodyCompany {
  Ranks* ranks = nullptr;         ///< null where there is one process
  std::vector<int> rank_of = {};  ///< rank of each device

  bool is_here(std::size_t device) const { return ranks == nullptr || rank_of[device] == ranks->rank(); }
  /// The first device of this process.
  std::size_t first_here() const;
};

/// The members of this process, and the devices of the plan that they are.
struct NbodyPresence {
  std::vector<NbodyMember*> members;
  std::vector<std::size_t> places;

  /// The member that is this device of the plan.
  std::size_t member_at(std::size_t place) const {
    return static_cast<std::size_t>(std::ranges::find(places, place) - places.begin());
  }
};

/// The region of a parcel in a field of `bodies` bodies with `bytes` bytes each.
Region field_of(const NbodyParcel& parcel, std::size_t bodies, std::size_t bytes);

/// The part of an exchange between the processes of a run on many machines (base/work/ranks.hpp): passes the same data
/// as NbodyExchange, at the same places, between devices of different processes.
///
/// Devices read into pinned memory and write from it; in between a thread of Ranks sends and receives. Nothing here
/// waits: queues wait for events.
class NbodyRankExchange {
 public:
  /// `company` has ranks.
  NbodyRankExchange(const NbodyPresence& here, const NbodyPlan& plan, const NbodyCompany& company, std::size_t bodies,
                    Precision precision);

  // Data for members of other processes are read on the members' links; received data are written there.

  void send_positions(std::size_t index);
  /// The rest of the state goes to the first process.
  void gather(std::size_t index);
  /// True if all members of this process have summed the next piece of the field; false after the last piece.
  bool field_due() const;
  bool field_begun() const { return sent_ > 0; }
  void send_field();
  /// All pieces have been sent; the next one is the first of the next field.
  void end_field() { sent_ = 0; }

 private:
  struct Outgoing {
    std::size_t member;
    Region region;
    std::size_t at;  // offset in host memory
    std::vector<int> to;
  };
  struct Incoming {
    int from;
    Region region;
    std::size_t at;
    std::optional<std::size_t> to = {};  // the receiving member; none: all
  };
  struct Round {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
  };
  using BufferOf = std::function<cl::Buffer(const NbodyMember&)>;

  void swap(const Round& round, const BufferOf& buffer_of);
  Region rows(std::size_t first, std::size_t end) const { return {first * bytes_, (end - first) * bytes_}; }
  Region field_of(const NbodyParcel& parcel) const { return orrery::field_of(parcel, bodies_, bytes_); }

  Ranks& ranks_;
  std::vector<NbodyMember*> members_;
  std::size_t bodies_, bytes_;
  Round positions_, state_;
  std::vector<Round> field_;
  std::size_t sent_ = 0;            // rounds of the field under way
  std::vector<cl::Event> at_rest_;  // the last writes from host memory
  HostMirror memory_;
};

/// The way of transfer: through pinned host memory, or by copies between buffers of one context.
enum class Exchange { host, direct };

/// Throws a usage Error when these devices cannot exchange that way.
void check_exchange(std::span<const Device> devices, Exchange exchange);

class NbodyExchange {
 public:
  /// Borrows the members of this process, all of which have bodies: two or more, or one where there are other
  /// processes. The first member draws.
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
  /// Where each device moves all bodies: sends the pieces of the field that are complete since the last call, and
  /// send_field() does the rest.
  void send_summed(Queue& first);
  /// Sends positions from the buffers of this index after `advanced` (a marker for each member).
  void send_positions(Queue& first, std::size_t index, std::span<const cl::Event> advanced);
  /// Sends the rest of the state of the others' bodies to the first member, and to that of the first process.
  void gather(Queue& first, std::size_t index, std::span<const cl::Event> advanced);

 private:
  void trace_beside(Queue& first);
  void flush(Queue& first);
  bool all_move_all() const { return members_.front()->moves_all(); }
  // Entries of the field that one member sums, and the members that receive them.
  struct Sending {
    NbodyParcel parcel;
    std::vector<std::size_t> to;
    Handover handover;
    bool sent = false;  // of the present field
  };
  void send(std::span<Sending* const> sendings);
  Region bodies_of(std::size_t member) const;
  Region field_of(const NbodyParcel& parcel) const { return orrery::field_of(parcel, bodies_, bytes_); }
  cl::Context context(std::size_t member) const { return members_[member]->device().context(); }

  std::vector<NbodyMember*> members_;
  std::size_t bodies_, bytes_;                      // bytes per real4
  std::vector<Queue> queues_;                       // one per member but the first
  std::array<std::vector<Handover>, 2> positions_;  // one per member, by the index of the buffers
  std::vector<Sending> field_;
  std::vector<std::vector<Handover>> state_;  // per member but the first, one per buffer
  std::optional<NbodyRankExchange> ranks_;    // null with a single process
};

}  // namespace orrery
