/// The OpenCL C++ bindings, configured once. Failing calls throw cl::Error; functions here turn it into Error.
#pragma once

// The bindings do not compile with all warnings of this program.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#endif
#include <CL/opencl.hpp>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <string>

#include "base/error.hpp"

namespace orrery {

/// "CL_INVALID_WORK_GROUP_SIZE" for −54.
std::string code_name(cl_int code);

/// The Error of a failed call: the action, the device, the name of the code, and advice.
Error opencl_error(const cl::Error& error, std::string attempted, std::string device);

/// Any exception as an Error: an Error itself, or a cl::Error (which only knows the name of the call) with its code and
/// advice.
Error as_error(const std::exception& error);

}  // namespace orrery
