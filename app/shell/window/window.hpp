/// The operating system's window with its OpenGL 4.3 core context, and the input that it collects.
///
/// The one place that knows GLFW's platforms. Window thread (the main thread) only; one window a process.
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
  // As poll() has seen them last: to ask a display takes its time.
  glm::ivec2 framebuffer() const { return framebuffer_; }
  glm::ivec2 size() const { return size_; }  ///< screen coordinates
  bool minimised() const { return iconified_ || framebuffer_.x == 0 || framebuffer_.y == 0; }
  double refresh_seconds() const { return refresh_seconds_; }
  /// Where it is, and how large, when it is not full screen: x, y, width, height in screen coordinates.
  glm::ivec4 windowed() const;
  /// No effect where no display is there.
  void move_to(glm::ivec2 place);
  float scale() const;
  /// The display that shows most of the window has this size.
  const DisplaySize& display() const { return display_; }
  /// The layout in use prints these.
  static OtherLetters other_letters();
  /// A person has asked the desktop for less motion.
  bool calm() const { return calm_; }
  std::string renderer() const;

  /// Collects what has happened since the last call.
  InputQueue& poll();
  /// What is drawn is handed to the device.
  void flush();
  /// The device has drawn what was handed to it last, or will never tell. Does not wait.
  bool drawn();
  void present();
  /// The driver has lost the context, and all that was made in it: nothing can be drawn in this process any more. False
  /// where the driver does not tell.
  bool was_reset() const;
  void set_vsync(bool on);
  void toggle_full_screen();
  bool full_screen() const;

  /// What names this context to OpenCL; empty where GLFW cannot tell.
  GlShareProperties share_properties() const;

 private:
  void watch_input();
  void watch_shape();
  void follow_display();
  GLFWmonitor* monitor() const;

  GLFWwindow* window_ = nullptr;
  unsigned (*reset_status_)() = nullptr;  // glGetGraphicsResetStatus, where there is one
  void* fence_ = nullptr;                 // GLsync, behind what was handed to the device last
  glm::ivec2 framebuffer_{0, 0}, size_{0, 0};
  bool iconified_ = false;
  double refresh_seconds_ = 1.0 / 60, display_asked_ = 0;
  std::optional<float> scale_;  // asked with the rate, as …
  DisplaySize display_;
  bool calm_ = false;
  InputQueue input_;
  double polled_ = 0;                     // in seconds of the process's clock
  glm::ivec4 windowed_{0, 0, 1280, 720};  // position and size to return to from full screen
};

}  // namespace orrery::shell
