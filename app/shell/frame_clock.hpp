/// Remembers how long frames took.
#pragma once

#include <vector>

#include "base/statistics.hpp"
#include "protocol/snapshot.hpp"

namespace orrery::shell {

/// Times are seconds; a frame lasts from one present to the next.
class FrameClock {
 public:
  /// Call right after presenting.
  void presented(double now);
  double last_frame() const { return length_; }
  std::int64_t count() const { return count_; }
  double last_present() const { return last_; }

  /// The last few seconds, for the panel.
  FrameTimes recent() const;
  /// All frames since the start but the first (which holds the building of everything), for the stats file.
  FrameTimes whole_run() const;

 private:
  double last_ = 0;
  double length_ = 1.0 / 60;
  std::int64_t count_ = 0;
  History recent_ms_{240};
  std::vector<float> all_ms_;
};

}  // namespace orrery::shell
