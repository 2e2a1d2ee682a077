#include "compute/queue/profiler.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace orrery {
namespace {

std::atomic<bool> times_asked = true;

constexpr double share_window_seconds = 1;
constexpr double nanosecond = 1e-9;

// Only some shorter launches have an event. If units are alike, one event suffices, and its cost (7 µs on an H200) must
// stay below 0.5 % of the time that it represents.
constexpr double short_us = 100, event_us = 7;
constexpr double sampling = 8, most_sampling = 16;

double launches_for_each_event(double launch_us, bool alike) {
  if (launch_us < short_us) return sampling;
  return alike ? std::clamp(std::ceil(200 * event_us / launch_us), 1.0, most_sampling) : 1;
}

std::vector<float> as_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

}  // namespace

QueueTrace::QueueTrace(Timeline& timeline, std::string_view lane, const Device& device)
    : timeline_(&timeline),
      lane_(timeline.lane(lane, LaneKind::queue)),
      device_(device.handle()),
      resolution_(static_cast<std::int64_t>(device.info().timer_resolution_ns)),
      driver_compares_(device_time(device_).has_value()) {
  timeline.state_of(lane_).clock_known = false;
}

std::optional<QueueTrace::Enqueued> QueueTrace::enqueued(std::string_view name, const Asked& asked) const {
  if (asked.began == 0 || !on()) return std::nullopt;
  return Enqueued{asked.began, now_nanoseconds(), asked.global, asked.local, timeline_->frame(), timeline_->name(name)};
}

void QueueTrace::complete(const Enqueued& command, const std::optional<EventTimes>& times) {
  TimelineLane& lane = timeline_->state_of(lane_);
  if (!times) {
    ++lane.untimed;
    return;
  }
  compare_clocks(command, *times, now_nanoseconds());
  lane.clock_known = clock_.known();
  lane.clock_error = clock_.error() + resolution_;
  const auto start = static_cast<std::int64_t>(times->start), end = static_cast<std::int64_t>(times->end);
  // A better clock offset must not make a command overlap the previous one, because the device ran them in order.
  std::int64_t offset = clock_.offset();
  if (start >= last_end_device_) offset = std::max(offset, last_end_ - start);
  last_end_device_ = end;
  last_end_ = end + offset;
  timeline_->add({.queued = static_cast<std::int64_t>(times->queued) + offset,
                  .submitted = static_cast<std::int64_t>(times->submitted) + offset,
                  .start = start + offset,
                  .end = end + offset,
                  .global = command.global,
                  .local = command.local,
                  .frame = command.frame,
                  .name = command.name,
                  .lane = lane_});
}

void QueueTrace::compare_clocks(const Enqueued& command, const EventTimes& times, std::int64_t now) {
  constexpr std::int64_t interval = 100'000'000;
  if (!driver_compares_) {
    const auto queued = static_cast<std::int64_t>(times.queued), end = static_cast<std::int64_t>(times.end);
    clock_.observe(now, command.began - queued - resolution_,
                   std::min(command.returned - queued, now - end) + resolution_);
  } else if (!clock_.known() || now - compared_ > interval) {
    const std::int64_t before = now_nanoseconds();
    const auto device = device_time(device_);
    const std::int64_t after = now_nanoseconds();
    compared_ = now;
    if (device) clock_.observe(after, before - *device - resolution_, after - *device + resolution_);
  }
}

bool Profiler::samples(std::string_view name) {
  if (!asks_for_times()) return false;
  if (tracing()) return true;
  const auto found = entries_->find(name);
  if (found == entries_->end()) return true;
  Entry& entry = found->second;
  const bool enough =
      static_cast<double>(entry.unsampled + 1) >= launches_for_each_event(entry.sums.last_us, entry.alike);
  return entry.next_is_first || enough;
}

void Profiler::record(std::string_view name, const cl::Event& event, const Work& work, const Asked& asked) {
  Entry& entry = entries_->try_emplace(std::string(name)).first->second;
  pending_.push_back({std::string(name), event, work, trace_ ? trace_->enqueued(name, asked) : std::nullopt,
                      std::exchange(entry.unsampled_operations, 0) + work.operations,
                      std::exchange(entry.unsampled_bytes, 0) + work.bytes, std::exchange(entry.unsampled, 0) + 1,
                      std::exchange(entry.next_is_first, false)});
}

void Profiler::skip(std::string_view name, const Work& work) {
  const auto entry = entries_->find(name);
  if (entry == entries_->end()) return;
  ++entry->second.unsampled;
  entry->second.unsampled_operations += work.operations;
  entry->second.unsampled_bytes += work.bytes;
}

void Profiler::mark_first(std::string_view name) {
  if (const auto entry = entries_->find(name); entry != entries_->end()) {
    entry->second.next_is_first = true;
    entry->second.recent.clear();
    entry->second.delays.clear();
    entry->second.each.clear();
    entry->second.levels.clear();
  }
}

void Profiler::tell(std::string_view name, double operations) {
  if (const auto entry = entries_->find(name); entry != entries_->end())
    entry->second.busy.push_back({now_seconds(), 0, operations, 0, true});
}

