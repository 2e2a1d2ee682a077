/// The stage of an exchange between the processes of a run on many machines (base/work/ranks.hpp): what NbodyExchange
/// passes between the devices of one process, this passes between those of different ones, at the same places.
///
/// Devices read into pinned memory and write from it; in between a thread of Ranks sends and receives. Nothing here
/// waits: queues wait for events. Used by the thread that owns the queues.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/work/ranks.hpp"
#include "compute/queue/host_mirror.hpp"
#include "scenes/nbody/model/member.hpp"

namespace orrery {

/// Which of a run's devices are those of which process. All in one order, that of the ranks.
struct NbodyCompany {
  Ranks* ranks = nullptr;         ///< null where there is one process
  std::vector<int> rank_of = {};  ///< of each device

  bool is_here(std::size_t device) const { return ranks == nullptr || rank_of[device] == ranks->rank(); }
  /// The first device of this process.
  std::size_t first_here() const;
};

/// The members of this process, and the devices of the plan that they are.
struct NbodyPresence {
  std::vector<NbodyMember*> members;
  std::vector<std::size_t> places;
};

class NbodyRankExchange {
 public:
  /// `company` has ranks.
  NbodyRankExchange(const NbodyPresence& here, const NbodyPlan& plan, const NbodyCompany& company, std::size_t bodies,
                    Precision precision);

  // What members of other processes need is read on the members' links, and written there when it has come.

  void send_positions(std::size_t index);
  /// The rest of the state goes to the first process.
  void gather(std::size_t index);
  /// The next piece of the field has been summed by all members of this process; no more is due after the last one.
  bool field_due() const;
  bool field_begun() const { return sent_ > 0; }
  void send_field();
  /// All pieces have been sent; the next one is the first of the next field.
  void end_field() { sent_ = 0; }

 private:
  struct Outgoing {
    std::size_t member;
    Region region;
    std::size_t at;  // in host memory
    std::vector<int> to;
  };
  struct Incoming {
    int from;
    Region region;
    std::size_t at;
    std::optional<std::size_t> to = {};  // a member; none: all
  };
  struct Round {
    std::vector<Outgoing> outgoing;
    std::vector<Incoming> incoming;
  };
  using BufferOf = std::function<cl::Buffer(const NbodyMember&)>;

  void swap(const Round& round, const BufferOf& buffer_of);
  Region rows(std::size_t first, std::size_t end) const { return {first * bytes_, (end - first) * bytes_}; }
  Region field_of(const NbodyParcel& parcel) const;

  Ranks& ranks_;
  std::vector<NbodyMember*> members_;
  std::size_t bodies_, bytes_;
  Round positions_, state_;
  std::vector<Round> field_;
  std::size_t sent_ = 0;            // rounds of the field under way
  std::vector<cl::Event> at_rest_;  // the last writes from host memory
  HostMirror memory_;
};

}  // namespace orrery
