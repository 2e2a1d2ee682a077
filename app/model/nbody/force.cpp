#include "model/nbody/force.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

// What the device is taken for until the profiler has measured it: slow, so that a first launch is never long.
double guessed_seconds_per_interaction(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? 1e-9 : 1e-11;
}

constexpr double launch_seconds = 20e-6;        // what a launch costs, however little it does
constexpr double longest_launch = 0.1;          // far from any driver's watchdog
constexpr double worth_finishing = 1.5;         // of what is left of a slice: a launch that ends within is not cut
constexpr std::size_t most_row_bytes = 1 << 30; // for rows that wait to be added, where one pair of parts needs less

// Blocks of part H that one task of the pair kernel walks. One is fastest (an H200: 2.49e12 interactions/s, 2.36e12 with
// four), but leaves the most rows to be added. Of the number of bodies alone, because the sums depend on it.
std::size_t run_blocks(std::size_t blocks) { return std::clamp<std::size_t>(blocks / 32, 1, 8); }

struct PairSizes {
  std::size_t block, blocks, run, runs;

  PairSizes(const NbodyParts& division, const NbodyVariant& variant)
      : block(pair_team * variant.lanes),
        blocks(round_up(division.bodies, block) / block),
        run(run_blocks(blocks)),
        runs((blocks + run - 1) / run) {}
  std::size_t tasks() const { return blocks * runs; }                            // of a pair of parts
  std::size_t rows() const { return blocks * (blocks + runs); }                  // likewise
  std::size_t bytes(Precision precision) const { return rows() * block * bytes_of_real4(precision); }
};

// How many of `left` fit into `seconds`, at least `filling`; all of them if a little more would do.
std::size_t fitting(std::size_t left, std::size_t filling, double seconds, double seconds_each) {
  const double fit = std::max(seconds / seconds_each, static_cast<double>(filling));
  if (static_cast<double>(left) <= worth_finishing * fit) return left;
  return std::max(static_cast<std::size_t>(fit) / filling * filling, filling);
}

}  // namespace

SofteningArguments softening_arguments(double softening, Precision precision) {
  const double smallest = precision == Precision::double_ ? 1e-200 : 1e-24;  // its power −3/2 is still finite
  const double squared = softening * softening;
  if (squared < smallest) return {smallest, smallest, 0};
  return {squared, 0, 1 / softening};
}

NbodyForce::NbodyForce(const Device& device, std::size_t bodies, Precision precision)
    : device_(device),
      precision_(precision),
      bodies_(bodies),
      division_(parts_of(bodies)),
      parts_(device.buffer(division_.count * bodies * bytes_of_real4(precision))) {}

void NbodyForce::use(const NbodyVariant& variant) {
  variant_ = variant;
  rows_ = {};
  if (variant.forces != Forces::pairs) return;
  const std::size_t each = PairSizes(division_, variant).bytes(precision_);
  const std::size_t allowed = std::min<std::size_t>(most_row_bytes, device_.info().allocation_bytes / 2);
  pairs_at_once_ = std::clamp<std::size_t>(allowed / each, 1, division_.pairs());
  rows_ = device_.buffer(pairs_at_once_ * each);
}

void NbodyForce::begin(bool with_potential) {
  with_potential_ = with_potential;
  done_ = 0;
}

std::size_t NbodyForce::total() const { return variant_.forces == Forces::pairs ? division_.pairs() : bodies_; }

double NbodyForce::enqueue(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                           double budget) {
  const double seconds = std::min(budget, longest_launch);
  return variant_.forces == Forces::pairs ? enqueue_pairs(queue, kernels, positions, softening, seconds)
                                          : enqueue_gather(queue, kernels, positions, softening, seconds);
}

// A launch over fewer bodies than fill the device takes as long as one that does, because groups run side by side. Two
// groups hide each other's latency on a GPU's compute unit.
double NbodyForce::enqueue_gather(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                                  double budget) {
  const std::size_t units = std::max(1U, device_.info().compute_units);
  const std::size_t wanted_groups = device_.info().device_class == DeviceClass::cpu ? units : 2 * units;
  const std::size_t groups = std::max<std::size_t>(1, wanted_groups / division_.count);
  const std::size_t filling = groups * variant_.bodies_per_group();
  const double per_body = seconds_per_interaction(queue) * static_cast<double>(bodies_);
  const std::size_t count = fitting(bodies_ - done_, filling, budget, per_body);
  const SofteningArguments soft = softening_arguments(softening, precision_);
  cl::Kernel& kernel = kernels.force(with_potential_);
  set_arguments(kernel, positions, parts_, static_cast<cl_uint>(bodies_), static_cast<cl_uint>(division_.bodies),
                static_cast<cl_uint>(done_), static_cast<cl_uint>(done_ + count), Real{soft.squared, precision_},
                Real{soft.least, precision_});
  const std::size_t items = round_up(count, variant_.bodies_per_group()) / variant_.lanes;
  const auto paid = static_cast<double>(std::max(count, std::min(filling, bodies_)));
  queue.launch(nbody_launch::force, kernel, {{items, division_.count}, {variant_.work_group, 1}},
               paid * static_cast<double>(bodies_));
  done_ += count;
  return std::max(launch_seconds, per_body * paid);
}

double NbodyForce::enqueue_pairs(Queue& queue, NbodyKernels& kernels, const cl::Buffer& positions, double softening,
                                 double budget) {
  const PairSizes sizes(division_, variant_);
  constexpr std::size_t teams_at_once = 10;  // on a compute unit, as far as registers go
  const std::size_t filling = teams_at_once * device_.info().compute_units / sizes.tasks() + 1;
  const auto n = static_cast<double>(bodies_);
  const double work = n * n / static_cast<double>(division_.pairs());  // interactions of a pair of parts
  const double each = seconds_per_interaction(queue) * work;
  const std::size_t count = std::min(pairs_at_once_, fitting(total() - done_, filling, budget, each));
  const SofteningArguments soft = softening_arguments(softening, precision_);
  const auto bodies = static_cast<cl_uint>(bodies_), parts = static_cast<cl_uint>(division_.count),
             blocks = static_cast<cl_uint>(sizes.blocks), run = static_cast<cl_uint>(sizes.run),
             first = static_cast<cl_uint>(done_), tasks = static_cast<cl_uint>(count * sizes.tasks());
  cl::Kernel& kernel = kernels.force(with_potential_);
  set_arguments(kernel, positions, rows_, bodies, parts, blocks, run, first, tasks, Real{soft.squared, precision_},
                Real{soft.least, precision_});
  const std::size_t items = round_up(tasks * pair_team, variant_.work_group);
  queue.launch(nbody_launch::force, kernel, {cl::NDRange(items), cl::NDRange(variant_.work_group)},
               static_cast<double>(count) * work);
  set_arguments(kernels.add, rows_, parts_, bodies, parts, blocks, run, first);
  queue.launch(nbody_launch::add, kernels.add, {{sizes.blocks * sizes.block, 2, count}, {pair_team, 1, 1}});
  done_ += count;
  return std::max(launch_seconds, each * static_cast<double>(count));
}

double NbodyForce::seconds_per_interaction(Queue& queue) const {
  return queue.profiler().seconds_per_work(nbody_launch::force).value_or(guessed_seconds_per_interaction(device_.info()));
}

}  // namespace orrery
