/// The devices of one process that sum a field together: their queues, the exchange between them, and how far each has
/// come.
///
/// Borrows the members. Used by the thread that owns the first device's queue, which is the caller's; nothing waits
/// except wait().
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "scenes/nbody/model/exchange.hpp"
#include "scenes/nbody/model/member.hpp"

namespace orrery {

class NbodyCrew {
 public:
  /// Between bursts. `here`: the members that have bodies; the first device is always one of them.
  void use(NbodyPresence here, const NbodyPlan& plan, const NbodyCompany& company, std::size_t bodies,
           Precision precision, Exchange exchange);

  /// True if no other device takes part, in this process or another one.
  bool alone() const { return !exchange_; }
  NbodyMember& first() const { return *members_.front(); }
  const std::vector<NbodyMember*>& members() const { return members_; }
  Queue& queue(std::size_t member, Queue& first) { return exchange_ ? exchange_->queue(member, first) : first; }

  /// The start of a slice; `begins`: of the first slice of a burst.
  void begin_slice(Queue& first, bool begins);
  void end_slice(Queue& first);
  /// Waits for the end of the last slice, unless alone.
  void wait() const;

  void begin_force(bool with_potential, bool again);
  bool force_complete() const;
  double force_progress() const;
  /// Enqueues one launch on each device, side by side, and sends what is complete. Returns the longest expected
  /// seconds.
  double enqueue_force(Queue& first, const NbodyFieldTerms& terms);
  /// The same for bodies whose individual steps end: each device sums all of their field itself, or its share.
  double enqueue_listed(Queue& first, const NbodyFieldTerms& terms, NbodySubstep substep);
  void end_field(Queue& first);

  bool holds_error() const { return members_.front()->holds_error(); }
  void begin_control(std::int64_t draw);
  /// Like enqueue_force(), until control_complete().
  double enqueue_control(Queue& first, const NbodyFieldTerms& terms);
  bool control_complete() const;

  /// Calls `enqueue` with each member and its queue.
  template <class Function>
  void each(Queue& first, Function enqueue) {
    for (std::size_t k = 0; k < members_.size(); ++k) enqueue(*members_[k], queue(k, first));
  }
  /// Markers of all work so far; none if alone.
  std::vector<cl::Event> markers(Queue& first);
  /// See NbodyExchange; do nothing if alone.
  void send_positions(Queue& first, std::size_t index, std::span<const cl::Event> advanced);
  void gather(Queue& first, std::size_t index, std::span<const cl::Event> advanced);

  /// The members that have completed less of the enqueued work than the others. Queries the driver and never waits.
  std::vector<const NbodyMember*> behind() const;

 private:
  void set_landmarks(Queue& first);
  void send_field(Queue& first);

  std::vector<NbodyMember*> members_;
  std::optional<NbodyExchange> exchange_;          // null if alone
  cl::Event joined_;                               // the end of the last slice of several devices
  std::vector<std::vector<cl::Event>> landmarks_;  // for each member: ends of its own work, each before it waits for
                                                   // others; the same number for each
};

}  // namespace orrery
