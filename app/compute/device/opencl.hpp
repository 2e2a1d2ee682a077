/// The OpenCL C++ bindings, configured once. Every failing call throws cl::Error; this turns it into our Error.
#pragma once

// The bindings are not written for our warnings.
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
#include <string_view>

#include "base/error.hpp"

namespace orrery {

/// "CL_INVALID_WORK_GROUP_SIZE" for −54.
std::string code_name(cl_int code);

/// The Error of a failed call: what was attempted, on which device, the code's name and what to do next.
Error opencl_error(const cl::Error& error, std::string attempted, std::string device);

/// What has been thrown, for those who tell it: an Error as it is; a cl::Error, which itself says no more than the name
/// of the call, with its code and advice.
Error as_error(const std::exception& error);

}  // namespace orrery
