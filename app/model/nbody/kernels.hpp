/// The n-body kernels, specialised for a device, a precision, an integrator and a work-group size.
///
/// Built and warmed up on any thread; afterwards they belong to the thread that launches them.
#pragma once

#include <string_view>

#include "compute/program.hpp"
#include "compute/queue.hpp"
#include "model/nbody/settings.hpp"

namespace orrery {

/// The names under which the profiler knows the launches.
namespace nbody_launch {
inline constexpr std::string_view open = "open", step = "step", close = "close", publish = "publish",
                                  diagnose = "diagnose";
}

struct NbodyVariant {
  Precision precision = Precision::single;
  Integrator integrator = Integrator::leapfrog;
  std::size_t work_group = 0;  ///< work-items
  std::size_t lanes = 1;       ///< bodies a work-item
  std::size_t tile = 0;        ///< sources in local memory
  bool operator==(const NbodyVariant&) const = default;

  std::size_t bodies_per_group() const { return work_group * lanes; }
};

/// What suits the device; `work_group` 0 is chosen for `bodies`. Throws a usage Error for a size that cannot be.
NbodyVariant nbody_variant(const DeviceInfo& device, Precision precision, Integrator integrator, std::size_t work_group,
                           std::size_t bodies);
/// Local memory that a work-group size costs, for each of its items.
std::size_t local_bytes_per_item(const DeviceInfo& device, Precision precision);

struct NbodyKernels {
  /// Builds, and launches each kernel once on no bodies: some drivers compile at the first launch of a kernel.
  NbodyKernels(ProgramLibrary& programs, const NbodyVariant& variant, std::size_t bodies);

  NbodyVariant variant;
  cl::Kernel open, step, close;
  WorkGroupLimits limits;  ///< of the step
};

/// The launches over `bodies` bodies: of a force kernel, and of a kernel with one body an item.
Range range_of(const NbodyVariant& variant, std::size_t bodies);
Range elementwise(const DeviceInfo& device, std::size_t bodies);

/// A number that a kernel takes in its own precision.
struct Real {
  double value;
  Precision precision;
};
void set_argument(cl::Kernel& kernel, cl_uint index, const Real& value);
inline void set_argument(cl::Kernel& kernel, cl_uint index, cl_uint value) { kernel.setArg(index, value); }
inline void set_argument(cl::Kernel& kernel, cl_uint index, const cl::Buffer& value) { kernel.setArg(index, value); }
template <class... Values>
void set_arguments(cl::Kernel& kernel, const Values&... values) {
  cl_uint index = 0;
  (set_argument(kernel, index++, values), ...);
}

std::size_t bytes_of_real4(Precision precision);
/// -D DOUBLE=1 and -D FAST_FMA=1 where they apply.
std::map<std::string, std::string> precision_definitions(const Device& device, Precision precision);

}  // namespace orrery
