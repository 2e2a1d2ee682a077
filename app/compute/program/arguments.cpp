#include "compute/program/arguments.hpp"

namespace orrery {

void set_argument(cl::Kernel& kernel, cl_uint index, const Real& value) {
  if (value.precision == Precision::double_)
    kernel.setArg(index, cl_double{value.value});
  else
    kernel.setArg(index, static_cast<cl_float>(value.value));
}

}  // namespace orrery
