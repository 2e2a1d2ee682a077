#include "compute/queue/queue_trace.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "compute/device/device_clock.hpp"

namespace orrery {

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

}  // namespace orrery
