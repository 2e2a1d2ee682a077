#include "shell/window/native_window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#define GLFW_EXPOSE_NATIVE_X11
#define GLFW_EXPOSE_NATIVE_GLX
#include <CL/cl_gl.h>
#include <GLFW/glfw3native.h>
#include <X11/Xlib.h>
#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/log.hpp"
#include "base/platform/file.hpp"
#include "base/text.hpp"

namespace orrery::shell {
namespace {

// Called by Xlib; must not send requests.
int log_refusal(Display*, XErrorEvent* refused) {
  log(Level::warning, "the X server refused a request (error " + std::to_string(refused->error_code) + ", request " +
                          std::to_string(refused->request_code) + "." + std::to_string(refused->minor_code) + ")");
  return 0;
}

// The window has loaded the library, if there is an X server.
template <class Function>
Function* function_of_x11(const char* name) {
  void* const library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library, name));
}

/// A property of a window (0: the root) as bytes; empty: none.
std::string property_of(::Window window, const char* name, const char* type_name) {
  constexpr long most_words = 1 << 18;
  Display* const display = glfwGetX11Display();
  auto* const get_property = function_of_x11<decltype(XGetWindowProperty)>("XGetWindowProperty");
  auto* const atom = function_of_x11<decltype(XInternAtom)>("XInternAtom");
  auto* const root_of = function_of_x11<decltype(XDefaultRootWindow)>("XDefaultRootWindow");
  auto* const release = function_of_x11<decltype(XFree)>("XFree");
  if (display == nullptr || !get_property || !atom || !root_of || !release) return {};
  Atom type = 0;
  int format = 0;
  unsigned long count = 0, left = 0;
  unsigned char* bytes = nullptr;
  get_property(display, window != 0 ? window : root_of(display), atom(display, name, False), 0, most_words, False,
               atom(display, type_name, False), &type, &format, &count, &left, &bytes);
  if (bytes == nullptr) return {};
  std::string text(reinterpret_cast<const char*>(bytes), format == 8 ? count : 0);
  release(bytes);
  return text;
}

::Window owner_of(const char* selection) {
  Display* const display = glfwGetX11Display();
  auto* const atom = function_of_x11<decltype(XInternAtom)>("XInternAtom");
  auto* const owner = function_of_x11<decltype(XGetSelectionOwner)>("XGetSelectionOwner");
  return display == nullptr || !atom || !owner ? 0 : owner(display, atom(display, selection, False));
}

/// A whole number among the settings of the desktop (freedesktop.org, XSETTINGS 0.5).
std::optional<std::uint32_t> desktop_setting(std::string_view wanted) {
  enum Type : unsigned char { integer, string, color };
  const ::Window owner = owner_of("_XSETTINGS_S0");
  const std::string bytes = owner == 0 ? "" : property_of(owner, "_XSETTINGS_SETTINGS", "_XSETTINGS_SETTINGS");
  if (bytes.empty()) return std::nullopt;
  const bool from_least = bytes[0] == 0;
  std::size_t at = 8;
  const auto take = [&](std::size_t size) {
    std::uint32_t number = 0;
    for (std::size_t k = 0; k < size && at + k < bytes.size(); ++k)
      number |= std::uint32_t{static_cast<unsigned char>(bytes[at + k])} << 8 * (from_least ? k : size - 1 - k);
    at += size;
    return number;
  };
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  for (std::uint32_t left = take(4); left > 0 && at < bytes.size(); --left) {
    const auto type = static_cast<Type>(take(1));
    ++at;
    const std::size_t length = take(2);
    const std::string_view name = std::string_view(bytes).substr(std::min(at, bytes.size()), length);
    at += padded(length) + 4;
    if (type == integer && name == wanted) return take(4);
    at += type == integer ? 4 : type == color ? 8 : padded(take(4));
  }
  return std::nullopt;
}

