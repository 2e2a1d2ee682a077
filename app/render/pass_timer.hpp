/// Times OpenGL's passes on OpenGL's own clock, by timer queries that are read some frames later.
///
/// Never waits: unfinished results are read in a later frame, and passes have no time while all queries of the ring are
/// in use. They are spans of the timeline while it records. Window thread; a current context throughout.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "base/clock.hpp"
#include "base/timeline.hpp"
#include "render/gl.hpp"

namespace orrery::gl {

void free_query(GLuint name);

class PassTimer {
 public:
  explicit PassTimer(Timeline& timeline);

  /// One pass, or several in a row (next), until the end of the scope.
  class Pass {
   public:
    Pass(PassTimer& timer, std::string_view name) : timer_(timer) { timer_.next(name); }
    ~Pass() { timer_.end(); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    PassTimer& timer_;
  };

  /// Ends the open pass, if there is one, and begins another.
  void next(std::string_view name);
  /// Once per frame: takes finished results.
  void collect();
  /// Share of the last second that passes took; NaN: unknown.
  double busy() const { return tells_times_ ? busy_ : std::numeric_limits<double>::quiet_NaN(); }

 private:
  struct Slot {
    Handle<free_query> begin, end;
    std::uint32_t frame;
    std::uint16_t name;
  };
  void end();
  void follow_busy();
  bool take(const Slot& slot);
  void compare_clocks();

  Timeline& timeline_;
  std::uint16_t lane_;
  bool tells_times_;
  std::array<Slot, 64> ring_;
  std::size_t first_ = 0, count_ = 0;  // slots in use …
  bool open_ = false;                  // … and whether another pass is open
  ClockOffset clock_;
  std::int64_t compared_ = 0;
  std::int64_t summed_from_ = 0, sum_ = 0;  // nanoseconds: start of the present second, and its passes
  double busy_ = 0;                         // share of the previous second
};

/// Times pieces of work in sequence, each once the previous time has arrived. A time includes OpenGL's clock from start
/// to end and the duration of the calls, which do part of the drawing on a processor.
class WorkTimer {
 public:
  void begin();
  void end(double amount);
  struct Measured {
    double amount = 0, seconds = 0;
  };
  std::optional<Measured> take();

 private:
  enum class Stage { idle, open, under_way };
  Stage stage_ = Stage::idle;
  Handle<free_query> begin_, end_;
  double began_ = 0;
  Measured measured_;
};

}  // namespace orrery::gl
