/// A timeline in lanes: frames and phases of the window's thread, commands of OpenCL queues, passes of OpenGL.
///
/// The latest spans, in a ring of fixed size that is filled only while recording. A span is a plain record: adding one
/// allocates nothing. All times are nanoseconds of the host's steady clock. Used by the window's thread only; a
/// TimelineView is a copy for any thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

enum class LaneKind : std::uint8_t { frames, host, queue, gl };

struct TimelineLane {
  std::string name;
  LaneKind kind = LaneKind::host;
  std::int64_t clock_error = 0;  ///< bound of the error of the lane's times, nanoseconds
  bool clock_known = true;       ///< false until the clock was compared with the host's
  std::uint64_t untimed = 0;     ///< commands without a time, or with an impossible one
};

struct TimelineSpan {
  std::int64_t queued = 0;     ///< time of the request; without a queue, the start
  std::int64_t submitted = 0;  ///< time of the submission; likewise
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::array<std::uint32_t, 2> global{};  ///< the NDRange; zeros: none
  std::array<std::uint32_t, 2> local{};   ///< zeros if the driver chose it
  std::uint32_t frame = 0;                ///< the frame of the request
  std::uint16_t name = 0;                 ///< index in TimelineView::names
  std::uint16_t lane = 0;                 ///< index in TimelineView::lanes
};

struct TimelineView {
  std::vector<TimelineLane> lanes;
  std::vector<std::string> names;
  std::vector<TimelineSpan> spans;  ///< sorted by start
  std::uint64_t lost = 0;           ///< older spans that were overwritten
};

class Timeline {
 public:
  static constexpr std::uint16_t frames_lane = 0, window_lane = 1;

  explicit Timeline(std::size_t capacity = std::size_t{1} << 16);

  bool recording() const { return recording_; }
  /// Recorded spans stay until newer ones overwrite them.
  void record(bool on);

  /// The lane or name with this text, created on first use.
  std::uint16_t lane(std::string_view name, LaneKind kind);
  std::uint16_t name(std::string_view text);
  TimelineLane& state_of(std::uint16_t lane) { return lanes_[lane]; }

  /// Has an effect only while recording.
  void add(const TimelineSpan& span);
  /// Ends a frame and begins the next.
  void next_frame(std::int64_t now);
  std::uint32_t frame() const { return frame_; }

  /// The newest `most` spans.
  TimelineView view(std::size_t most = ~std::size_t{0}) const;

 private:
  std::size_t capacity_;
  bool recording_ = false;
  std::vector<TimelineSpan> ring_;  // allocated by the first record(true)
  std::uint64_t added_ = 0;
  std::vector<TimelineLane> lanes_;
  std::vector<std::string> names_;
  std::uint32_t frame_ = 0;
  std::int64_t frame_began_ = 0;  // 0 if its beginning was not recorded
};

/// A phase of the window's thread, from construction to the end of the scope.
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

/// Records the timeline while a panel shows it, and copies it for the panel. Window thread.
class TimelineKeeper {
 public:
  /// `always`: record even if no panel shows it.
  void record_always(bool always) { always_ = always; }
  Timeline& timeline() { return timeline_; }

  /// Called each frame; `open`: a panel shows the timeline; `paused`: that panel is paused.
  void follow(bool open, bool paused, double now);
  /// The newest spans, renewed ten times a second; while paused, all spans up to the pause. Null while no panel shows
  /// them.
  const std::shared_ptr<const TimelineView>& seen() const { return seen_; }
  /// The spans of an export: those that are shown while paused, else all.
  TimelineView exported() const { return whole_ && seen_ ? *seen_ : timeline_.view(); }

 private:
  Timeline timeline_;
  bool always_ = false;
  bool whole_ = false;  // seen_ has all spans
  double taken_ = 0;
  std::shared_ptr<const TimelineView> seen_;
};

}  // namespace orrery
