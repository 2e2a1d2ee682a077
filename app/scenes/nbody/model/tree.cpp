#include "scenes/nbody/model/tree.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "compute/program/arguments.hpp"
#include "scenes/nbody/model/force.hpp"

namespace orrery {
namespace {

constexpr std::size_t node_bytes = 3 * sizeof(cl_float4), box_bytes = 2 * sizeof(cl_float4);
constexpr double longest_walk = 0.1;                            // seconds of a launch, as for the other forces
constexpr double guessed_on_cpu = 1e-4, guessed_on_gpu = 1e-6;  // seconds per group, until measured
constexpr std::size_t bounding_items = 32768;                   // work-items that look for the bodies' box
constexpr std::size_t curve_bytes = 63 * 24 + 32;               // curve_t in nbody_tree.cl

// The bounds before the first body; see find_bounds.
constexpr auto unbounded = [] {
  std::array<cl_int, 6> bounds{};
  bounds.fill(std::numeric_limits<cl_int>::max());
  return bounds;
}();

}  // namespace

TreeLevels::TreeLevels(std::size_t bodies, const TreeShape& shape) : leaf(shape.leaf) {
  const std::size_t of_group = shape.group / shape.leaf;
  for (std::size_t count = std::max(of_group, round_up((bodies + leaf - 1) / leaf, of_group));;) {
    count = count == 1 ? 1 : round_up(count, tree_branch);
    rows.push_back({{static_cast<cl_uint>(nodes), static_cast<cl_uint>(count)}});
    nodes += count;
    if (count == 1) return;
    count /= tree_branch;
  }
}

std::vector<CellLevel> cell_levels(std::size_t bodies, const TreeShape& shape) {
  const TreeLevels tree(bodies, shape);
  std::vector<CellLevel> levels;
  std::size_t holding = (bodies + shape.leaf - 1) / shape.leaf, skipped = 0;
  for (std::size_t level = 0; level <= tree.top(); ++level, holding = (holding + tree_branch - 1) / tree_branch) {
    const auto& row = tree.rows[level].s;
    if (row[1] > most_cells)
      skipped = row[0] + row[1];
    else
      levels.push_back({tree.top() - level + 1, row[0] - skipped, holding});
  }
  std::ranges::reverse(levels);
  return levels;
}

// Each level has a quarter of the one below, and all but the root's are filled up to four, the leaves to a group.
std::size_t bytes_of_cells() { return (most_cells + most_cells / 3 + 8 * tree_branch) * cell_bytes; }

NbodyTree::NbodyTree(const Device& device, std::size_t bodies, cl::Buffer fields, const TreeShape& shape)
    : device_(device),
      bodies_(bodies),
      shape_(shape),
      levels_(bodies, shape),
      sort_(device, bodies),
      fields_(std::move(fields)),
      bounds_(device.buffer(unbounded.size() * sizeof(cl_int))),
      curve_(device.buffer(curve_bytes)),
      keys_(device.buffer(bodies * sizeof(cl_ulong))),
      order_(device.buffer(bodies * sizeof(cl_uint))),
      sorted_(device.buffer(levels_.padded() * sizeof(cl_float4))),
      nodes_(device.buffer(levels_.nodes * node_bytes)),
      boxes_(device.buffer(levels_.nodes * box_bytes)),
      level_rows_(device.read_only(std::span<const cl_uint2>(levels_.rows))),
      factors_(device.buffer(groups() * sizeof(cl_float2))),
      walks_{{0, groups()}} {
  Queue(device).write_blocking(bounds_, std::span<const cl_int>(unbounded));
}

std::size_t NbodyTree::bytes(const DeviceInfo& device, std::size_t bodies, const TreeShape& shape) {
  const TreeLevels levels(bodies, shape);
  return RadixSort::bytes(device, bodies) + bodies * (sizeof(cl_ulong) + sizeof(cl_uint)) +
         levels.padded() * sizeof(cl_float4) + levels.nodes * (node_bytes + box_bytes) +
         bodies / shape.group * sizeof(cl_float2);
}

void NbodyTree::walk_for(std::vector<TargetRange> targets) {
  walks_ = std::move(targets);
  for (TargetRange& walk : walks_) walk = {walk.first / shape_.group, (walk.end + shape_.group - 1) / shape_.group};
  const bool all = walks_.size() == 1 && walks_.front().first == 0 && walks_.front().end == groups();
  if (all)
    on_curve_ = {};
  else if (on_curve_() == nullptr)
    on_curve_ = device_.buffer(bodies_ * sizeof(cl_float4));
}

bool NbodyTree::walked(std::size_t first) const {
  for (std::size_t walk = 0; done_ && walk < done_->walk; ++walk)
    if (walks_[walk].first * shape_.group == first) return true;
  return false;
}

void NbodyTree::put_field(Queue& queue, NbodyKernels& kernels) {
  if (on_curve_() == nullptr) return;
  set_arguments(kernels.tree->put, on_curve_, order_, static_cast<cl_uint>(bodies_), fields_);
  queue.launch(nbody_launch::tree, kernels.tree->put, elementwise(device_.info(), bodies_));
}

void NbodyTree::begin(bool with_potential) {
  with_potential_ = with_potential;
  shared_ = true;
  done_.reset();
}

void NbodyTree::begin_listed(bool with_potential, bool shared) {
  begin(with_potential);
  shared_ = shared;
}

double NbodyTree::progress() const {
  constexpr double of_building = 0.1;
  if (!done_) return 0;
  const std::size_t walked = count_in(std::span(walks_).first(done_->walk)) + done_->groups;
  return of_building + (1 - of_building) * static_cast<double>(walked) / static_cast<double>(groups_of_targets());
}

std::size_t NbodyTree::groups_of_targets() const { return shared_ ? count_in(walks_) : groups(); }

void NbodyTree::launch(Queue& queue, const cl::Kernel& kernel, std::size_t elements) const {
  queue.launch(nbody_launch::tree, kernel, elementwise(device_.info(), elements));
}

void NbodyTree::make_nodes(Queue& queue, NbodyTreeKernels& tree, const cl::Buffer& positions) {
  const auto bodies = static_cast<cl_uint>(bodies_), padded = static_cast<cl_uint>(levels_.padded());
  set_arguments(tree.bounds, positions, bodies, bounds_);
  launch(queue, tree.bounds, std::min(bodies_, bounding_items));
  set_arguments(tree.marks, positions, bodies, bounds_, curve_);
  launch(queue, tree.marks, 1);
  set_arguments(tree.keys, positions, bodies, curve_, keys_, order_);
  launch(queue, tree.keys, bodies_);
  sort_.enqueue(queue, tree.sort, keys_, order_);
  set_arguments(tree.take, positions, bodies, padded, order_, sorted_, bounds_);
  launch(queue, tree.take, levels_.padded());
  set_arguments(tree.leaves, sorted_, levels_.rows.front().s[1], nodes_, boxes_);
  launch(queue, tree.leaves, levels_.rows.front().s[1]);
  for (std::size_t level = 1; level < levels_.rows.size(); ++level) {
    const auto &below = levels_.rows[level - 1].s, &own = levels_.rows[level].s;
    set_arguments(tree.join, nodes_, boxes_, below[0], below[1], own[0], own[1]);
    launch(queue, tree.join, own[1]);
  }
}

void NbodyTree::build(Queue& queue, NbodyTreeKernels& tree, const TreeControl& control, const cl::Buffer& positions,
                      double softening) {
  make_nodes(queue, tree, positions);
  const SofteningArguments soft = softening_arguments(softening, Precision::single);
  set_arguments(tree.estimate, sorted_, nodes_, level_rows_, static_cast<cl_uint>(levels_.top()),
                static_cast<cl_uint>(groups()), Real{soft.squared, Precision::single}, control.error(),
                Real{control.depth_error(), Precision::single}, factors_);
  launch(queue, tree.estimate, groups());
  done_ = Place{};
}

void NbodyTree::copy_boxes(Queue& queue, const cl::Buffer& to) const {
  const std::vector<CellLevel> levels = cell_levels(bodies_, shape_);
  const std::size_t finest = levels_.rows.size() - levels.size(), first = levels_.rows[finest].s[0];
  queue.copy(boxes_, to, (levels_.nodes - first) * cell_bytes, first * cell_bytes);
}

void NbodyTree::measure_leaves(Queue& queue, NbodyKernels& kernels, const cl::Buffer& to) const {
  cl::Kernel& measure = kernels.tree->measure;
  set_arguments(measure, boxes_, levels_.rows.back().s[0], order_, static_cast<cl_uint>(bodies_), to);
  queue.launch(nbody_launch::cells, measure, elementwise(device_.info(), bodies_));
}

// No launch takes longer than one of the walk, which does the same and computes forces.
void NbodyTree::count_interactions(Queue& queue, NbodyKernels& kernels, const TreeControl& control,
                                   const cl::Buffer& to) const {
  const std::size_t items = kernels.variant.work_group, fit = groups_in(queue, longest_walk);
  for (std::size_t first = 0; first < groups(); first += fit) {
    const std::size_t count = std::min(fit, groups() - first);
    set_arguments(kernels.count, sorted_, nodes_, boxes_, level_rows_, static_cast<cl_uint>(levels_.top()), factors_,
                  Real{control.guard(), Precision::single}, order_, static_cast<cl_uint>(bodies_),
                  static_cast<cl_uint>(first), to);
    queue.launch(nbody_launch::cells, kernels.count, {cl::NDRange(count * items), cl::NDRange(items)});
  }
}

// The profiler's estimate, or a guess before the first walk.
double NbodyTree::seconds_per_group(Queue& queue) const {
  const bool cpu = device_.info().device_class == DeviceClass::cpu;
  return queue.profiler().seconds_per_work(nbody_launch::walk).value_or(cpu ? guessed_on_cpu : guessed_on_gpu);
}

// The number of groups whose walk takes `seconds`, but at least enough to fill the device.
std::size_t NbodyTree::groups_in(Queue& queue, double seconds) const {
  const std::size_t each_unit = device_.info().device_class == DeviceClass::cpu ? 4 : 32;
  const std::size_t filling = std::max<std::size_t>(device_.info().compute_units, 1) * each_unit;
  return std::max(static_cast<std::size_t>(seconds / seconds_per_group(queue)), filling);
}

double NbodyTree::make_listed(Queue& queue, NbodyKernels& kernels, const TreeControl& control, NbodyBlocks& blocks,
                              const cl::Buffer& positions, double softening) {
  NbodyTreeKernels& tree = *kernels.tree;
  make_nodes(queue, tree, positions);
  const TargetRange all{0, groups()};
  const NbodyListed listed =
      blocks.list_groups(queue, tree.list, order_, shared_ ? std::span<const TargetRange>(walks_) : std::span(&all, 1));
  set_arguments(tree.estimate_listed, sorted_, nodes_, level_rows_, static_cast<cl_uint>(levels_.top()), listed.list,
                listed.clock, Real{softening_arguments(softening, Precision::single).squared, Precision::single},
                control.error(), Real{control.depth_error(), Precision::single}, factors_);
  launch(queue, tree.estimate_listed, groups());
  done_ = Place{};
  return launch_seconds;
}

// Walks beyond the end of the list take no time.
double NbodyTree::walk_listed(Queue& queue, NbodyKernels& kernels, const TreeControl& control,
                              const NbodyListed& listed, double softening, double budget) {
  const SofteningArguments soft = softening_arguments(softening, Precision::single);
  const auto real = [](double value) { return Real{value, Precision::single}; };
  const std::size_t first = done_->groups, left = groups_of_targets() - first,
                    fit = groups_in(queue, std::min(budget, longest_walk)), count = left <= fit + fit / 2 ? left : fit;
  cl::Kernel& walk = kernels.listed(soft.scaled);
  set_arguments(walk, sorted_, nodes_, boxes_, level_rows_, static_cast<cl_uint>(levels_.top()), factors_,
                real(control.guard()), order_, static_cast<cl_uint>(bodies_), static_cast<cl_uint>(first), listed.list,
                listed.clock, cl_uint{in_own_order()}, real(soft.squared), real(soft.least),
                in_own_order() ? fields_ : on_curve_);
  const std::size_t items = kernels.variant.work_group;
  queue.launch(nbody_launch::listed, walk, {cl::NDRange(count * items), cl::NDRange(items)});
  done_->groups += count;
  if (count == left) done_ = Place{walks_.size(), 0};
  return launch_seconds;
}

double NbodyTree::enqueue(Queue& queue, NbodyKernels& kernels, const TreeControl& control, const cl::Buffer& positions,
                          double softening, double budget) {
  if (!done_) {
    build(queue, *kernels.tree, control, positions, softening);
    return launch_seconds;
  }
  const std::size_t fit = groups_in(queue, std::min(budget, longest_walk));
  const TargetRange& stretch = walks_[done_->walk];
  const std::size_t first = stretch.first + done_->groups, left = stretch.end - first;
  const std::size_t count = left <= fit + fit / 2 ? left : fit;
  const SofteningArguments soft = softening_arguments(softening, Precision::single);
  cl::Kernel& walk = kernels.force(with_potential_, soft.scaled);
  const auto real = [](double value) { return Real{value, Precision::single}; };
  set_arguments(walk, sorted_, nodes_, boxes_, level_rows_, static_cast<cl_uint>(levels_.top()), factors_,
                real(control.guard()), order_, static_cast<cl_uint>(bodies_), static_cast<cl_uint>(first),
                cl_uint{in_own_order()}, real(soft.squared), real(soft.least), in_own_order() ? fields_ : on_curve_);
  const std::size_t items = kernels.variant.work_group;
  queue.launch(nbody_launch::walk, walk, {cl::NDRange(count * items), cl::NDRange(items)},
               Work(static_cast<double>(count)));
  done_->groups += count;
  if (count == left) done_ = Place{done_->walk + 1, 0};
  return std::max(launch_seconds, seconds_per_group(queue) * static_cast<double>(count));
}

}  // namespace orrery
