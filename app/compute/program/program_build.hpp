/// The steps of a build, shared by this process and the compiler process.
#pragma once

#include <string>
#include <vector>

#include "compute/device/device.hpp"

namespace orrery {

/// Throws an Error with the compiler's log. `name` is for messages.
cl::Program compiled_here(const Device& device, const std::string& name, const std::string& options,
                          const std::string& source);
/// Empty if the driver returns none.
std::vector<unsigned char> binary_of(const cl::Program& program);
/// The build log with the places of the #line directives, without trailing white space.
std::string log_of(const cl::Program& program, const Device& device, const std::string& source);

}  // namespace orrery
