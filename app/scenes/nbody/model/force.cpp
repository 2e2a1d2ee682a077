#include "scenes/nbody/model/force.hpp"
#include "compute/program/arguments.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

// Assumed until the profiler has measured the device: pessimistic, so that a first launch is never long.
double guessed_seconds_per_interaction(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? 1e-9 : 1e-11;
}

constexpr double longest_launch = 0.1;           // far below any driver's watchdog
constexpr double worth_finishing = 1.5;          // times the rest of a slice: a launch that ends within it is not cut
constexpr std::size_t most_row_bytes = 1 << 30;  // rows that wait to be added; a pair of parts may need more

// Blocks of part H per task of the pair kernel. One is fastest (H200: 2.49e12 interactions/s, 2.36e12 with four), but
// leaves the most rows to be added. Depends on the number of bodies only, because the sums depend on it.
std::size_t run_blocks(std::size_t blocks) { return std::clamp<std::size_t>(blocks / 32, 1, 8); }

struct PairSizes {
  std::size_t block, blocks, run, runs;

  PairSizes(const NbodyParts& division, const NbodyVariant& variant)
      : block(pair_team * variant.lanes),
        blocks(round_up(division.bodies, block) / block),
        run(run_blocks(blocks)),
        runs((blocks + run - 1) / run) {}
  std::size_t tasks() const { return blocks * runs; }            // per pair of parts
  std::size_t rows() const { return blocks * (blocks + runs); }  // per pair of parts
  std::size_t bytes(Precision precision) const { return rows() * block * bytes_of_real4(precision); }
};

// The number of `left` that fits into `seconds`, at least `filling`; all of them if slightly more time suffices.
std::size_t fitting(std::size_t left, std::size_t filling, double seconds, double seconds_each) {
  const double fit = std::max(seconds / seconds_each, static_cast<double>(filling));
  if (static_cast<double>(left) <= worth_finishing * fit) return left;
  return std::max(static_cast<std::size_t>(fit) / filling * filling, filling);
}

}  // namespace

SofteningArguments softening_arguments(double softening, Precision precision) {
  // In double a softening that no coordinate resolves serves as none: its power −3/2, times a mass of 10⁸⁰, is still
  // finite. In single the powers of lengths that may occur are not.
  constexpr double unresolved = 1e-150, short_one = 1e-10, long_one = 10, least = 1e-15;
  const double squared = softening * softening;
  if (precision == Precision::double_) {
    if (squared < unresolved) return {unresolved, unresolved, false};
    return {squared, 0, false};
  }
  if (softening < least) return {0, 0, true};
  return {squared, 0, softening < short_one || softening > long_one};
}

NbodyForce::NbodyForce(const Device& device, std::size_t bodies, Precision precision)
    : device_(device), precision_(precision), bodies_(bodies), division_(parts_of(bodies)) {}

void NbodyForce::use(const NbodyVariant& variant, NbodyTask task, cl::Buffer parts) {
  parts_ = std::move(parts);
  variant_ = variant;
  task_ = std::move(task);
  division_ = parts_of(task_.sources);
  done_ = 0;
  all_ = total();
  rows_ = pairs_ = {};
  if (variant.forces != Forces::pairs || task_.pairs.empty()) return;
  pairs_ = device_.read_only(std::span<const PartPair>(task_.pairs));
  const std::size_t each = PairSizes(division_, variant).bytes(precision_);
  const std::size_t allowed = std::min<std::size_t>(most_row_bytes, device_.info().allocation_bytes / 2);
  pairs_at_once_ = std::clamp<std::size_t>(allowed / each, 1, task_.pairs.size());
  rows_ = device_.buffer(pairs_at_once_ * each);
}

void NbodyForce::begin(bool with_potential) {
  with_potential_ = with_potential;
  done_ = 0;
  all_ = total();
}

void NbodyForce::begin_listed(bool with_potential, bool shared) {
  begin(with_potential);
  if (!shared) all_ = bodies_;
}

std::size_t NbodyForce::total() const {
  if (task_.empty(variant_.forces)) return 0;
  if (variant_.forces == Forces::pairs) return task_.pairs.size() * PairSizes(division_, variant_).tasks();
  return task_.end - task_.first;
}

double NbodyForce::enqueue(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                           double budget, double until) {
  const double seconds = std::min(budget, longest_launch);
  const auto end = static_cast<std::size_t>(std::ceil(until * static_cast<double>(total())));
  return variant_.forces == Forces::pairs ? enqueue_pairs(queue, kernels, positions, softening, seconds, end)
                                          : enqueue_gather(queue, kernels, positions, softening, seconds, end);
}

double NbodyForce::sources_of_task() const {
  return static_cast<double>(std::min(task_.parts * division_.bodies, task_.sources));
}

double NbodyForce::seconds_per_body(Queue& queue) const { return seconds_per_interaction(queue) * sources_of_task(); }