std::optional<cl_int> Profiler::harvest() {
  std::optional<cl_int> fault;
  while (!pending_.empty()) {
    const cl_int status = pending_.front().event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    if (status > CL_COMPLETE) break;
    if (status < 0 && !fault) fault = status;
    const Pending done = std::move(pending_.front());
    pending_.pop_front();
    account((*entries_)[done.name], done);
  }
  return fault;
}

void Profiler::account(Entry& entry, const Pending& done) {
  entry.sums.launches += done.launches;
  const std::optional<EventTimes> stamps = times_of(done.event);
  if (trace_ && done.traced) trace_->complete(*done.traced, stamps);
  if (!stamps) {
    ++entry.sums.untimed;
    return;
  }
  const double seconds = static_cast<double>(stamps->end - stamps->start) * nanosecond;
  const double now = now_seconds();
  if (done.first) {
    ++entry.sums.first_launches;
    entry.sums.first_us = seconds * 1e6;
    entry.busy.push_back({now, seconds, 0, 0, false, *stamps});
    return;
  }
  entry.busy.push_back({now, seconds * static_cast<double>(done.launches), done.operations, done.bytes,
                        done.work.counted || done.operations > 0 || done.bytes > 0, *stamps});
  while (now - entry.busy.front().when > share_window_seconds) entry.busy.pop_front();
  entry.sums.doubles = done.work.doubles;
  entry.sums.last_us = seconds * 1e6;
  entry.sums.timed_seconds += seconds * static_cast<double>(done.launches);
  entry.recent.push(seconds * 1e6);
  entry.delays.push(static_cast<double>(stamps->start - stamps->queued) * nanosecond * 1e6);
  if (done.work.units <= 0) return;
  entry.alike = done.work.alike;
  const double measured = seconds / done.work.units;
  if (done.work.alike) {
    follow_level(entry, measured, now);
    // Some of the last launches took longer, because the device was drawing.
    constexpr std::ptrdiff_t latest = 15;
    const std::vector<double>& each = entry.each.values();
    entry.seconds_per_work = median({each.end() - std::min(latest, std::ssize(each)), each.end()});
    return;
  }
  // A smoothed estimate: quick to rise, so that a slice hardly overshoots twice, slow to fall. A launch during which
  // the device drew, which may take a hundred times as long, says nothing.
  entry.latest.push(measured);
  const double told = median(entry.latest.values()), old = entry.seconds_per_work.value_or(told);
  entry.seconds_per_work = std::lerp(old, told, told > old ? 0.5 : 0.1);
}

void Profiler::follow_level(Entry& entry, double seconds_each, double now) {
  constexpr double level_seconds = 1;
  entry.each.push(seconds_each);
  if (now - entry.level_taken < level_seconds) return;
  entry.level_taken = now;
  entry.levels.push(median(entry.each.values()));
}

// Divides by the time in which the kernel ran, in one or in several queues; the device's busy share is another
// quantity.
void Profiler::take_rates(const Entry& entry, double now, KernelStatistics& statistics) {
  Busy sum{};
  std::vector<EventTimes> ran;
  double each_alone = 0;
  for (const Busy& each : entry.busy) {
    if (now - each.when > share_window_seconds) continue;
    statistics.busy_share += each.seconds / share_window_seconds;
    ran.push_back(each.ran);
    each_alone += static_cast<double>(each.ran.end - each.ran.start);
    if (!each.rated) continue;
    sum.seconds += each.seconds;
    sum.operations += each.operations;
    sum.bytes += each.bytes;
  }
  const double together = each_alone > 0 ? static_cast<double>(time_of_any(std::move(ran))) / each_alone : 1;
  statistics.busy_share = std::min(1.0, together * statistics.busy_share);
  sum.seconds *= together;
  if (sum.operations > 0 && sum.seconds > 0) statistics.operations_per_second = sum.operations / sum.seconds;
  if (sum.bytes > 0 && sum.seconds > 0) statistics.bytes_per_second = sum.bytes / sum.seconds;
}

std::optional<double> Profiler::seconds_per_work(std::string_view name) const {
  const auto entry = entries_->find(name);
  return entry == entries_->end() ? std::nullopt : entry->second.seconds_per_work;
}

std::vector<KernelStatistics> Profiler::statistics() const {
  std::vector<KernelStatistics> result;
  const double now = now_seconds();
  for (const auto& [name, entry] : *entries_) {
    KernelStatistics statistics = entry.sums;
    statistics.name = name;
    const std::vector<double>& recent = entry.recent.values();
    statistics.median_us = median(recent);
    statistics.p90_us = quantile(recent, 0.9);
    statistics.p99_us = quantile(recent, 0.99);
    statistics.spread = relative_spread(entry.each.values());
    statistics.slowdown = steady_rise(entry.levels.values());
    statistics.queue_delay_us = median(entry.delays.values());
    statistics.recent_us = as_floats({recent.end() - std::min<std::ptrdiff_t>(120, std::ssize(recent)), recent.end()});
    take_rates(entry, now, statistics);
    result.push_back(std::move(statistics));
  }
  return result;
}

void Profiler::clear() {
  pending_.clear();
  entries_->clear();
}

void ask_for_times(bool ask) { times_asked = ask; }
bool asks_for_times() { return times_asked.load(std::memory_order_relaxed); }

}  // namespace orrery
