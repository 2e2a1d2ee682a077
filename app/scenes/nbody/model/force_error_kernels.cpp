#include "scenes/nbody/model/force_error_kernels.hpp"

#include <algorithm>
#include <bit>

#include "compute/program/arguments.hpp"
#include "scenes/nbody/model/tree_control.hpp"

namespace orrery {
namespace {

constexpr std::string_view compare_launch = "compare";
constexpr std::size_t most_shares = 256, least_share = 64;  // number of shares; bodies per share
constexpr std::size_t most_items = 64;                      // per group
constexpr std::size_t most_ranking_items = 256;

std::uint64_t split_mix(std::uint64_t counter) {
  std::uint64_t z = (counter + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

// Assumed until the profiler has measured the device.
double guessed_seconds_per_exact_interaction(const DeviceInfo& device) {
  return device.device_class == DeviceClass::cpu ? 1e-8 : 1e-10;
}

std::size_t lanes_of(const DeviceInfo& device, Sums kind) {
  if (device.device_class != DeviceClass::cpu || kind != Sums::doubles) return 1;
  return std::clamp<std::size_t>(std::bit_floor(std::max(device.preferred_double_width, 1U)), 1, 16);
}

// Each of a GPU's items waits for its own sums most of the time.
std::size_t filling_items(const DeviceInfo& device) {
  const std::size_t each = device.device_class == DeviceClass::cpu ? 2 : 1024;
  return each * std::max(1U, device.compute_units);
}

cl_uint as_uint(std::size_t value) { return static_cast<cl_uint>(value); }

Wide wide(double value, Sums kind) { return {value, Precision::mixed, kind == Sums::doubles}; }

}  // namespace

std::uint32_t drawn_body(std::uint64_t draw, std::uint32_t k, std::size_t bodies) {
  if (bodies <= drawn_bodies) return k;
  const std::uint64_t random = split_mix(drawn_bodies * draw + k) >> 32;
  return static_cast<std::uint32_t>(random * bodies >> 32);
}

ProgramSpec ForceErrorKernels::program(const Device& device, Precision precision, Sums kind) {
  ProgramSpec spec{"nbody_force_errors.cl", precision_definitions(device, precision)};
  spec.definitions["LANES"] = std::to_string(lanes_of(device.info(), kind));
  if (kind == Sums::doubles) spec.definitions["SUM_DOUBLE"] = "1";
  if (precision == Precision::mixed) spec.definitions["MIXED"] = "1";
  return spec;
}

ForceErrorKernels::ForceErrorKernels(ProgramLibrary& programs, Precision precision, std::size_t bodies, Sums kind)
    : kind_(kind),
      bodies_(bodies),
      lanes_(lanes_of(programs.device().info(), kind)),
      share_bodies_(std::max(least_share, (bodies + most_shares - 1) / most_shares)),
      shares_((bodies + share_bodies_ - 1) / share_bodies_),
      group_(std::min(most_items, programs.device().info().max_work_group)),
      rank_group_(std::min(most_ranking_items, programs.device().info().max_work_group)),
      guess_(guessed_seconds_per_exact_interaction(programs.device().info())),
      filling_(filling_items(programs.device().info())) {
  const auto built = programs.build(program(programs.device(), precision, kind));
  attract_ = built->kernel("attract_drawn");
  compare_ = built->kernel("compare_drawn");
  note_ = built->kernel("note_errors");
  hold_ = built->kernel("hold_error");
  // Some drivers compile at the first launch of a kernel.
  Queue queue(programs.device());
  const cl::Buffer nothing = programs.device().buffer(bytes_of_sum4);
  attract(queue, nothing, nothing, {nothing, 0, 0, 0, 1}, 0, nothing);
  compare(queue, nothing, nothing, {nothing}, 1, nothing);
  note(queue, nothing, nothing, {bodies_, 0, 1}, nothing);
  hold(queue, nothing, 0, 1, {nothing}, nothing);
  queue.finish();
}

std::size_t ForceErrorKernels::sum_bytes(std::size_t drawn) const { return shares_ * drawn * bytes_of_sum4; }

double ForceErrorKernels::seconds_per_share(Queue& queue, std::size_t drawn) const {
  return queue.profiler().seconds_per_work(force_error_launch).value_or(guess_) * static_cast<double>(drawn) *
         static_cast<double>(share_bodies_);
}

std::size_t ForceErrorKernels::shares_at_once(Queue& queue, std::size_t drawn, std::size_t left, double budget) const {
  const std::size_t items = std::max<std::size_t>(drawn / lanes_, 1);
  const auto fitting = static_cast<std::size_t>(budget / seconds_per_share(queue, drawn));
  return std::clamp<std::size_t>(std::max(fitting, filling_ / items), 1, left);
}

void ForceErrorKernels::attract(Queue& queue, const cl::Buffer& positions, const cl::Buffer& corrections,
                                const ForceErrorLaunch& launch, double softening, const cl::Buffer& sums) {
  const std::size_t drawn = launch.end - launch.first, items = std::max<std::size_t>(drawn / lanes_, 1);
  const std::size_t group = group_for(items);
  set_arguments(attract_, positions, corrections() != nullptr ? corrections : positions, as_uint(bodies_), launch.drawn,
                as_uint(launch.first), as_uint(drawn), as_uint(share_bodies_), wide(softening * softening, kind_),
                sums);
  const double work = static_cast<double>(drawn * share_bodies_) * static_cast<double>(launch.shares);
  queue.launch(force_error_launch, attract_,
               {{round_up(items, group), launch.shares}, {group, 1}, {0, launch.first_share}}, work);
}

void ForceErrorKernels::compare(Queue& queue, const cl::Buffer& sums, const cl::Buffer& accelerations,
                                const DrawnBodies& bodies, double gravity, const cl::Buffer& references) {
  const auto& [drawn, first, count] = bodies;
  const std::size_t group = group_for(count);
  set_arguments(compare_, sums, as_uint(count == 0 ? 0 : shares_), accelerations, drawn, as_uint(first), as_uint(count),
                wide(gravity, kind_), references);
  queue.launch(compare_launch, compare_, {round_up(std::max<std::size_t>(count, 1), group), group});
}

void ForceErrorKernels::note(Queue& queue, const cl::Buffer& sums, const cl::Buffer& accelerations,
                             const NotedBodies& noted, const cl::Buffer& errors) {
  const auto& [first, count, gravity] = noted;
  const std::size_t group = group_for(count);
  set_arguments(note_, sums, as_uint(shares_), accelerations, as_uint(first), as_uint(count), as_uint(bodies_),
                wide(gravity, kind_), errors);
  queue.launch(compare_launch, note_, {round_up(std::max<std::size_t>(count, 1), group), group});
}

void ForceErrorKernels::hold(Queue& queue, const cl::Buffer& references, std::size_t count, double wanted,
                             const RememberedErrors& errors, const cl::Buffer& accuracy) {
  const auto number = [](double value) { return Real{value, Precision::single}; };
  set_arguments(hold_, references, as_uint(count), as_uint(errors.row), as_uint(errors.rows), number(tree_error::slope),
                number(tree_error::least_aim * wanted), number(wanted), number(tree_error::aim * wanted),
                number(tree_error::least_accuracy), number(tree_error::most_accuracy(wanted)), errors.remembered,
                accuracy);
  queue.launch(compare_launch, hold_, {rank_group_, rank_group_});
}

}  // namespace orrery