// Launches beyond the end of the list take no time, so that they do not count for the kernel's speed.
double NbodyForce::enqueue_listed(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions,
                                  const NbodyListed& listed, double softening, double budget) {
  const std::size_t first = done_;
  const std::size_t count =
      fitting(all_ - first, variant_.bodies_per_group(), std::min(budget, longest_launch), seconds_per_body(queue));
  const SofteningArguments soft = softening_arguments(softening, precision_);
  cl::Kernel& kernel = kernels.listed(soft.scaled);
  set_arguments(kernel, positions, parts_, static_cast<cl_uint>(bodies_), static_cast<cl_uint>(task_.sources),
                static_cast<cl_uint>(division_.bodies), static_cast<cl_uint>(division_.count),
                static_cast<cl_uint>(first), static_cast<cl_uint>(first + count), listed.list, listed.clock,
                cl_uint{with_potential_}, Real{soft.squared, precision_}, Real{soft.least, precision_});
  const std::size_t items = round_up(count, variant_.bodies_per_group()) / variant_.lanes;
  queue.launch(nbody_launch::listed, kernel, {{items, task_.parts}, {variant_.work_group, 1}});
  done_ += count;
  return launch_seconds;
}

// A launch over fewer bodies than fill the device takes as long as a full one, because groups run side by side. Two
// groups hide each other's latency on a GPU's compute unit.
double NbodyForce::enqueue_gather(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                                  double budget, std::size_t end) {
  const std::size_t units = std::max(1U, device_.info().compute_units);
  const std::size_t wanted_groups = device_.info().device_class == DeviceClass::cpu ? units : 2 * units;
  const std::size_t groups = std::max<std::size_t>(1, wanted_groups / task_.parts);
  const std::size_t filling = groups * variant_.bodies_per_group();
  const double sources = sources_of_task(), per_body = seconds_per_body(queue);
  const std::size_t count = fitting(end - done_, filling, budget, per_body);
  const std::size_t first = task_.first + done_;
  const SofteningArguments soft = softening_arguments(softening, precision_);
  cl::Kernel& kernel = kernels.force(with_potential_, soft.scaled);
  set_arguments(kernel, positions, parts_, static_cast<cl_uint>(bodies_), static_cast<cl_uint>(task_.sources),
                static_cast<cl_uint>(division_.bodies), static_cast<cl_uint>(division_.count),
                static_cast<cl_uint>(task_.first_part), static_cast<cl_uint>(first),
                static_cast<cl_uint>(first + count), Real{soft.squared, precision_}, Real{soft.least, precision_});
  const std::size_t items = round_up(count, variant_.bodies_per_group()) / variant_.lanes;
  const auto paid = static_cast<double>(std::max(count, std::min(filling, total())));
  queue.launch(nbody_launch::force, kernel, {{items, task_.parts}, {variant_.work_group, 1}},
               interactions(paid * sources));
  done_ += count;
  return std::max(launch_seconds, per_body * paid);
}

// A launch begins and ends at any task, so that it is as short as drawing needs where a pair of parts takes long. The
// rows of a pair are added as soon as all of its tasks are enqueued.
double NbodyForce::enqueue_pairs(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                                 double budget, std::size_t end) {
  const PairSizes sizes(division_, variant_);
  // Approximate, per compute unit; registers limit them.
  const std::size_t teams_at_once = precision_ == Precision::double_ ? 7 : 14;
  const std::size_t wave = teams_at_once * std::max(1U, device_.info().compute_units);
  const auto n = static_cast<double>(bodies_);
  const double work = n * n / static_cast<double>(division_.pairs() * sizes.tasks());  // interactions per task
  const double each = seconds_per_interaction(queue) * work;
  const std::size_t first_pair = done_ / sizes.tasks() / pairs_at_once_ * pairs_at_once_;  // first pair in the rows
  const std::size_t first_task = first_pair * sizes.tasks(), rows_end = first_task + pairs_at_once_ * sizes.tasks();
  const std::size_t count = fitting(std::min(end, rows_end) - done_, wave, budget, each);
  const SofteningArguments soft = softening_arguments(softening, precision_);
  const auto bodies = static_cast<cl_uint>(bodies_), blocks = static_cast<cl_uint>(sizes.blocks),
             run = static_cast<cl_uint>(sizes.run), first = static_cast<cl_uint>(first_pair);
  cl::Kernel& kernel = kernels.force(with_potential_, soft.scaled);
  set_arguments(kernel, positions, rows_, bodies, pairs_, blocks, run, first, static_cast<cl_uint>(done_ - first_task),
                static_cast<cl_uint>(count), Real{soft.squared, precision_}, Real{soft.least, precision_});
  const std::size_t items = round_up(count * pair_team, variant_.work_group);
  queue.launch(nbody_launch::force, kernel, {cl::NDRange(items), cl::NDRange(variant_.work_group)},
               interactions(static_cast<double>(count) * work));
  const std::size_t complete = done_ / sizes.tasks();
  done_ += count;
  if (const std::size_t more = done_ / sizes.tasks() - complete; more > 0) {
    set_arguments(kernels.add, rows_, parts_, bodies, pairs_, blocks, run, first);
    queue.launch(nbody_launch::add, kernels.add,
                 {{sizes.blocks * sizes.block, 2, more}, {pair_team, 1, 1}, {0, 0, complete - first_pair}});
  }
  return std::max(launch_seconds, each * static_cast<double>(count));
}

Work NbodyForce::interactions(double count) const {
  Work work(count, interaction_cost(device_.info(), variant_), precision_ == Precision::double_);
  work.alike = true;
  return work;
}

double NbodyForce::seconds_per_interaction(Queue& queue) const {
  return queue.profiler()
      .seconds_per_work(nbody_launch::force)
      .value_or(guessed_seconds_per_interaction(device_.info()));
}

}  // namespace orrery
