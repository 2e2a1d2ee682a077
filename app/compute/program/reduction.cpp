#include "compute/program/reduction.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "compute/device/kernel_limits.hpp"

namespace orrery {
namespace {

constexpr std::size_t bytes_of_result = 8;  // a sum, or two extremes

std::size_t bytes_of(Elements elements) { return elements == Elements::doubles ? sizeof(cl_double) : sizeof(cl_float); }

ProgramSpec spec_of(const Reducer::Choice& choice, const ReductionStyle& style, std::size_t group) {
  ProgramSpec spec{"reduce.cl",
                   {{"WORK_GROUP", std::to_string(group)},
                    {"LANES", std::to_string(style.bytes / bytes_of(choice.elements))},
                    {"UNROLL", std::to_string(style.unroll)}}};
  if (style.contiguous) spec.definitions["CONTIGUOUS"] = "1";
  if (choice.elements == Elements::doubles) spec.definitions["DOUBLE"] = "1";
  if (choice.sums == Sums::doubles) spec.definitions["SUM_DOUBLE"] = "1";
  return spec;
}

void check(const Reducer::Choice& choice, const DeviceInfo& device) {
  const bool doubles = choice.elements == Elements::doubles || choice.sums == Sums::doubles;
  if (doubles && !device.fp64)
    throw usage_error("this device has no double precision", {}, "sum in two floats", device.name);
  if (choice.elements == Elements::doubles && choice.sums != Sums::doubles)
    throw usage_error("elements in double precision are summed in double precision only", {}, {});
}

// kernels/common/reduce.clh: ordered_bits().
float value_of(std::uint32_t ordered) {
  if (ordered == std::numeric_limits<std::uint32_t>::max()) return std::numeric_limits<float>::quiet_NaN();
  return std::bit_cast<float>(ordered ^ ((ordered >> 31) != 0 ? 0x80000000U : 0xffffffffU));
}

}  // namespace

Sums sums_on(const DeviceInfo& device) { return device.fp64 ? Sums::doubles : Sums::two_floats; }

double total_of(std::span<const std::byte> sums, Sums kind) {
  long double total = 0;
  for (std::size_t at = 0; at < sums.size(); at += bytes_of_result) {
    if (kind == Sums::doubles) {
      double sum;
      std::memcpy(&sum, &sums[at], sizeof sum);
      total += static_cast<long double>(sum);
    } else {
      std::array<float, 2> parts;
      std::memcpy(parts.data(), &sums[at], sizeof parts);
      total += static_cast<long double>(parts[0]) + static_cast<long double>(parts[1]);
    }
  }
  return static_cast<double>(total);
}

Reduction reduction_over(std::size_t bodies, const DeviceInfo& device) {
  constexpr std::size_t most_groups = 32;
  const std::size_t wanted = is_cpu(device) ? 16 : 128;
  const std::size_t group = std::clamp<std::size_t>(std::bit_floor(device.max_work_group), 1, wanted);
  return {group, std::clamp<std::size_t>((bodies + group - 1) / group, 1, most_groups)};
}

const ReductionStyle& reduction_style(DeviceClass device_class) {
  static constexpr ReductionStyle cpu{true, 64, 4, 1, 4}, others{false, 16, 8, 256, 16};
  return device_class == DeviceClass::cpu ? cpu : others;
}

Reducer::Reducer(ProgramLibrary& programs, const Choice& choice) : choice_(choice) {
  const Device& device = programs.device();
  const DeviceInfo& info = device.info();
  check(choice_, info);
  check_work_group(choice_.work_group, info, bytes_of_result);
  const ReductionStyle& style = reduction_style(info.device_class);
  reduction_.group = choice_.work_group > 0 ? choice_.work_group : std::min(style.group, info.max_work_group);
  // The same number of items for any group size.
  const std::size_t items = style.group * style.groups_per_unit * std::max(1U, info.compute_units);
  reduction_.groups = std::max<std::size_t>(1, items / reduction_.group);
  const auto program = programs.build(spec_of(choice_, style, reduction_.group));
  sum_ = program->kernel("sum_values");
  if (choice_.elements == Elements::floats) extremes_ = program->kernel("find_extremes");
  results_ = device.buffer(reduction_.groups * bytes_of_result);
}

void Reducer::enqueue_sum(Queue& queue, const cl::Buffer& values, std::size_t count) {
  launch(queue, "sum", sum_, values, count);
}

double Reducer::sum(Queue& queue) const {
  const auto sums = queue.read_blocking<std::byte>(results_, used_groups_ * bytes_of_result);
  return total_of(sums, choice_.sums);
}

void Reducer::enqueue_extremes(Queue& queue, const cl::Buffer& values, std::size_t count) {
  launch(queue, "extremes", extremes_, values, count);
}

Extremes Reducer::extremes(Queue& queue) const {
  std::uint32_t least = ~0U, greatest = ~0U;  // the greatest has all bits inverted
  for (const cl_uint2& each : queue.read_blocking<cl_uint2>(results_, used_groups_)) {
    least = std::min(least, each.s[0]);
    greatest = std::min(greatest, each.s[1]);
  }
  return {value_of(least), greatest == ~0U ? value_of(greatest) : value_of(~greatest)};
}

void Reducer::launch(Queue& queue, std::string_view name, cl::Kernel& kernel, const cl::Buffer& values,
                     std::size_t count) {
  // Limits the number of groups by the number of elements.
  const std::size_t loads = count * bytes_of(choice_.elements) / reduction_style(queue.device().device_class).bytes;
  used_groups_ = std::clamp<std::size_t>(loads / reduction_.group, 1, reduction_.groups);
  kernel.setArg(0, values);
  kernel.setArg(1, static_cast<cl_uint>(count));
  kernel.setArg(2, results_);
  queue.launch(name, kernel, {used_groups_ * reduction_.group, reduction_.group},
               Work(static_cast<double>(count), {1, static_cast<double>(bytes_of(choice_.elements))},
                    choice_.sums == Sums::doubles));
}

}  // namespace orrery
