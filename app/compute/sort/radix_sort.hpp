/// Sorts pairs of a 64-bit key and a 32-bit value on the device; equal keys keep their order.
///
/// Kernels are built on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include "compute/program/program.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {

/// The name of the launches in the profiler.
inline constexpr std::string_view sort_launch = "sort";

struct RadixSortKernels {
  explicit RadixSortKernels(ProgramLibrary& programs);
  static ProgramSpec program(const Device& device);

  cl::Kernel count, add_up, scatter;
};

/// Owns the memory for sorting: a second copy of the pairs, and the counts of digits.
class RadixSort {
 public:
  RadixSort(const Device& device, std::size_t pairs);

  /// Enqueues the sort of `keys` (cl_ulong) and `values` (cl_uint), in place.
  void enqueue(Queue& queue, RadixSortKernels& kernels, const cl::Buffer& keys, const cl::Buffer& values);
  /// The bytes that it owns for this number of pairs.
  static std::size_t bytes(const DeviceInfo& device, std::size_t pairs);

 private:
  std::size_t pairs_, chunks_, group_;
  cl::Buffer keys_, values_, counts_, totals_;
};

}  // namespace orrery
