#include "base/timeline.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace orrery {

Timeline::Timeline(std::size_t capacity) : capacity_(std::max<std::size_t>(capacity, 1)) {
  lane("Frames", LaneKind::frames);
  lane("Window thread", LaneKind::host);
}

void Timeline::record(bool on) {
  if (on == recording_) return;
  recording_ = on;
  frame_began_ = 0;
  if (on) ring_.resize(capacity_);
}

std::uint16_t Timeline::lane(std::string_view name, LaneKind kind) {
  const auto found = std::ranges::find(lanes_, name, &TimelineLane::name);
  const auto index = static_cast<std::uint16_t>(found - lanes_.begin());
  if (found == lanes_.end()) lanes_.push_back({.name = std::string(name), .kind = kind});
  return index;
}

std::uint16_t Timeline::name(std::string_view text) {
  const auto found = std::ranges::find(names_, text);
  const auto index = static_cast<std::uint16_t>(found - names_.begin());
  if (found == names_.end()) names_.emplace_back(text);
  return index;
}

void Timeline::add(const TimelineSpan& span) {
  if (recording_) ring_[added_++ % capacity_] = span;
}

void Timeline::next_frame(std::int64_t now) {
  if (!recording_) return;
  if (frame_began_ != 0)
    add({.queued = frame_began_,
         .submitted = frame_began_,
         .start = frame_began_,
         .end = now,
         .frame = frame_,
         .name = name("frame"),
         .lane = frames_lane});
  ++frame_;
  frame_began_ = now;
}

TimelineView Timeline::view(std::size_t most) const {
  TimelineView view{lanes_, names_, {}, added_ - std::min<std::uint64_t>(added_, capacity_)};
  const std::uint64_t count = std::min<std::uint64_t>({added_, capacity_, most});
  view.spans.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = added_ - count; i < added_; ++i) view.spans.push_back(ring_[i % capacity_]);
  std::ranges::stable_sort(view.spans, {}, &TimelineSpan::start);
  return view;
}

TimelinePhase::TimelinePhase(Timeline& timeline, std::string_view name)
    : timeline_(timeline), name_(name), began_(timeline.recording() ? now_nanoseconds() : 0) {}

TimelinePhase::~TimelinePhase() {
  if (began_ == 0 || !timeline_.recording()) return;
  timeline_.add({.queued = began_,
                 .submitted = began_,
                 .start = began_,
                 .end = now_nanoseconds(),
                 .frame = timeline_.frame(),
                 .name = timeline_.name(name_),
                 .lane = Timeline::window_lane});
}

void TimelineKeeper::follow(bool open, bool paused, double now) {
  constexpr double interval = 0.1;           // seconds
  constexpr std::size_t many_frames = 4096;  // spans
  timeline_.record(always_ || open);
  if (!open) {
    seen_.reset();
    whole_ = false;
    return;
  }
  if (paused ? whole_ : now - taken_ < interval) return;
  whole_ = paused;
  taken_ = now;
  seen_ = std::make_shared<const TimelineView>(paused ? timeline_.view() : timeline_.view(many_frames));
}

}  // namespace orrery
