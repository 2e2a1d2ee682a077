#include "shell/window/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "shell/window/native_window.hpp"

namespace orrery::shell {
namespace {

std::string last_glfw_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text == nullptr ? "no reason given" : text;
}

using ResetStatus = unsigned (*)();

// The function from OpenGL 4.5 or one of two extensions; null: unsupported.
ResetStatus reset_question() {
  const auto function = [](const char* name) { return reinterpret_cast<ResetStatus>(glfwGetProcAddress(name)); };
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  if (10 * major + minor >= 45) return function("glGetGraphicsResetStatus");
  if (glfwExtensionSupported("GL_KHR_robustness") == GLFW_TRUE) return function("glGetGraphicsResetStatusKHR");
  if (glfwExtensionSupported("GL_ARB_robustness") == GLFW_TRUE) return function("glGetGraphicsResetStatusARB");
  return nullptr;
}

constexpr auto named_keys = std::to_array<std::pair<int, Key>>({{GLFW_KEY_ESCAPE, Key::escape},
                                                                {GLFW_KEY_TAB, Key::tab},
                                                                {GLFW_KEY_BACKSPACE, Key::backspace},
                                                                {GLFW_KEY_DELETE, Key::remove},
                                                                {GLFW_KEY_HOME, Key::home},
                                                                {GLFW_KEY_END, Key::end},
                                                                {GLFW_KEY_PAGE_UP, Key::page_up},
                                                                {GLFW_KEY_PAGE_DOWN, Key::page_down},
                                                                {GLFW_KEY_LEFT, Key::left},
                                                                {GLFW_KEY_RIGHT, Key::right},
                                                                {GLFW_KEY_UP, Key::up},
                                                                {GLFW_KEY_DOWN, Key::down},
                                                                {GLFW_KEY_F1, Key::f1},
                                                                {GLFW_KEY_F2, Key::f2},
                                                                {GLFW_KEY_F6, Key::f6},
                                                                {GLFW_KEY_F9, Key::f9},
                                                                {GLFW_KEY_F11, Key::f11},
                                                                {GLFW_KEY_F12, Key::f12},
                                                                {GLFW_KEY_KP_ADD, key('=')},
                                                                {GLFW_KEY_KP_SUBTRACT, key('-')}});

// The ASCII sign that the layout prints on a key, or 0.
char printed_on(int glfw_key) {
  const char* const name = glfwGetKeyName(glfw_key, 0);
  const bool plain = name != nullptr && name[0] > ' ' && name[0] < 127 && name[1] == 0;
  return plain ? name[0] : '\0';
}

bool prints_latin_letters() {
  int letters = 0;
  for (int key = GLFW_KEY_A; key <= GLFW_KEY_Z; ++key)
    letters += key_of_character(printed_on(key)) != Key::none ? 1 : 0;
  return letters > 13;
}

// GLFW's printable keys have the values of their signs on a US keyboard, which count if another layout prints no sign
// of the keymap: for digits that need Shift, and for layouts without Latin letters.
Key printable_key(int glfw_key) {
  if (const Key printed = key_of_character(printed_on(glfw_key)); printed != Key::none) return printed;
  const bool is_digit = glfw_key >= GLFW_KEY_0 && glfw_key <= GLFW_KEY_9;
  // The key beside the left Shift, which has < and > in Europe, is on no US keyboard.
  const bool american = glfw_key <= GLFW_KEY_GRAVE_ACCENT;
  return american && (is_digit || !prints_latin_letters()) ? static_cast<Key>(glfw_key) : Key::sign;
}

Key key_of(int glfw_key, int glfw_modifiers = 0) {
  if (glfw_key == GLFW_KEY_TAB && (glfw_modifiers & GLFW_MOD_SHIFT) != 0) return Key::back_tab;
  const auto named = std::ranges::find(named_keys, glfw_key, &std::pair<int, Key>::first);
  if (named != named_keys.end()) return named->second;
  if (glfw_key == GLFW_KEY_SPACE) return Key::space;
  return glfw_key > GLFW_KEY_SPACE && glfw_key <= GLFW_KEY_WORLD_2 ? printable_key(glfw_key) : Key::none;
}

// GLFW reports modifiers for keys and buttons but not for the wheel, so they are queried.
Modifiers modifiers_held(GLFWwindow* window) {
  const auto either = [&](int left, int right) {
    return glfwGetKey(window, left) == GLFW_PRESS || glfwGetKey(window, right) == GLFW_PRESS;
  };
  return {.control = either(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL),
          .alt = either(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT),
          .shift = either(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT)};
}

Key letter_held(GLFWwindow* window) {
  for (int code = GLFW_KEY_APOSTROPHE; code <= GLFW_KEY_GRAVE_ACCENT; ++code)
    if (glfwGetKey(window, code) == GLFW_PRESS)
      if (const Key held = key_of(code); held >= key('A') && held <= key('Z')) return held;
  return Key::none;
}

Modifiers modifiers_of(int glfw_modifiers) {
  return {.control = (glfw_modifiers & GLFW_MOD_CONTROL) != 0,
          .alt = (glfw_modifiers & GLFW_MOD_ALT) != 0,
          .shift = (glfw_modifiers & GLFW_MOD_SHIFT) != 0};
}

std::optional<PointerButton> button_of(int glfw_button) {
  if (glfw_button == GLFW_MOUSE_BUTTON_LEFT) return PointerButton::left;
  if (glfw_button == GLFW_MOUSE_BUTTON_MIDDLE) return PointerButton::middle;
  if (glfw_button == GLFW_MOUSE_BUTTON_RIGHT) return PointerButton::right;
  return std::nullopt;
}

Error no_window(const std::string& reason) {
  return failure("cannot open a window (" + reason + ")", display_advice());
}

void initialise_glfw() {
  if (const char* reason = prepare_display()) throw no_window(reason);
  if (glfwInit() != GLFW_TRUE) throw no_window(last_glfw_error());
}

using Ink = std::array<double, 3>;

constexpr Ink sky{20, 23, 28}, orbit{107, 164, 248}, sun{233, 161, 91}, planet{232, 235, 240};

struct Pixel {
  Ink ink{};
  double alpha = 0;

