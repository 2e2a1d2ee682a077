#include "compute/sort/radix_sort.hpp"

#include <algorithm>
#include <bit>

#include "compute/program/arguments.hpp"

namespace orrery {
namespace {

constexpr std::size_t digits = 256;
constexpr cl_uint key_bits = 64, digit_bits = 8;  // an even number of passes: the result is in place

constexpr std::size_t team = 32;  // TEAM in radix_sort.cl
constexpr std::size_t few = 32;   // chunks: see radix_sort.cl

struct Chunk {
  std::size_t group, each;
  std::size_t pairs() const { return group * each; }
};

// On a CPU, each item counts alone, in a chunk whose counts fit the first-level cache. On other devices, the keys of a
// chunk and the counts of its teams fit into local memory.
Chunk chunk_of(const DeviceInfo& device) {
  constexpr std::size_t most_each = 16, least_each = 4;
  constexpr Chunk of_one{1, 16384};
  if (is_cpu(device)) return of_one;
  for (std::size_t group = std::bit_floor(std::min(digits, device.max_work_group)); group >= team; group /= 2)
    for (std::size_t each = most_each; each >= least_each; each /= 2) {
      const std::size_t counts = (group / team + 2) * digits * sizeof(cl_uint);
      if (group * each * sizeof(cl_ulong) + counts <= device.local_bytes) return {group, each};
    }
  return of_one;
}

std::size_t chunks_of(const DeviceInfo& device, std::size_t pairs) {
  const std::size_t each = chunk_of(device).pairs();
  return std::max<std::size_t>((pairs + each - 1) / each, 1);
}

}  // namespace

ProgramSpec RadixSortKernels::program(const Device& device) {
  const Chunk chunk = chunk_of(device.info());
  return {"radix_sort.cl",
          {{"WORK_GROUP", std::to_string(chunk.group)},
           {"EACH", std::to_string(chunk.each)},
           {"FEW", std::to_string(few)}}};
}

RadixSortKernels::RadixSortKernels(ProgramLibrary& programs) {
  const auto built = programs.build(program(programs.device()));
  count = built->kernel("count_digits");
  add_up = built->kernel("add_up_digits");
  scatter = built->kernel("scatter_pairs");
}

RadixSort::RadixSort(const Device& device, std::size_t pairs)
    : pairs_(pairs),
      chunks_(chunks_of(device.info(), pairs)),
      group_(chunk_of(device.info()).group),
      keys_(device.buffer(pairs * sizeof(cl_ulong))),
      values_(device.buffer(pairs * sizeof(cl_uint))),
      counts_(device.buffer(digits * chunks_ * sizeof(cl_uint))),
      totals_(device.buffer(digits * sizeof(cl_uint))) {}

std::size_t RadixSort::bytes(const DeviceInfo& device, std::size_t pairs) {
  return pairs * (sizeof(cl_ulong) + sizeof(cl_uint)) + digits * chunks_of(device, pairs) * sizeof(cl_uint);
}

void RadixSort::enqueue(Queue& queue, RadixSortKernels& kernels, const cl::Buffer& keys, const cl::Buffer& values) {
  const auto pairs = static_cast<cl_uint>(pairs_), chunks = static_cast<cl_uint>(chunks_);
  const Range by_chunk{cl::NDRange(chunks_ * group_), cl::NDRange(group_)};
  const Range by_digit{cl::NDRange(digits * group_), cl::NDRange(group_)};
  const Work work(static_cast<double>(pairs_) * digit_bits / key_bits);
  for (cl_uint shift = 0; shift < key_bits; shift += digit_bits) {
    const bool back = shift / digit_bits % 2 == 1;
    const cl::Buffer &from_keys = back ? keys_ : keys, &from_values = back ? values_ : values;
    set_arguments(kernels.count, from_keys, pairs, shift, counts_, chunks);
    queue.launch(sort_launch, kernels.count, by_chunk);
    if (chunks_ > few) {
      set_arguments(kernels.add_up, counts_, chunks, totals_);
      queue.launch(sort_launch, kernels.add_up, by_digit);
    }
    set_arguments(kernels.scatter, from_keys, from_values, pairs, shift, counts_, chunks, totals_, back ? keys : keys_,
                  back ? values : values_);
    queue.launch(sort_launch, kernels.scatter, by_chunk, work);
  }
}

}  // namespace orrery
