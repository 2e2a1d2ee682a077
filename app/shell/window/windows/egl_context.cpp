#include "shell/window/egl_context.hpp"

namespace orrery::shell {

// Returns none: every session of Windows has a display for a hidden window.
std::unique_ptr<EglContext> EglContext::open(std::string& why) {
  why = "Windows has no EGL";
  return nullptr;
}

}  // namespace orrery::shell
