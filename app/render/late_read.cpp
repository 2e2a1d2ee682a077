#include "render/late_read.hpp"

namespace orrery::gl {

void LateRead::begin() {
  forget();
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void LateRead::forget() {
  if (fence_ != nullptr) glDeleteSync(std::exchange(fence_, nullptr));
}

bool LateRead::arrived() const {
  if (fence_ == nullptr) return false;
  const GLenum state = glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

bool LateRead::take(void* to, GLsizeiptr bytes) {
  if (!arrived()) return false;
  forget();
  glBindBuffer(GL_COPY_READ_BUFFER, buffer_.name());
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, bytes, to);
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  return true;
}

}  // namespace orrery::gl