  void cover(const Ink& with, double part) {
    const double both = part + alpha * (1 - part);
    for (std::size_t k = 0; k < ink.size() && both > 0; ++k)
      ink[k] = (with[k] * part + ink[k] * alpha * (1 - part)) / both;
    alpha = both;
  }
};

// The window's icon: a sun, and a planet on its orbit. Drawn here, so that no file is needed. RGBA, not premultiplied,
// top row first; `side` pixels wide and high.
std::vector<std::uint8_t> window_icon(int side) {
  std::vector<std::uint8_t> rgba;
  const double pixel = 2.0 / side;  // the picture reaches from −1 to 1
  // The share of a pixel inside; `distance` to the edge is positive outside.
  const auto inside = [pixel](double distance) { return std::clamp(0.5 - distance / pixel, 0.0, 1.0); };
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const double x = (i + 0.5) * pixel - 1, y = (j + 0.5) * pixel - 1, r = std::hypot(x, y);
      Pixel seen;
      seen.cover(sky, inside(r - 0.98));
      seen.cover(orbit, inside(std::abs(r - 0.68) - 0.07));
      seen.cover(sun, inside(r - 0.3));
      seen.cover(planet, inside(std::hypot(x - 0.48, y + 0.48) - 0.2));
      for (const double part : seen.ink) rgba.push_back(static_cast<std::uint8_t>(std::lround(part)));
      rgba.push_back(static_cast<std::uint8_t>(std::lround(255 * seen.alpha)));
    }
  return rgba;
}

void set_icon(GLFWwindow* window) {
  constexpr std::array sides{16, 32, 48, 128};
  std::array<std::vector<std::uint8_t>, sides.size()> pixels;
  std::array<GLFWimage, sides.size()> images{};
  for (std::size_t k = 0; k < sides.size(); ++k) {
    pixels[k] = window_icon(sides[k]);
    images[k] = {sides[k], sides[k], pixels[k].data()};
  }
  glfwSetWindowIcon(window, static_cast<int>(images.size()), images.data());
}

Window& owner(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

}  // namespace

