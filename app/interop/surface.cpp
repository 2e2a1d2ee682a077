#include "interop/surface.hpp"

#include "base/log.hpp"
#include "render/gl.hpp"

namespace orrery {

Surface::Lease::~Lease() {
  try {
    surface_.written_ = surface_.release(queue_);
    surface_.uploaded_ = false;
  } catch (const std::exception& error) {  // the frame is lost; the next call reports the same fault
    log(Level::error, as_error(error).what());
  }
}

Surface::Surface(unsigned gl_buffer, std::size_t bytes) : gl_buffer_(gl_buffer), bytes_(bytes) {}

bool Surface::idle() const {
  if (!is_complete(written_)) return false;
  if (fence_ == nullptr) return true;
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence_), 0, 0);
  return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

bool Surface::arrived() {
  if (!is_complete(written_)) return false;
  if (!uploaded_) {
    upload();
    uploaded_ = true;
  }
  return true;
}

void Surface::drawn() {
  if (fence_ != nullptr) glDeleteSync(static_cast<GLsync>(fence_));
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void Surface::destroy_gl() noexcept {
  if (fence_ != nullptr) glDeleteSync(static_cast<GLsync>(fence_));
  fence_ = nullptr;
  glDeleteBuffers(1, &gl_buffer_);
  gl_buffer_ = 0;
}

}  // namespace orrery
