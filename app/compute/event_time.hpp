/// Device time between events of one queue.
#pragma once

#include <optional>

#include "compute/opencl.hpp"

namespace orrery {

/// Seconds from the end of `begin` to the end of `end`, both complete; nothing where the driver keeps no times.
std::optional<double> seconds_between(const cl::Event& begin, const cl::Event& end);

}  // namespace orrery
