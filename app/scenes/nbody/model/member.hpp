/// One device of a simulation: its state, its share of the field and its share of each step.
///
/// Owns the positions of all bodies in two alternating buffers (x, y, z, mass); velocities and accelerations (potential
/// in w) of the bodies that it moves; in mixed precision also the corrections of positions and velocities. Each buffer
/// is as long as there are bodies, so that an index has one meaning. Made on any thread; used by the thread
/// that owns the queues.
#pragma once

#include <array>
#include <optional>

#include "scenes/nbody/model/blocks.hpp"
#include "scenes/nbody/model/contact.hpp"
#include "scenes/nbody/model/force.hpp"
#include "scenes/nbody/model/tree.hpp"

namespace orrery {

/// The terms of a field, besides the bodies.
struct NbodyPull {
  double softening = 0, gravity = 1;
  bool operator==(const NbodyPull&) const = default;
};

/// The terms of a launch of the field.
struct NbodyFieldTerms {
  std::size_t index = 0;  ///< the positions, in the alternating buffers
  NbodyPull pull = {};
  double budget = 0;  ///< seconds of device time
};

/// One launch of nbody_advance.cl, between two evaluations of the field.
struct NbodyAdvance {
  std::size_t from = 0, to = 0;  ///< indices of the alternating buffers
  bool closes = false, opens = false;
  double close_kick = 0, open_kick = 0, drift = 0;  ///< durations
  NbodyPull pull = {};
};

class NbodyMember {
 public:
  NbodyMember(const Device& device, std::size_t bodies, Precision precision);

  /// Between evaluations. `alone`: no other device takes part, so that no second queue is needed.
  void use(NbodyKernels kernels, const NbodyShare& share, bool alone);
  const NbodyKernels& kernels() const { return *kernels_; }
  /// Sets the accuracy of the tree, where there is one; see TreeControl::set().
  void set_accuracy(const TreeAccuracy& accuracy, double wanted_error, std::span<const double> errors);
  /// See TreeControl::resume(); false without a tree.
  bool resume_tree(const TreeAccuracy& accuracy, double wanted_error, const TreeMemory& memory) {
    return control_ && control_->resume(accuracy, wanted_error, memory);
  }
  void end_field(Queue& queue) {
    if (control_) control_->end_field(queue);
  }
  /// Null where no error is held.
  const TreeControl* control() const { return control_ && control_->holds() ? &*control_ : nullptr; }
  const NbodyShare& share() const { return share_; }
  const Device& device() const { return device_; }
  std::size_t bodies() const { return bodies_; }

  /// `again`: the bodies have not moved since the last field.
  void begin_force(bool with_potential, bool again);
  bool force_complete() const { return tree_ ? tree_->complete() : near_.complete() && far_.complete(); }
  double force_progress() const;
  /// Enqueues the next launch, at most the budget unless that does not fill the device: on `queue` where it needs no
  /// other device's positions, else on link(). Returns the expected seconds.
  double enqueue_force(Queue& queue, const NbodyFieldTerms& terms);
  /// See TreeControl. Without a tree there is no error, and none is held.
  std::optional<double> found_error(Queue& queue) const { return control_ ? control_->found(queue) : std::nullopt; }
  /// The tree's control, or null.
  TreeControl* control() { return control_ ? &*control_ : nullptr; }
  bool holds_error() const { return control_ && control_->holds(); }
  void begin_control(std::int64_t draw) { control_->begin(draw); }
  bool control_complete() const { return control_->complete(); }
  double enqueue_control(Queue& queue, const NbodyFieldTerms& terms);
  void enqueue_advance(Queue& queue, const NbodyAdvance& step);
  /// Enqueues the contacts of bodies at the positions of this index; requires kernels for contacts.
  void enqueue_contacts(Queue& queue, std::size_t index, const NbodyTouch& touch, bool backwards);

  // ---- individual steps; the kernels are for them

