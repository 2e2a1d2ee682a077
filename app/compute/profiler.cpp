#include "compute/profiler.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"

namespace orrery {
namespace {

struct Stamps {
  cl_ulong queued, start, end;
};

// What a driver cannot tell (no profiling, zero or unordered stamps) is no time at all.
std::optional<Stamps> stamps_of(const cl::Event& event) {
  try {
    const Stamps stamps{event.getProfilingInfo<CL_PROFILING_COMMAND_QUEUED>(),
                        event.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
                        event.getProfilingInfo<CL_PROFILING_COMMAND_END>()};
    if (stamps.end == 0 || stamps.start > stamps.end || stamps.queued > stamps.start) return std::nullopt;
    return stamps;
  } catch (const cl::Error&) {
    return std::nullopt;
  }
}

constexpr double share_window_seconds = 1;
constexpr double nanosecond = 1e-9;

// Launches that are shorter than this have an event every so often.
constexpr double short_us = 100;
constexpr std::uint64_t sampling = 8;

std::vector<float> as_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

bool Profiler::samples(std::string_view name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) return true;
  Entry& entry = found->second;
  const bool short_ones = entry.sums.last_us < short_us;
  if (entry.next_is_first || !short_ones || entry.unsampled + 1 >= sampling) return true;
  ++entry.unsampled;
  return false;
}

void Profiler::record(std::string_view name, const cl::Event& event, double work) {
  Entry& entry = entries_.try_emplace(std::string(name)).first->second;
  pending_.push_back({std::string(name), event, work, std::exchange(entry.unsampled, 0) + 1,
                      std::exchange(entry.next_is_first, false)});
}

void Profiler::mark_first(std::string_view name) {
  if (const auto entry = entries_.find(name); entry != entries_.end()) entry->second.next_is_first = true;
}

std::optional<cl_int> Profiler::harvest() {
  std::optional<cl_int> fault;
  while (!pending_.empty()) {
    const cl_int status = pending_.front().event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    if (status > CL_COMPLETE) break;
    if (status < 0 && !fault) fault = status;
    const Pending done = std::move(pending_.front());
    pending_.pop_front();
    account(entries_[done.name], done);
  }
  return fault;
}

void Profiler::account(Entry& entry, const Pending& done) {
  entry.sums.launches += done.launches;
  const std::optional<Stamps> stamps = stamps_of(done.event);
  if (!stamps) return;
  const double seconds = static_cast<double>(stamps->end - stamps->start) * nanosecond;
  const double now = now_seconds();
  entry.busy.emplace_back(now, seconds * static_cast<double>(done.launches));
  while (now - entry.busy.front().first > share_window_seconds) entry.busy.pop_front();
  if (done.first) {
    ++entry.sums.first_launches;
    return;
  }
  entry.sums.last_us = seconds * 1e6;
  entry.recent.push(seconds * 1e6);
  entry.delays.push(static_cast<double>(stamps->start - stamps->queued) * nanosecond * 1e6);
  if (done.work <= 0) return;
  // A smoothed estimate: quick to rise, so that a slice never overshoots twice, slow to fall.
  const double measured = seconds / done.work;
  const double old = entry.seconds_per_work.value_or(measured);
  entry.seconds_per_work = std::lerp(old, measured, measured > old ? 0.5 : 0.1);
}

std::optional<double> Profiler::seconds_per_work(std::string_view name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() ? std::nullopt : entry->second.seconds_per_work;
}

std::vector<KernelStatistics> Profiler::statistics() const {
  std::vector<KernelStatistics> result;
  const double now = now_seconds();
  for (const auto& [name, entry] : entries_) {
    KernelStatistics statistics = entry.sums;
    statistics.name = name;
    const std::vector<double>& recent = entry.recent.values();
    statistics.median_us = median(recent);
    statistics.p99_us = quantile(recent, 0.99);
    statistics.queue_delay_us = median(entry.delays.values());
    statistics.recent_us = as_floats(recent);
    for (const auto& [when, seconds] : entry.busy)
      if (now - when <= share_window_seconds) statistics.busy_share += seconds / share_window_seconds;
    result.push_back(std::move(statistics));
  }
  return result;
}

void Profiler::clear() {
  pending_.clear();
  entries_.clear();
}

}  // namespace orrery
