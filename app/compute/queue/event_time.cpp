#include "compute/queue/event_time.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/platform/process.hpp"

namespace orrery {
namespace {

using Call = cl_int(CL_API_CALL*)(cl_device_id, cl_ulong*, cl_ulong*);
constexpr cl_platform_info host_timer_resolution = 0x0905;  // CL_PLATFORM_HOST_TIMER_RESOLUTION, OpenCL 2.1

// Looked up at run time, because loaders of OpenCL 1.2 lack this entry.
Call call_of_loader() { return reinterpret_cast<Call>(platform::function_of_opencl("clGetDeviceAndHostTimer")); }

// Older drivers have shorter tables, and OpenCL 3.0 makes the entry optional: a resolution of zero means no clock.
bool driver_has_it(const cl::Device& device) {
  cl_platform_id platform = nullptr;
  cl_ulong resolution = 0;
  if (clGetDeviceInfo(device(), CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr) != CL_SUCCESS) return false;
  std::string version(64, '\0');  // "OpenCL 2.1 …"
  if (clGetPlatformInfo(platform, CL_PLATFORM_VERSION, version.size(), version.data(), nullptr) != CL_SUCCESS)
    return false;
  if (version.size() < 10 || std::atof(version.c_str() + 7) < 2.1) return false;
  return clGetPlatformInfo(platform, host_timer_resolution, sizeof resolution, &resolution, nullptr) == CL_SUCCESS &&
         resolution > 0;
}

}  // namespace

std::optional<EventTimes> times_of(const cl::Event& event) {
  try {
    const EventTimes times{
        event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>(), event.getProfilingInfo<CL_PROFILING_COMMAND_SUBMIT>(),
        event.getProfilingInfo<CL_PROFILING_COMMAND_START>(), event.getProfilingInfo<CL_PROFILING_COMMAND_END>()};
    const bool ordered = times.queued <= times.submitted && times.submitted <= times.start && times.start < times.end;
    if (times.start == 0 || !ordered) return std::nullopt;
    return times;
  } catch (const cl::Error&) {
    return std::nullopt;
  }
}

std::optional<double> seconds_between(const cl::Event& begin, const cl::Event& end) {
  try {
    const auto from = begin.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    const auto to = end.getProfilingInfo<CL_PROFILING_COMMAND_END>();
    if (from == 0 || to < from) return std::nullopt;
    return static_cast<double>(to - from) * 1e-9;
  } catch (const cl::Error&) {
    return std::nullopt;
  }
}

cl_ulong time_of_any(std::vector<EventTimes> commands) {
  std::ranges::sort(commands, {}, &EventTimes::start);
  cl_ulong sum = 0, counted_to = 0;
  for (const EventTimes& each : commands) {
    sum += std::max(each.end, counted_to) - std::max(each.start, counted_to);
    counted_to = std::max(each.end, counted_to);
  }
  return sum;
}

double seconds_of_transfers(std::span<const cl::Event> transfers, std::size_t bytes) {
  constexpr double bytes_per_second = 2e9;  // assumed rate of a slow host
  double seconds = 0;
  for (const cl::Event& transfer : transfers) {
    const auto times = times_of(transfer);
    seconds +=
        times ? 1e-9 * static_cast<double>(times->end - times->start) : static_cast<double>(bytes) / bytes_per_second;
  }
  return seconds;
}

std::optional<std::int64_t> device_time(const cl::Device& device) {
  static const Call call = call_of_loader();
  cl_ulong time = 0, host = 0;
  if (call == nullptr || !driver_has_it(device) || call(device(), &time, &host) != CL_SUCCESS || time == 0)
    return std::nullopt;
  return static_cast<std::int64_t>(time);
}

}  // namespace orrery
