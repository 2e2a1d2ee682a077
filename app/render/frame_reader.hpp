/// Copies of the window's picture, as frames of one size that are read some frames later.
///
/// Window thread, with the GL context current; never waits.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <glm/glm.hpp>
#include <vector>

#include "render/gl.hpp"
#include "render/late_read.hpp"

namespace orrery::gl {

class FrameReader {
 public:
  explicit FrameReader(glm::ivec2 size) : size_(size) {}

  /// True if another frame can be copied.
  bool has_room() const { return under_way_.size() < reads_.size(); }
  bool busy() const { return !under_way_.empty(); }
  /// Copies that part of the window, in pixels, origin bottom left. Another size is fitted into the frame, with black
  /// margins. Only while there is room.
  void copy(glm::ivec2 origin, glm::ivec2 size);
  /// The oldest frame that has arrived: rows from bottom to top, four bytes per pixel. Empty: none yet.
  std::vector<std::uint8_t> take();

 private:
  std::size_t bytes() const {
    return std::size_t{4} * static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y);
  }

  glm::ivec2 size_;
  RenderTarget frame_{GL_RGBA8};
  std::array<LateRead, 4> reads_;
  std::size_t next_ = 0;
  std::deque<std::size_t> under_way_;  // indices in reads_, oldest first
};

}  // namespace orrery::gl
