#include "shell/window/native_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#define GLFW_EXPOSE_NATIVE_WIN32
#define GLFW_EXPOSE_NATIVE_WGL
#include <CL/cl_gl.h>
#include <GLFW/glfw3native.h>

namespace orrery::shell {

const char* prepare_display() { return nullptr; }
const char* display_advice() { return "use the headless commands (orrery --help)"; }
void outlive_display_errors() {}
std::optional<float> present_scale() { return std::nullopt; }
bool wants_calm() {
  BOOL animated = TRUE;
  return SystemParametersInfoW(SPI_GETCLIENTAREAANIMATION, 0, &animated, 0) != 0 && animated == FALSE;
}

GlShareProperties share_properties_of(GLFWwindow* window) {
  const HGLRC context = glfwGetWGLContext(window);
  const HDC device = GetDC(glfwGetWin32Window(window));  // a class DC needs no release
  if (context == nullptr || device == nullptr) return {};
  return {CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(context), CL_WGL_HDC_KHR,
          reinterpret_cast<cl_context_properties>(device)};
}

}  // namespace orrery::shell
