/// Functions of the operating system's window that GLFW lacks. Main thread.
#pragma once

#include <optional>

#include "interop/sharing.hpp"

struct GLFWwindow;

namespace orrery::shell {

/// Call before GLFW is initialised. Returns why no window is possible; nullptr: possible.
const char* prepare_display();
/// Advice for a person without a display.
const char* display_advice();

/// Keeps the process alive when the X server refuses a request. Xlib alone would end it, for example when a file
/// manager dies while its files are dragged over the window. Refusals are logged from now on. To be called after the
/// window has opened, which installs a handler of its own.
void outlive_display_errors();

/// The present content scale, if the system reports it; GLFW reads it only once.
std::optional<float> present_scale();

/// True if a person has asked the desktop for reduced motion.
bool wants_calm();

/// The properties that name the window's OpenGL context to OpenCL; empty: unknown to GLFW.
GlShareProperties share_properties_of(GLFWwindow* window);

}  // namespace orrery::shell
