/// The times of a command, read from its event, and the device's clock, if the driver can read it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compute/device/opencl.hpp"

namespace orrery {

/// Nanoseconds of the device's clock.
struct EventTimes {
  cl_ulong queued, submitted, start, end;
};

/// The times of a complete command; nothing if the driver records none, or impossible ones (zero, or out of order).
std::optional<EventTimes> times_of(const cl::Event& event);

/// Seconds from the end of `begin` to the end of `end`, both complete and of one queue; nothing if the driver records
/// no times.
std::optional<double> seconds_between(const cl::Event& begin, const cl::Event& end);

/// Nanoseconds in which at least one of the commands ran.
cl_ulong time_of_any(std::vector<EventTimes> commands);

/// Seconds that the device was busy with these complete commands. Each transfers `bytes` bytes, from which the time is
/// estimated if the driver records none.
double seconds_of_transfers(std::span<const cl::Event> transfers, std::size_t bytes);

/// Present time of the clock of event times, in nanoseconds (clGetDeviceAndHostTimer, OpenCL 2.1); nothing if driver or
/// loader lack the call. Any thread.
std::optional<std::int64_t> device_time(const cl::Device& device);

}  // namespace orrery
