/// The numbers that a kernel computes with, as precision.clh defines them, and arguments of kernels in that precision.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "compute/device/device.hpp"

namespace orrery {

/// mixed: forces in single, positions and velocities with twice its digits.
enum class Precision { single, mixed, double_ };

/// From the choices of --precision. Throws a usage Error for double on a device without doubles.
Precision precision_of(std::string_view name, const DeviceInfo& device);
std::size_t bytes_of_real4(Precision precision);
/// -D DOUBLE=1 and -D FAST_FMA=1 where they apply.
std::map<std::string, std::string> precision_definitions(const Device& device, Precision precision);

/// A kernel argument in the kernel's own precision.
struct Real {
  double value;
  Precision precision;
};
void set_argument(cl::Kernel& kernel, cl_uint index, const Real& value);
inline void set_argument(cl::Kernel& kernel, cl_uint index, cl_uint value) { kernel.setArg(index, value); }
inline void set_argument(cl::Kernel& kernel, cl_uint index, const cl::Buffer& value) { kernel.setArg(index, value); }
/// All arguments of a kernel, in order.
template <class... Values>
void set_arguments(cl::Kernel& kernel, const Values&... values) {
  cl_uint index = 0;
  (set_argument(kernel, index++, values), ...);
}

}  // namespace orrery