#ifdef GLFW_PLATFORM_WAYLAND
// A stream to the compositor. It takes WAYLAND_DISPLAY as the library does: a name in XDG_RUNTIME_DIR, or a path.
platform::Descriptor connected_to_wayland() {
  const char* const name = std::getenv("WAYLAND_DISPLAY");
  const char* const folder = std::getenv("XDG_RUNTIME_DIR");
  if (name == nullptr || (name[0] != '/' && folder == nullptr)) return {};
  const std::string path = name[0] == '/' ? name : std::string(folder) + "/" + name;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return {};
  path.copy(address.sun_path, path.size());
  platform::Descriptor stream(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{.tv_sec = 2, .tv_usec = 0};
  ::setsockopt(stream.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (::connect(stream.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return {};
  return stream;
}

/// True if the compositor certainly has neither keyboards nor pointers. GLFW 3.4 crashes there (its issue 2517).
///
/// The compositor names the globals of its registry (object 2) before the callback (object 3) is done.
bool wayland_lacks_seats() {
  const platform::Descriptor stream = connected_to_wayland();
  constexpr std::uint32_t request_bytes = 12 << 16, get_registry = request_bytes | 1, sync = request_bytes | 0;
  constexpr std::array<std::uint32_t, 6> requests{1, get_registry, 2, 1, sync, 3};
  if (::send(stream.number(), requests.data(), sizeof requests, MSG_NOSIGNAL) != sizeof requests) return false;
  const auto receive = [&](void* to, std::size_t bytes) {
    return ::recv(stream.number(), to, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
  };
  for (std::array<std::uint32_t, 2> header{}; receive(header.data(), sizeof header);) {
    std::string words((header[1] >> 16) - std::min<std::size_t>(header[1] >> 16, sizeof header), '\0');
    if (!receive(words.data(), words.size())) return false;
    if (header[0] == 3) return true;
    if (header[0] == 2 && words.find("wl_seat") != std::string::npos) return false;
  }
  return false;
}
#endif

}  // namespace

const char* prepare_display() {
  const bool x11 = std::getenv("DISPLAY") != nullptr, wayland = std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (!x11 && !wayland) return "neither DISPLAY nor WAYLAND_DISPLAY is set";
#ifdef GLFW_PLATFORM_X11  // GLFW before 3.4 only supports X11
  // X11 is preferred to Wayland, because drivers share buffers only with GLX contexts.
  if (x11) glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
  if (!x11 && std::getenv("WAYLAND_SOCKET") == nullptr && wayland_lacks_seats())
    return "the Wayland display has no seat, that is neither keyboards nor pointers, and GLFW needs one";
#else
  if (!x11)
    return "the display is one of Wayland, and this version of GLFW needs X11: start Xwayland (package xwayland)";
#endif
  return nullptr;
}

const char* display_advice() { return "set DISPLAY, use the headless commands (orrery --help), or run under xvfb-run"; }

void outlive_display_errors() {
  if (auto* set_handler = function_of_x11<decltype(XSetErrorHandler)>("XSetErrorHandler")) set_handler(log_refusal);
}

// Settings of the desktop are resources of the root window. XResourceManagerString() has only their initial values.
std::optional<float> present_scale() {
  constexpr float usual_dpi = 96;
  const std::string resources = property_of(0, "RESOURCE_MANAGER", "STRING");
  for (const std::string_view line : split_text(resources, '\n'))
    if (constexpr std::string_view name = "Xft.dpi:"; line.starts_with(name))
      if (const auto dpi = parse_real(trimmed(line.substr(name.size()))); dpi && *dpi > 0)
        return static_cast<float>(*dpi) / usual_dpi;
  return std::nullopt;
}

bool wants_calm() { return desktop_setting("Gtk/EnableAnimations") == 0U; }

GlShareProperties share_properties_of(GLFWwindow* window) {
  const auto context = glfwGetGLXContext(window);
  const auto display = glfwGetX11Display();
  if (context == nullptr || display == nullptr) return {};
  return {CL_GL_CONTEXT_KHR, reinterpret_cast<cl_context_properties>(context), CL_GLX_DISPLAY_KHR,
          reinterpret_cast<cl_context_properties>(display)};
}

}  // namespace orrery::shell
