/// A small buffer that OpenGL writes and the program reads some frames later, without waiting.
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
  /// Call after all writes are enqueued. Forgets an earlier read.
  void begin();
  void forget();
  bool under_way() const { return fence_ != nullptr; }
  bool arrived() const;
  /// True once the data has arrived; the first `bytes` are then in `to`.
  bool take(void* to, GLsizeiptr bytes);

 private:
  Buffer buffer_;
  GLsync fence_ = nullptr;
};

}  // namespace orrery::gl
