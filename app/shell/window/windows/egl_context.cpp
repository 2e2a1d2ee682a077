#include "shell/window/egl_context.hpp"

namespace orrery::shell {

// A window that is never shown serves as well: every session of Windows has a display.
std::unique_ptr<EglContext> EglContext::open(std::string& why) {
  why = "Windows has no EGL";
  return nullptr;
}

}  // namespace orrery::shell
