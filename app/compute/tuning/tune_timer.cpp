#include "compute/tuning/tune_timer.hpp"

#include "base/clock.hpp"

namespace orrery {
namespace {

std::optional<double> device_seconds(const cl::Event& event) {
  try {
    return orrery::device_seconds(event.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
                                  event.getProfilingInfo<CL_PROFILING_COMMAND_END>());
  } catch (const cl::Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<double> device_seconds(cl_ulong start, cl_ulong end) {
  constexpr double nanosecond = 1e-9;
  if (start == 0 || end == 0 || start >= end) return std::nullopt;
  return static_cast<double>(end - start) * nanosecond;
}

void TuneTimer::time(const std::function<void()>& enqueue) {
  events_.clear();
  // Every candidate is cut into the same launches: by the assumed speed of the device, not by the last candidate's
  // times.
  queue_.profiler().clear();
  queue_.collect_into(&events_);
  began_ = now_seconds();
  enqueue();
  queue_.collect_into(nullptr);
  queue_.flush();
}

std::optional<TuneRun::Times> TuneTimer::poll() {
  if (!events_.empty() && !is_complete(events_.back())) return std::nullopt;
  TuneRun::Times times{0.0, now_seconds() - began_};
  for (const cl::Event& event : events_) {
    if (!is_complete(event)) return std::nullopt;
    if (const auto status = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>(); status < 0)
      throw opencl_error(cl::Error(status), "a launch", queue_.device().name);
    const auto seconds = device_seconds(event);
    times.device = times.device && seconds ? std::optional(*times.device + *seconds) : std::nullopt;
  }
  events_.clear();
  return times;
}

}  // namespace orrery
