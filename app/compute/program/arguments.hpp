/// Arguments of kernels, also in a precision that is chosen at run time.
#pragma once

#include "compute/device/opencl.hpp"
#include "compute/program/precision.hpp"

namespace orrery {

/// A kernel argument in the kernel's own precision.
struct Real {
  double value;
  Precision precision;
};
void set_argument(cl::Kernel& kernel, cl_uint index, const Real& value);
inline void set_argument(cl::Kernel& kernel, cl_uint index, cl_uint value) { kernel.setArg(index, value); }
inline void set_argument(cl::Kernel& kernel, cl_uint index, cl_int value) { kernel.setArg(index, value); }
inline void set_argument(cl::Kernel& kernel, cl_uint index, const cl::Buffer& value) { kernel.setArg(index, value); }
/// A structure of numbers, laid out as in the kernel.
template <class Numbers>
struct ByValue {
  Numbers numbers;
};
template <class Numbers>
void set_argument(cl::Kernel& kernel, cl_uint index, const ByValue<Numbers>& value) {
  kernel.setArg(index, sizeof value.numbers, &value.numbers);
}
/// All arguments of a kernel, in order.
template <class... Values>
void set_arguments(cl::Kernel& kernel, const Values&... values) {
  cl_uint index = 0;
  (set_argument(kernel, index++, values), ...);
}

}  // namespace orrery