  NbodyBlocks& blocks() { return *blocks_; }
  const NbodyBlocks& blocks() const { return *blocks_; }
  /// Enqueues the start of a step of the bodies at the positions of this index; see NbodyBlocks.
  void open_step(Queue& queue, std::size_t present, const NbodyBlockTerms& terms);
  /// Moves the bodies to the end of a substep, in the other positions. Its field comes next.
  void begin_substep(Queue& queue, std::size_t present, const NbodyBlockTerms& terms, NbodySubstep substep);
  /// Enqueues the next launches of that field; see force_complete().
  double enqueue_listed(Queue& queue, const NbodyFieldTerms& terms);
  void end_substep(Queue& queue, std::size_t present, const NbodyBlockTerms& terms, NbodySubstep substep);
  /// See NbodyBlocks::tell().
  void tell_levels(Queue& queue, std::size_t present, const NbodyBlockTerms& terms, const cl::Buffer& to);
  /// Seconds of a body's field, by the profiler's estimate.
  double seconds_per_body(Queue& queue) const {
    return tree_ ? tree_->seconds_per_body(queue) : near_.seconds_per_body(queue);
  }

  /// The queue that receives from the other devices; exists only where there are others.
  Queue& link() { return *link_; }

  const cl::Buffer& positions(std::size_t index) const { return positions_[index]; }
  const cl::Buffer& velocities() const { return velocities_; }
  const cl::Buffer& accelerations() const { return accelerations_; }
  /// Each device moves all bodies: only the field is exchanged, with a tree in the order of its curve.
  bool moves_all() const { return tree_ || blocks_; }
  /// The buffer that the exchange sends this device's part of the field from, and writes the others' parts into.
  const cl::Buffer& field() const { return tree_ ? tree_->field_on_curve() : moving_field(); }
  /// True if the field of its targets that begin here is enqueued; moves_all().
  bool summed(std::size_t first) const { return tree_ ? tree_->walked(first) : near_.complete(); }
  /// Enqueues the last work on this device's part of a field that is exchanged, which is complete.
  void sum_parts(Queue& queue, const NbodyFieldTerms& terms);
  /// Enqueues the last work on the field, after all parts have arrived.
  void complete_field(Queue& queue) {
    if (tree_) tree_->put_field(queue, *kernels_);
  }
  /// The number of bodies whose field it sums, or with pairs, that it moves.
  std::size_t worked_for() const;
  /// Null buffers except in mixed precision.
  const cl::Buffer& position_corrections(std::size_t index) const { return position_corrections_[index]; }
  const cl::Buffer& velocity_corrections() const { return velocity_corrections_; }
  /// The tree that the field came from, once all of it is enqueued; else null.
  const NbodyTree* tree() const { return tree_ && tree_->complete() ? &*tree_ : nullptr; }
  /// See NbodyTree; there is a tree().
  void measure_leaves(Queue& queue, const cl::Buffer& to) { tree_->measure_leaves(queue, *kernels_, to); }
  void count_interactions(Queue& queue, const cl::Buffer& to) {
    tree_->count_interactions(queue, *kernels_, *control_, to);
  }
  /// The buffers that together hold the state; the positions come first.
  std::vector<cl::Buffer> state(std::size_t index) const;

 private:
  NbodyBlockBodies block_bodies(std::size_t present, bool exchanged = true) const;
  // The field that moves bodies, in this number of rows: see sum_of_parts in nbody_field.clh.
  const cl::Buffer& moving_field() const { return summed_() != nullptr ? summed_ : parts_; }
  std::size_t rows_of_field() const { return summed_() != nullptr ? 0 : rows_; }

  Device device_;
  Precision precision_;
  std::size_t bodies_;
  std::array<cl::Buffer, 2> positions_, position_corrections_;
  cl::Buffer velocities_, velocity_corrections_, accelerations_, parts_;
  cl::Buffer summed_;     // the sums of the parts, where others need them for bodies that they move, too; else null
  std::size_t rows_ = 0;  // rows of parts_, until the way of summing is known
  NbodyShare share_;
  NbodyForce near_, far_;
  std::optional<NbodyTree> tree_;  // replaces near_ and far_
  std::optional<TreeControl> control_;
  std::optional<NbodyContacts> contacts_;
  std::optional<NbodyBlocks> blocks_;
  bool repeats_field_ = false;  // the next field repeats the last one
  std::optional<NbodyKernels> kernels_;
  std::optional<Queue> link_;
};

}  // namespace orrery