Window::Window(glm::ivec2 size, const std::string& title, bool vsync, Show show) {
  initialise_glfw();
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, show == Show::yes ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);  // ignored if unsupported
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
#if GLFW_VERSION_MINOR >= 3
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "orrery");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "orrery");
#endif
  window_ = glfwCreateWindow(size.x, size.y, title.c_str(), nullptr, nullptr);
  if (window_ == nullptr) {
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
    window_ = glfwCreateWindow(size.x, size.y, title.c_str(), nullptr, nullptr);
  }
  if (window_ == nullptr) {
    const std::string reason = last_glfw_error();
    glfwTerminate();
    throw failure("cannot open a window with OpenGL 4.3 (" + reason + ")", "update the graphics driver");
  }
  glfwMakeContextCurrent(window_);
  if (gladLoadGL(glfwGetProcAddress) == 0) {
    glfwTerminate();
    throw failure("the graphics driver offers no OpenGL functions", "update the graphics driver");
  }
  reset_status_ = reset_question();
  glfwSetWindowSizeLimits(window_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  outlive_display_errors();
  set_icon(window_);
  set_vsync(vsync);
  watch_input();
  watch_shape();
  follow_display();
}

Window::~Window() {
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::was_reset() const { return reset_status_ != nullptr && reset_status_() != GL_NO_ERROR; }

void Window::watch_input() {
  glfwSetWindowUserPointer(window_, this);
  glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
    const glm::vec2 pixels_per_unit = glm::vec2(owner(w).framebuffer()) / glm::max(glm::vec2(owner(w).size()), 1.0F);
    owner(w).input_.push(MouseMove{glm::floor(glm::vec2(x, y) * pixels_per_unit) + 0.5F, {x, y}});
  });
  glfwSetCursorEnterCallback(
      window_, [](GLFWwindow* w, int entered) { owner(w).input_.push(MouseInside{entered == GLFW_TRUE}); });
  glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int modifiers) {
    if (const auto known = button_of(button))
      owner(w).input_.push(MouseButton{*known, action == GLFW_PRESS, modifiers_of(modifiers), letter_held(w),
                                       EventTime(owner(w).polled_, now_seconds())});
  });
  glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
    owner(w).input_.push(MouseWheel{y, modifiers_held(w), x});
  });
  glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
    using enum KeyEvent::What;
    const KeyEvent::What what = action == GLFW_RELEASE ? released : action == GLFW_REPEAT ? repeated : pressed;
    owner(w).input_.push(KeyEvent{what, key_of(key, modifiers), modifiers_of(modifiers), key, scancode});
  });
  glfwSetCharCallback(window_, [](GLFWwindow* w, unsigned code_point) { owner(w).input_.push(Character{code_point}); });
  glfwSetWindowFocusCallback(window_,
                             [](GLFWwindow* w, int gained) { owner(w).input_.push(Focus{gained == GLFW_TRUE}); });
  glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
    owner(w).input_.push(FileDrop{{paths, paths + count}});
  });
}

bool Window::close_requested() const { return glfwWindowShouldClose(window_) == GLFW_TRUE; }
void Window::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
void Window::request_close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

void Window::watch_shape() {
  glfwGetFramebufferSize(window_, &framebuffer_.x, &framebuffer_.y);
  glfwGetWindowSize(window_, &size_.x, &size_.y);
  iconified_ = glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_TRUE;
  glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int x, int y) { owner(w).framebuffer_ = {x, y}; });
  glfwSetWindowSizeCallback(window_, [](GLFWwindow* w, int x, int y) { owner(w).size_ = {x, y}; });
  glfwSetWindowIconifyCallback(window_, [](GLFWwindow* w, int yes) { owner(w).iconified_ = yes == GLFW_TRUE; });
}

glm::ivec4 Window::windowed() const {
  if (full_screen()) return windowed_;
  glm::ivec4 now{0, 0, 0, 0};
  glfwGetWindowPos(window_, &now.x, &now.y);
  glfwGetWindowSize(window_, &now.z, &now.w);
  return now;
}

namespace {

// The upper edge, by which a window can be dragged, must be visible.
bool is_seen_at(glm::ivec2 place) {
  constexpr int seen_across = 100, seen_down = 20;
  int count = 0;
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int k = 0; k < count; ++k) {
    glm::ivec4 area{0, 0, 0, 0};
    glfwGetMonitorWorkarea(monitors[k], &area.x, &area.y, &area.z, &area.w);
    const int x = place.x + seen_across, y = place.y + seen_down;
    if (x >= area.x && x < area.x + area.z && place.y >= area.y && y < area.y + area.w) return true;
  }
  return false;
}

}  // namespace

void Window::move_to(glm::ivec2 place) {
  if (is_seen_at(place)) glfwSetWindowPos(window_, place.x, place.y);
}

float Window::scale() const {
  if (scale_) return std::max(1.0F, *scale_);
  float x = 1;
  float y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::max(1.0F, x);
}

