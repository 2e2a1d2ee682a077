/// When a command ran, as its event tells.
#pragma once

#include <optional>

#include "compute/device/opencl.hpp"

namespace orrery {

/// Nanoseconds of the device's clock.
struct EventTimes {
  cl_ulong queued, submitted, start, end;
};

/// Of a complete command; nothing where the driver keeps no times, or impossible ones: zero, or out of order.
std::optional<EventTimes> times_of(const cl::Event& event);

/// Seconds from the end of `begin` to the end of `end`, both complete and of one queue; nothing where the driver keeps
/// no times.
std::optional<double> seconds_between(const cl::Event& begin, const cl::Event& end);

}  // namespace orrery
