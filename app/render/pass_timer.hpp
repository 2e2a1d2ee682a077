/// Times OpenGL's passes on its own clock, by timer queries that are read frames later, when their results are there.
///
/// Nothing waits: a result that is not there yet is asked for again in a later frame, and while every query of the ring
/// is under way, passes have no time. Only while the timeline records. Window thread; a current context throughout.
#pragma once

#include <array>
#include <string_view>

#include "base/clock_offset.hpp"
#include "base/timeline.hpp"
#include "render/gl.hpp"

namespace orrery::gl {

void free_query(GLuint name);

class PassTimer {
 public:
  explicit PassTimer(Timeline& timeline);

  /// From here to the end of the scope is a pass, or several that follow each other (next).
  class Pass {
   public:
    Pass(PassTimer& timer, std::string_view name) : timer_(timer) { timer_.next(name); }
    ~Pass() { timer_.end(); }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    PassTimer& timer_;
  };

  /// Ends the pass, if one is open, and begins another.
  void next(std::string_view name);
  /// Once a frame: takes over the results that are there.
  void collect();

 private:
  struct Slot {
    Handle<free_query> begin, end;
    std::uint32_t frame;
    std::uint16_t name;
  };
  void end();
  bool take(const Slot& slot);
  void compare_clocks();

  Timeline& timeline_;
  std::uint16_t lane_;
  bool tells_times_;
  std::array<Slot, 64> ring_;
  std::size_t first_ = 0, count_ = 0;  // of the slots under way …
  bool open_ = false;                  // … and whether one more has begun
  ClockOffset clock_;
  std::int64_t compared_ = 0;
};

}  // namespace orrery::gl