// The monitor that shows most of the window; nullptr: none.
GLFWmonitor* Window::monitor() const {
  if (GLFWmonitor* const full = glfwGetWindowMonitor(window_)) return full;
  const glm::ivec4 now = windowed();
  int count = 0, most = -1;
  GLFWmonitor** const monitors = glfwGetMonitors(&count);
  GLFWmonitor* best = nullptr;
  for (int k = 0; k < count; ++k) {
    const GLFWvidmode* const mode = glfwGetVideoMode(monitors[k]);
    if (mode == nullptr) continue;
    glm::ivec2 at{0, 0};
    glfwGetMonitorPos(monitors[k], &at.x, &at.y);
    const int across = std::min(now.x + now.z, at.x + mode->width) - std::max(now.x, at.x);
    const int down = std::min(now.y + now.w, at.y + mode->height) - std::max(now.y, at.y);
    const int shown = std::max(0, across) * std::max(0, down);
    if (shown > most) best = monitors[k];
    most = std::max(most, shown);
  }
  return best;
}

// Displays are plugged in and out, and the window moves between them.
void Window::follow_display() {
  constexpr double interval = 1;
  const double now = now_seconds();
  if (now - display_asked_ < interval) return;
  display_asked_ = now;
  scale_ = present_scale();
  calm_ = wants_calm();
  GLFWmonitor* const shown_on = monitor();
  const GLFWvidmode* mode = shown_on == nullptr ? nullptr : glfwGetVideoMode(shown_on);
  const int rate = mode == nullptr ? 0 : mode->refreshRate;
  display_ = {};
  if (mode != nullptr) {
    display_.pixels = {mode->width, mode->height};
    glfwGetMonitorPhysicalSize(shown_on, &display_.millimetres.x, &display_.millimetres.y);
  }
  refresh_seconds_ = 1.0 / (rate >= 24 && rate <= 1000 ? rate : 60);
}

// Only signs of the key map are needed.
OtherLetters Window::other_letters() {
  OtherLetters letters;
  if (prints_latin_letters()) return letters;
  for (int code = GLFW_KEY_SPACE + 1; code <= GLFW_KEY_GRAVE_ACCENT; ++code) {
    const char* const name = glfwGetKeyName(code, 0);
    const bool digit = code >= GLFW_KEY_0 && code <= GLFW_KEY_9;
    if (name != nullptr && !digit && printed_on(code) == 0 &&
        key_of_character(static_cast<unsigned>(code)) != Key::none)
      letters[static_cast<char>(code)] = name;
  }
  return letters;
}

std::string Window::renderer() const { return reinterpret_cast<const char*>(glGetString(GL_RENDERER)); }

InputQueue& Window::poll() {
  glfwPollEvents();
  polled_ = now_seconds();
  follow_display();
  return input_;
}

void Window::flush() {
  glDeleteSync(static_cast<GLsync>(fence_));  // no effect on null
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glFlush();
}
bool Window::drawn() {
  return fence_ == nullptr || glClientWaitSync(static_cast<GLsync>(fence_), 0, 0) != GL_TIMEOUT_EXPIRED;
}
void Window::present() { glfwSwapBuffers(window_); }
void Window::set_vsync(bool on) { glfwSwapInterval(on ? 1 : 0); }
bool Window::full_screen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void Window::toggle_full_screen() {
  GLFWmonitor* const shown_on = monitor();
  if (full_screen()) {
    if (glm::ivec4 area{0, 0, 0, 0}; !is_seen_at({windowed_.x, windowed_.y})) {  // its display was removed
      glfwGetMonitorWorkarea(shown_on, &area.x, &area.y, &area.z, &area.w);
      windowed_.x = area.x + std::max(0, (area.z - windowed_.z) / 2);
      windowed_.y = area.y + std::max(0, (area.w - windowed_.w) / 2);
    }
    glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.z, windowed_.w, GLFW_DONT_CARE);
    return;
  }
  const GLFWvidmode* mode = shown_on == nullptr ? nullptr : glfwGetVideoMode(shown_on);
  if (mode == nullptr) return;
  windowed_ = windowed();
  glfwSetWindowMonitor(window_, shown_on, 0, 0, mode->width, mode->height, mode->refreshRate);
}

GlShareProperties Window::share_properties() const { return share_properties_of(window_); }

}  // namespace orrery::shell
