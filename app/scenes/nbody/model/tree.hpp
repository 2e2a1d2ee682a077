/// The field of the bodies from a tree that is built anew for each evaluation, on the device.
///
/// The bodies are sorted along Hilbert's curve; nodes over runs of them are made level by level, and each group of
/// bodies walks them: distant nodes pull by their moments, near bodies one by one (kernels/nbody/nbody_tree.clh). The
/// bits follow from the bodies, the order and the accuracy alone.
#pragma once

#include "compute/sort/radix_sort.hpp"
#include "scenes/nbody/model/share.hpp"
#include "scenes/nbody/model/tree_control.hpp"

namespace orrery {

/// Levels of the tree of `bodies`, the leaves first; each but the last has a multiple of tree_branch nodes.
struct TreeLevels {
  explicit TreeLevels(std::size_t bodies);
  std::vector<cl_uint2> rows;  ///< (first node, nodes)
  std::size_t nodes = 0;
  std::size_t top() const { return rows.size() - 1; }
  /// The bodies that fill the leaves: those beyond the last one have no mass.
  std::size_t padded() const { return rows.front().s[1] * tree_leaf; }
};

class NbodyTree {
 public:
  /// Allocates, and waits for it. `fields`: a row of real4, which the walk fills.
  NbodyTree(const Device& device, std::size_t bodies, cl::Buffer fields);

  /// Between evaluations: walks for these targets, whole groups of them. Where those are not all, their field stays in
  /// field_on_curve() until the rest of it is there, and put_field() is enqueued.
  void walk_for(const NbodyTask& targets);
  /// The end of the targets whose walk is enqueued.
  std::size_t walked() const { return done_ ? std::min(*done_ * tree_group, bodies_) : 0; }
  const cl::Buffer& field_on_curve() const { return on_curve_; }
  void put_field(Queue& queue, NbodyKernels& kernels);

  void begin(bool with_potential);
  bool complete() const { return done_ == end_; }
  double progress() const;
  /// Enqueues the next launches: first those that build the tree, then a walk over as many groups as fit into `budget`
  /// seconds by the profiler's estimate. Returns the expected seconds.
  double enqueue(Queue& queue, NbodyKernels& kernels, const TreeControl& control, const cl::Buffer& positions,
                 double softening, double budget);

  /// Device memory of the tree, without the bodies' own.
  static std::size_t bytes(const DeviceInfo& device, std::size_t bodies);

 private:
  std::size_t end_of_launch() const;
  std::size_t groups() const { return (bodies_ + tree_group - 1) / tree_group; }
  void build(Queue& queue, NbodyTreeKernels& tree, const TreeControl& control, const cl::Buffer& positions,
             double softening);

  Device device_;
  std::size_t bodies_;
  TreeLevels levels_;
  RadixSort sort_;
  cl::Buffer fields_, bounds_, keys_, order_, sorted_, nodes_, boxes_, level_rows_, factors_;
  bool with_potential_ = false;
  NbodyTask targets_;
  std::size_t first_ = 0, end_;      // groups that are walked for
  cl::Buffer on_curve_;              // null where those are all
  std::optional<std::size_t> done_;  // the end of those that are enqueued; nothing before the tree is built
};

}  // namespace orrery
