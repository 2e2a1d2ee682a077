#include "render/frame_reader.hpp"

#include <algorithm>

namespace orrery::gl {
namespace {

struct Box {
  glm::ivec2 from, to;
};

// Fits a picture in the centre; a difference of one pixel counts as equal size.
Box fitted(glm::ivec2 size, glm::ivec2 frame) {
  const glm::vec2 ratio = glm::vec2(frame) / glm::vec2(size);
  const glm::ivec2 scaled = glm::ivec2(glm::round(glm::vec2(size) * std::min(ratio.x, ratio.y)));
  const glm::ivec2 from = (frame - scaled) / 2;
  return {from, from + scaled};
}

}  // namespace

void FrameReader::copy(glm::ivec2 origin, glm::ivec2 size) {
  size = glm::max(size, glm::ivec2(1));
  const bool same = glm::all(glm::lessThanEqual(glm::abs(size - size_), glm::ivec2(1)));
  // A frame has even sizes, so it omits the lowest row of a picture with an odd number of rows.
  if (same) origin.y += size.y - size_.y, size = size_;
  const Box to = fitted(size, size_);
  frame_.bind(size_);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0, 0, 0, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
  const glm::ivec2 end = origin + size;
  glBlitFramebuffer(origin.x, origin.y, end.x, end.y, to.from.x, to.from.y, to.to.x, to.to.y, GL_COLOR_BUFFER_BIT,
                    same ? GL_NEAREST : GL_LINEAR);
  LateRead& read = reads_[next_];
  glBindFramebuffer(GL_READ_FRAMEBUFFER, frame_.framebuffer());
  glBindBuffer(GL_PIXEL_PACK_BUFFER, read.buffer());
  glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(bytes()), nullptr, GL_STREAM_READ);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, size_.x, size_.y, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  read.begin();
  under_way_.push_back(next_);
  next_ = (next_ + 1) % reads_.size();
}

std::vector<std::uint8_t> FrameReader::take() {
  if (under_way_.empty() || !reads_[under_way_.front()].arrived()) return {};
  std::vector<std::uint8_t> pixels(bytes());
  (void)reads_[under_way_.front()].take(pixels.data(), static_cast<GLsizeiptr>(pixels.size()));
  under_way_.pop_front();
  return pixels;
}

}  // namespace orrery::gl
