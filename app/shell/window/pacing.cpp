#include "shell/window/pacing.hpp"

#include <numeric>

namespace orrery::shell {
namespace {

// An hour at 300 frames per second; older frames are dropped.
constexpr std::size_t kept_frames = 1'080'000;

FrameTimes summed_up(std::vector<double> ms) {
  FrameTimes times;
  if (ms.empty()) return times;
  const double sum = std::accumulate(ms.begin(), ms.end(), 0.0);
  times.frames_per_second = sum > 0 ? 1000.0 * static_cast<double>(ms.size()) / sum : 0;
  times.recent_ms.assign(ms.begin(), ms.end());
  std::ranges::sort(ms);
  times.p50_ms = quantile(ms, 0.50);
  times.p95_ms = quantile(ms, 0.95);
  times.p99_ms = quantile(ms, 0.99);
  times.max_ms = ms.back();
  return times;
}

}  // namespace

void FrameClock::presented(double now) {
  if (pictures_.size() == kept_frames) pictures_.erase(pictures_.begin(), pictures_.begin() + kept_frames / 2);
  pictures_.push_back(now);
  ended(now);
}

void FrameClock::ended(double now) {
  if (count_ > 0) {
    length_ = now - last_;
    recent_ms_.push(1000 * length_);
    if (all_ms_.size() == kept_frames) all_ms_.erase(all_ms_.begin(), all_ms_.begin() + kept_frames / 2);
    all_ms_.push_back(static_cast<float>(1000 * length_));
  }
  if (count_ == 0) first_frame_ = now - launched_;
  last_ = now;
  ++count_;
}

FrameTimes FrameClock::recent() const { return summed_up(recent_ms_.values()); }
FrameTimes FrameClock::whole_run() const { return summed_up({all_ms_.begin(), all_ms_.end()}); }

FrameTimes FrameClock::latest(double seconds) const {
  auto first = all_ms_.end();
  for (double ms = 0; first != all_ms_.begin() && ms < 1000 * seconds; ms += *first) --first;
  return summed_up({first, all_ms_.end()});
}

double FrameClock::pictures_per_second(double seconds) const {
  const auto first = std::ranges::lower_bound(pictures_, last_ - seconds);
  const double passed = std::min(seconds, last_ - launched_);
  return passed > 0 ? static_cast<double>(pictures_.end() - first) / passed : 0;
}

}  // namespace orrery::shell
