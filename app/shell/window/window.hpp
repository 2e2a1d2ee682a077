/// The operating system's window with its OpenGL 4.3 core context, and the input that it collects.
///
/// Only this file knows GLFW's platforms. Window thread (the main thread) only; one window per process.
#pragma once

#include <glm/glm.hpp>
#include <string>

#include "interop/sharing.hpp"
#include "shell/window/display_density.hpp"
#include "shell/window/input_queue.hpp"

struct GLFWmonitor;
struct GLFWwindow;

namespace orrery::shell {

class Window {
 public:
  enum class Show { yes, no };
  /// Opens it and makes its context current. Throws Error when there is no display or no OpenGL 4.3.
  Window(glm::ivec2 size, const std::string& title, bool vsync, Show show = Show::yes);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  bool close_requested() const;
  void set_title(const std::string& title);
  void request_close();
  // Values of the last poll(), because querying a display takes time.
  glm::ivec2 framebuffer() const { return framebuffer_; }
  glm::ivec2 size() const { return size_; }  ///< screen coordinates
  bool minimised() const { return iconified_ || framebuffer_.x == 0 || framebuffer_.y == 0; }
  double refresh_seconds() const { return refresh_seconds_; }
  /// Position and size outside full screen: x, y, width, height in screen coordinates.
  glm::ivec4 windowed() const;
  /// No effect if no display is there.
  void move_to(glm::ivec2 place);
  float scale() const;
  /// The size of the display that shows most of the window.
  const DisplaySize& display() const { return display_; }
  /// The letters printed by the keyboard layout in use.
  static OtherLetters other_letters();
  /// True if a person has asked the desktop for reduced motion.
  bool calm() const { return calm_; }
  std::string renderer() const;

  /// Collects the events since the last call.
  InputQueue& poll();
  /// Hands the drawing commands to the device.
  void flush();
  /// True when the device has drawn the last flush(), or cannot report it. Does not wait.
  bool drawn();
  void present();
  /// True after the driver has lost the context with all its objects: this process can no longer draw. False if the
  /// driver does not report it.
  bool was_reset() const;
  void set_vsync(bool on);
  void toggle_full_screen();
  bool full_screen() const;

  /// The properties that name this context to OpenCL; empty: unknown to GLFW.
  GlShareProperties share_properties() const;

 private:
  void watch_input();
  void watch_shape();
  void follow_display();
  GLFWmonitor* monitor() const;

  GLFWwindow* window_ = nullptr;
  unsigned (*reset_status_)() = nullptr;  // glGetGraphicsResetStatus, if available
  void* fence_ = nullptr;                 // GLsync, after the last flush()
  glm::ivec2 framebuffer_{0, 0}, size_{0, 0};
  bool iconified_ = false;
  double refresh_seconds_ = 1.0 / 60, display_asked_ = 0;
  std::optional<float> scale_;  // queried with the rate, like …
  DisplaySize display_;
  bool calm_ = false;
  InputQueue input_;
  double polled_ = 0;                     // time of the last poll(), seconds of the process's clock
  glm::ivec4 windowed_{0, 0, 1280, 720};  // position and size to return to from full screen
};

}  // namespace orrery::shell
