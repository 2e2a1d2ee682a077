/// A small buffer that OpenGL writes and a program reads some frames later; nothing waits for it.
///
/// Window thread, with the GL context current.
#pragma once

#include "render/gl.hpp"

namespace orrery::gl {

class LateRead {
 public:
  LateRead() : buffer_(make_buffer()) {}
  ~LateRead() { forget(); }
  LateRead(const LateRead&) = delete;
  LateRead& operator=(const LateRead&) = delete;

  GLuint buffer() const { return buffer_.name(); }
  /// All that writes it has been enqueued. What was begun before is forgotten.
  void begin();
  void forget();
  bool under_way() const { return fence_ != nullptr; }
  /// True once, when it is written; the first `bytes` are in `to` then.
  bool take(void* to, GLsizeiptr bytes);

 private:
  Buffer buffer_;
  GLsync fence_ = nullptr;
};

}  // namespace orrery::gl
