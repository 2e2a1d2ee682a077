#include "shell/window/native_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#define GLFW_EXPOSE_NATIVE_X11
#define GLFW_EXPOSE_NATIVE_GLX
#include <CL/cl_gl.h>
#include <GLFW/glfw3native.h>
#include <X11/Xlib.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "base/log.hpp"

namespace orrery::shell {
namespace {

// The handler may send no request.
int log_refusal(Display*, XErrorEvent* refused) {
  log(Level::warning, "the X server refused a request (error " + std::to_string(refused->error_code) + ", request " +
                          std::to_string(refused->request_code) + "." + std::to_string(refused->minor_code) + ")");
  return 0;
}

}  // namespace

const char* prepare_display() {
  const bool x11 = std::getenv("DISPLAY") != nullptr, wayland = std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (!x11 && !wayland) return "neither DISPLAY nor WAYLAND_DISPLAY is set";
#ifdef GLFW_PLATFORM_X11  // GLFW before 3.4 knows nothing else
  // Also beside Wayland: drivers share buffers with GLX contexts alone.
  if (x11) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
  return nullptr;
}

const char* display_advice() { return "set DISPLAY, use the headless commands (orrery --help), or run under xvfb-run"; }

// The window has loaded the library, if there is an X server.
void outlive_display_errors() {
  void* library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return;
  using SetHandler = decltype(XSetErrorHandler);
  if (auto* set_handler = reinterpret_cast<SetHandler*>(::dlsym(library, "XSetErrorHandler"))) set_handler(log_refusal);
}

GlShareProperties share_properties_of(GLFWwindow* window) {
  const auto context = glfwGetGLXContext(window);
  const auto display = glfwGetX11Display();
  if (context == nullptr || display == nullptr) return {};
  return {CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(context), CL_GLX_DISPLAY_KHR,
          reinterpret_cast<cl_context_properties>(display)};
}

}  // namespace orrery::shell
