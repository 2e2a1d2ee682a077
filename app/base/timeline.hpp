/// What ran when, in lanes: frames and phases of the window's thread, commands of OpenCL queues, passes of OpenGL.
///
/// The last spans, in a ring of fixed size that is filled only while somebody wants to see them. A span is a plain
/// record: adding one allocates nothing. All times are nanoseconds of the host's steady clock. One thread, the
/// window's; a TimelineView is a copy for anybody.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class LaneKind : std::uint8_t { frames, host, queue, gl };

struct TimelineLane {
  std::string name;
  LaneKind kind = LaneKind::host;
  std::int64_t clock_error = 0;  ///< the lane's times are off by as much at the most, nanoseconds
  bool clock_known = true;       ///< false until its clock has been compared with the host's
  std::uint64_t untimed = 0;     ///< commands of which the driver told no time, or an impossible one
};

struct TimelineSpan {
  std::int64_t queued = 0;     ///< asked for; of what nobody queues, the start
  std::int64_t submitted = 0;  ///< handed to the device; likewise
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::array<std::uint32_t, 2> global{};  ///< the NDRange; zeros where there is none
  std::array<std::uint32_t, 2> local{};   ///< zeros where the driver chose it
  std::uint32_t frame = 0;                ///< in which it was asked for
  std::uint16_t name = 0;                 ///< in TimelineView::names
  std::uint16_t lane = 0;                 ///< in TimelineView::lanes
};

struct TimelineView {
  std::vector<TimelineLane> lanes;
  std::vector<std::string> names;
  std::vector<TimelineSpan> spans;  ///< by their start
  std::uint64_t lost = 0;           ///< older spans, whose place newer ones have taken
};

class Timeline {
 public:
  static constexpr std::uint16_t frames_lane = 0, window_lane = 1;

  explicit Timeline(std::size_t capacity = std::size_t{1} << 16);

  bool recording() const { return recording_; }
  /// What was recorded stays until newer spans take its place.
  void record(bool on);

  /// The lane or name of that text, made where there is none yet.
  std::uint16_t lane(std::string_view name, LaneKind kind);
  std::uint16_t name(std::string_view text);
  TimelineLane& state_of(std::uint16_t lane) { return lanes_[lane]; }

  /// While recording, else without effect.
  void add(const TimelineSpan& span);
  /// A frame ends and the next begins.
  void next_frame(std::int64_t now);
  std::uint32_t frame() const { return frame_; }

  /// The newest `most` spans.
  TimelineView view(std::size_t most = ~std::size_t{0}) const;

 private:
  std::size_t capacity_;
  bool recording_ = false;
  std::vector<TimelineSpan> ring_;  // of its full size from the first record(true) on
  std::uint64_t added_ = 0;
  std::vector<TimelineLane> lanes_;
  std::vector<std::string> names_;
  std::uint32_t frame_ = 0;
  std::int64_t frame_began_ = 0;  // 0: it was not recorded from its beginning
};

/// A phase of the window's thread, from here to the end of the scope.
class TimelinePhase {
 public:
  TimelinePhase(Timeline& timeline, std::string_view name);
  ~TimelinePhase();
  TimelinePhase(const TimelinePhase&) = delete;
  TimelinePhase& operator=(const TimelinePhase&) = delete;

 private:
  Timeline& timeline_;
  std::string_view name_;
  std::int64_t began_;
};

}  // namespace orrery
