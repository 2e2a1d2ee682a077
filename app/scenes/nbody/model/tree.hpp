/// The field of the bodies from a tree that is rebuilt for each evaluation, on the device.
///
/// The bodies are sorted along Hilbert's curve; nodes over runs of them are made level by level, and each group of
/// bodies walks them: distant nodes pull by their moments, near bodies one by one (kernels/nbody/nbody_tree.clh). The
/// bits follow from the bodies, the order, the accuracy, and the sizes of leaves and groups alone.
#pragma once

#include "compute/sort/radix_sort.hpp"
#include "scenes/nbody/model/share.hpp"
#include "scenes/nbody/model/tree_control.hpp"

namespace orrery {

/// Levels of the tree of `bodies`, the leaves first; each but the last has a multiple of tree_branch nodes, and the
/// leaves fill whole groups.
struct TreeLevels {
  explicit TreeLevels(std::size_t bodies, const TreeShape& shape = {});
  std::vector<cl_uint2> rows;  ///< (first node, nodes)
  std::size_t nodes = 0, leaf = 0;
  std::size_t top() const { return rows.size() - 1; }
  /// The bodies that fill the leaves: those beyond the last one have no mass.
  std::size_t padded() const { return rows.front().s[1] * leaf; }
};

/// Nodes of one level; NbodyTree::copy_boxes() stores their boxes one after another.
struct CellLevel {
  std::size_t number = 1;            ///< the root's level is 1
  std::size_t first = 0, count = 0;  ///< the nodes that hold bodies
  bool operator==(const CellLevel&) const = default;
};
/// The most boxes of one level; more would hide the bodies between them.
inline constexpr std::size_t most_cells = 8192;
/// The levels of the tree of `bodies` that have no more than most_cells nodes, the root's first.
std::vector<CellLevel> cell_levels(std::size_t bodies, const TreeShape& shape = {});
/// A box is two float4: its lowest and its highest corner.
inline constexpr std::size_t cell_bytes = 2 * sizeof(cl_float4);
/// Bytes that copy_boxes() writes for a tree of any size.
std::size_t bytes_of_cells();

class NbodyTree {
 public:
  /// Allocates, and waits for it. `fields`: a row of real4, which the walk fills.
  NbodyTree(const Device& device, std::size_t bodies, cl::Buffer fields, const TreeShape& shape);
  const TreeShape& shape() const { return shape_; }

  /// Between evaluations: walks for these targets. If these are not all targets, their field stays in field_on_curve()
  /// until the rest is there and put_field() is enqueued.
  void walk_for(std::vector<TargetRange> targets);
  /// True if the walk for the range that begins at this body is enqueued.
  bool walked(std::size_t first) const;
  const cl::Buffer& field_on_curve() const { return on_curve_; }
  void put_field(Queue& queue, NbodyKernels& kernels);

  void begin(bool with_potential);
  /// Begins with the groups that have a body whose individual step ends; `shared`: only with those of the targets.
  void begin_listed(bool with_potential, bool shared);
  bool complete() const { return done_ && done_->walk == walks_.size(); }
  double progress() const;
  /// Enqueues the next launches: first those that build the tree, then a walk over as many groups as fit into `budget`
  /// seconds by the profiler's estimate. Returns the expected seconds.
  double enqueue(Queue& queue, NbodyKernels& kernels, const TreeControl& control, const cl::Buffer& positions,
                 double softening, double budget);

  /// After begin_listed(): enqueues the tree, and the list of its groups …
  double make_listed(Queue& queue, NbodyKernels& kernels, const TreeControl& control, NbodyBlocks& blocks,
                     const cl::Buffer& positions, double softening);
  /// … and then a walk for groups of that list, of at most `budget` seconds, until it is complete() as if all groups
  /// were listed. Both return the expected seconds.
  double walk_listed(Queue& queue, NbodyKernels& kernels, const TreeControl& control, const NbodyListed& listed,
                     double softening, double budget);
  bool built() const { return done_.has_value(); }
  double seconds_per_body(Queue& queue) const { return seconds_per_group(queue) / static_cast<double>(shape_.group); }

  // ---- values of the tree, from a complete evaluation until the next one begins

  /// Copies the boxes of all cell_levels(), the finest level first.
  void copy_boxes(Queue& queue, const cl::Buffer& to) const;
  /// For each body in their own order, a float: how many times longer the box of all bodies is than that of its leaf …
  void measure_leaves(Queue& queue, NbodyKernels& kernels, const cl::Buffer& to) const;
  /// … or the interactions that the walk computed for it, whichever device walked.
  void count_interactions(Queue& queue, NbodyKernels& kernels, const TreeControl& control, const cl::Buffer& to) const;

  /// Device memory of the tree, without the bodies' own.
  static std::size_t bytes(const DeviceInfo& device, std::size_t bodies, const TreeShape& shape = {});

 private:
  std::size_t groups() const { return (bodies_ + shape_.group - 1) / shape_.group; }
  bool in_own_order() const { return !shared_ || on_curve_() == nullptr; }
  /// The groups that are walked, or of which those with a listed body are.
  std::size_t groups_of_targets() const;
  double seconds_per_group(Queue& queue) const;
  std::size_t groups_in(Queue& queue, double seconds) const;
  void build(Queue& queue, NbodyTreeKernels& tree, const TreeControl& control, const cl::Buffer& positions,
             double softening);
  void make_nodes(Queue& queue, NbodyTreeKernels& tree, const cl::Buffer& positions);
  void launch(Queue& queue, const cl::Kernel& kernel, std::size_t elements) const;

  Device device_;
  std::size_t bodies_;
  TreeShape shape_;
  TreeLevels levels_;
  RadixSort sort_;
  cl::Buffer fields_, bounds_, curve_, keys_, order_, sorted_, nodes_, boxes_, level_rows_, factors_;
  bool with_potential_ = false;
  bool shared_ = true;              // the field is that of walks_
  std::vector<TargetRange> walks_;  // ranges of groups
  cl::Buffer on_curve_;             // null if walks_ are all groups
  struct Place {
    std::size_t walk = 0, groups = 0;  // index of the walk, and its enqueued groups
  };
  std::optional<Place> done_;  // nothing before the tree is built
};

}  // namespace orrery
