/// Times OpenGL's passes on OpenGL's own clock, by timer queries that are read some frames later.
///
/// Nothing waits: unfinished results are read in a later frame, and passes have no time while all queries of the ring
/// are in use. Active only while the timeline records. Window thread; a current context throughout.
#pragma once

#include <array>
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
  std::size_t first_ = 0, count_ = 0;  // of the slots in use …
  bool open_ = false;                  // … and whether another has begun
  ClockOffset clock_;
  std::int64_t compared_ = 0;
};

}  // namespace orrery::gl
