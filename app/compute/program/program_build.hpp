/// The steps of building a program, for whoever builds it here and for the process that compiles for others.
#pragma once

#include <string>
#include <vector>

#include "compute/device/device.hpp"

namespace orrery {

/// Throws Error with the compiler's log. `name` is for messages.
cl::Program compiled_here(const Device& device, const std::string& name, const std::string& options,
                          const std::string& source);
/// Empty where the driver gives none.
std::vector<unsigned char> binary_of(const cl::Program& program);
/// Of a program of that source: with the places of its #line directives, without the white space at its end.
std::string log_of(const cl::Program& program, const Device& device, const std::string& source);

}  // namespace orrery
