#include "shell/window/offscreen_context.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <array>

#include "base/error.hpp"

namespace orrery::shell {

OffscreenContext::OffscreenContext() {
  std::string no_window, no_egl;
  try {
    window_ = std::make_unique<Window>(glm::ivec2(480, 320), "Orrery", false, Window::Show::no);
    return;
  } catch (const Error& error) {
    no_window = error.details().what;
  }
  egl_ = EglContext::open(no_egl);
  if (egl_ == nullptr)
    throw failure("OpenGL cannot draw here: " + no_egl + ", and " + no_window,
                  "install libegl1 and libgl1-mesa-dri, or the driver of the graphics device");
}

std::string OffscreenContext::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

int OffscreenContext::longest_side() const {
  GLint texture = 0;
  std::array<GLint, 2> viewport{0, 0};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport.data());
  constexpr int margin = 512;  // sprites need a viewport larger on all sides
  return std::min({texture, viewport[0] - margin, viewport[1] - margin});
}

}  // namespace orrery::shell
