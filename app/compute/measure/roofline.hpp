/// The position of a kernel under the roofs of its device. Plain data and one pure function.
///
/// Rooflines: S. Williams, A. Waterman, D. Patterson, Communications of the ACM 52 (4), 2009.
#pragma once

#include <string_view>

#include "compute/queue/kernel_statistics.hpp"
#include "compute/queue/work.hpp"

namespace orrery {

/// Peak rates of a device, per second; 0 if it cannot do the operation.
struct Ceilings {
  double multiply_adds = 0;         ///< fused or not, in single precision
  double multiply_adds_double = 0;  ///< in double precision
  double roots = 0;                 ///< reciprocal square roots in single precision, the fastest kind
  double read_bytes = 0;            ///< from global memory, far beyond any cache
  double copy_bytes = 0;            ///< read and written there: both count
  double local_bytes = 0;           ///< from local memory
  double launch_seconds = 0;        ///< an empty kernel, from the call to its end
  double launch_interval = 0;       ///< from one empty kernel to the next, with many enqueued
};

/// `unknown` if the kernel's work or time is not known.
enum class Bound { unknown, compute, memory, latency, launch };

struct RooflinePlace {
  Bound bound = Bound::unknown;
  double intensity = KernelStatistics::unknown;  ///< operations per byte
  double fraction = KernelStatistics::unknown;   ///< share of the roof; above 1 if caches serve the bytes
};

/// Launch-bound: the kernel takes no longer than the host needs for the next launch. Latency-bound: it reaches less
/// than 60 % of both roofs (rule SOLBottleneck of NVIDIA Nsight Compute). Otherwise bound by the nearer roof.
inline RooflinePlace roofline_place(const KernelStatistics& kernel, const Ceilings& ceilings) {
  constexpr double near_a_roof = 0.6;
  RooflinePlace place;
  const double peak = kernel.doubles ? ceilings.multiply_adds_double : ceilings.multiply_adds;
  const double bandwidth = ceilings.read_bytes > ceilings.copy_bytes ? ceilings.read_bytes : ceilings.copy_bytes;
  const double operations = kernel.operations_per_second / peak, bytes = kernel.bytes_per_second / bandwidth;
  const bool computes = peak > 0 && operations > 0, reads = bandwidth > 0 && bytes > 0;
  if (computes && reads) place.intensity = kernel.operations_per_second / kernel.bytes_per_second;
  if (!computes && !reads) return place;
  const bool by_memory = reads && !(computes && operations >= bytes);
  place.fraction = by_memory ? bytes : operations;
  if (kernel.median_us * 1e-6 <= ceilings.launch_interval)
    place.bound = Bound::launch;
  else if (place.fraction < near_a_roof)
    place.bound = Bound::latency;
  else
    place.bound = by_memory ? Bound::memory : Bound::compute;
  return place;
}

/// Seconds of the work under the nearer roof; 0 if unknown.
inline double least_seconds(const Work& work, const Ceilings& ceilings) {
  const double peak = work.doubles ? ceilings.multiply_adds_double : ceilings.multiply_adds;
  const double bandwidth = ceilings.read_bytes > ceilings.copy_bytes ? ceilings.read_bytes : ceilings.copy_bytes;
  const double computing = peak > 0 ? work.operations / peak : 0, reading = bandwidth > 0 ? work.bytes / bandwidth : 0;
  return computing > reading ? computing : reading;
}

constexpr std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::compute:
      return "compute";
    case Bound::memory:
      return "memory";
    case Bound::latency:
      return "latency";
    case Bound::launch:
      return "launch";
    case Bound::unknown:
      break;
  }
  return "n/a";
}

}  // namespace orrery
