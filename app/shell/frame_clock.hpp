/// Remembers when frames were presented.
#pragma once

#include <cstdint>
#include <vector>

#include "base/statistics.hpp"
#include "protocol/snapshot.hpp"

namespace orrery::shell {

/// Times are seconds; a frame lasts from one present to the next.
class FrameClock {
 public:
  /// `launched`: when the process began.
  explicit FrameClock(double launched) : launched_(launched) {}

  /// Call right after presenting.
  void presented(double now);
  /// A picture is about to be presented; the first call counts.
  void note_picture(double now) {
    if (first_picture_ == 0) first_picture_ = now - launched_;
  }
  double last_frame() const { return length_; }
  std::int64_t count() const { return count_; }
  double since_launch(double now) const { return now - launched_; }
  /// From the launch to the first frame and to the first picture; 0 before.
  double first_frame() const { return first_frame_; }
  double first_picture() const { return first_picture_; }

  /// The last few seconds, for the panel.
  FrameTimes recent() const;
  /// All frames since the start except the first (which includes the build of all kernels), for the stats file.
  FrameTimes whole_run() const;

 private:
  double launched_;
  double first_frame_ = 0, first_picture_ = 0;
  double last_ = 0;
  double length_ = 1.0 / 60;
  std::int64_t count_ = 0;
  History recent_ms_{240};
  std::vector<float> all_ms_;
};

}  // namespace orrery::shell
