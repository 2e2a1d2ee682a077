#include "compute/queue/event_time.hpp"

namespace orrery {

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

}  // namespace orrery
