/// The window as the operating system has it: what GLFW hides, and Orrery needs. Main thread.
#pragma once

#include <optional>

#include "interop/sharing.hpp"

struct GLFWwindow;

namespace orrery::shell {

/// To be called before GLFW is initialised. Returns why there can be no window; nullptr if there can.
const char* prepare_display();
/// What a person can do where there is no display.
const char* display_advice();

/// Keeps the process alive when the X server refuses a request. Xlib alone would end it, for example when a file
/// manager dies while its files are dragged over the window. Refusals are logged from now on. To be called after the
/// window has opened, which installs a handler of its own.
void outlive_display_errors();

/// How much larger than usual a person wants things at present, where the system tells it and GLFW asks but once.
std::optional<float> present_scale();

/// A person has asked the desktop for less motion.
bool wants_calm();

/// What names the window's OpenGL context to OpenCL; empty where GLFW cannot tell.
GlShareProperties share_properties_of(GLFWwindow* window);

}  // namespace orrery::shell
