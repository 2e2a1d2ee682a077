#include "shell/window/egl_context.hpp"

#include <dlfcn.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/platform/process.hpp"

namespace orrery::shell {
namespace {

// Declarations of EGL 1.5 and its extensions (Khronos); no header is needed, as the library may be missing.
using EglInteger = std::int32_t;
using EglName = void*;
constexpr EglInteger egl_none = 0x3038, egl_extensions = 0x3055;
constexpr EglInteger surface_type = 0x3033, renderable_type = 0x3040, opengl_bit = 0x0008;
constexpr EglInteger major_version = 0x3098, minor_version = 0x30FB, profile_mask = 0x30FD, core_profile = 0x0001;
constexpr unsigned opengl_api = 0x30A2, platform_device = 0x313F, platform_surfaceless = 0x31DD;

/// libEGL, which stays loaded, because drivers may fail when unloaded.
struct Egl {
  EglName (*function)(const char*) = nullptr;
  const char* (*query_string)(EglName, EglInteger) = nullptr;
  unsigned (*initialize)(EglName, EglInteger*, EglInteger*) = nullptr;
  unsigned (*terminate)(EglName) = nullptr;
  unsigned (*bind_api)(unsigned) = nullptr;
  unsigned (*choose_config)(EglName, const EglInteger*, EglName*, EglInteger, EglInteger*) = nullptr;
  EglName (*create_context)(EglName, EglName, EglName, const EglInteger*) = nullptr;
  unsigned (*destroy_context)(EglName, EglName) = nullptr;
  unsigned (*make_current)(EglName, EglName, EglName, EglName) = nullptr;
  EglName (*platform_display)(unsigned, EglName, const EglInteger*) = nullptr;
  unsigned (*query_devices)(EglInteger, EglName*, EglInteger*) = nullptr;
  const char* (*query_device_string)(EglName, EglInteger) = nullptr;

  /// False if the library or a required function is missing.
  bool load() {
    void* const library = ::dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return false;
    bool all = true;
    const auto take = [&](auto& to, const char* name) {
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(::dlsym(library, name));
      all = all && to != nullptr;
    };
    take(function, "eglGetProcAddress");
    take(query_string, "eglQueryString");
    take(initialize, "eglInitialize");
    take(terminate, "eglTerminate");
    take(bind_api, "eglBindAPI");
    take(choose_config, "eglChooseConfig");
    take(create_context, "eglCreateContext");
    take(destroy_context, "eglDestroyContext");
    take(make_current, "eglMakeCurrent");
    if (!all) return false;
    const auto extension = [&](auto& to, const char* name) {
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(function(name));
    };
    extension(platform_display, "eglGetPlatformDisplayEXT");
    extension(query_devices, "eglQueryDevicesEXT");
    extension(query_device_string, "eglQueryDeviceStringEXT");
    return true;
  }
  bool has(std::string_view extension) const {
    const char* const all = query_string(nullptr, egl_extensions);
    return all != nullptr && std::string_view(all).find(extension) != std::string_view::npos;
  }
};

/// Each device's own display, displays of the processor last; then Mesa's without a device.
std::vector<EglName> displays_of(const Egl& egl) {
  std::vector<EglName> displays;
  if (egl.platform_display == nullptr) return displays;
  if (egl.query_devices != nullptr && egl.has("EGL_EXT_platform_device")) {
    std::array<EglName, 64> devices{};
    EglInteger count = 0;
    if (egl.query_devices(static_cast<EglInteger>(devices.size()), devices.data(), &count) == 0) count = 0;
    const auto end = devices.begin() + count;
    std::stable_partition(devices.begin(), end, [&](EglName device) {
      const char* const told =
          egl.query_device_string != nullptr ? egl.query_device_string(device, egl_extensions) : nullptr;
      return told == nullptr || std::string_view(told).find("software") == std::string_view::npos;
    });
    for (auto device = devices.begin(); device != end; ++device)
      displays.push_back(egl.platform_display(platform_device, *device, nullptr));
  }
  if (egl.has("EGL_MESA_platform_surfaceless"))
    displays.push_back(egl.platform_display(platform_surfaceless, nullptr, nullptr));
  std::erase(displays, nullptr);
  return displays;
}

class OpenEgl final : public EglContext {
 public:
  OpenEgl(const Egl& egl, EglName display) : egl_(egl), display_(display) {
    if (egl_.initialize(display_, nullptr, nullptr) == 0 || egl_.bind_api(opengl_api) == 0) return;
    constexpr std::array<EglInteger, 5> wanted{renderable_type, opengl_bit, surface_type, 0, egl_none};
    constexpr std::array<EglInteger, 7> version{major_version, 4,       minor_version, 3, profile_mask,
                                                core_profile,  egl_none};
    EglName config = nullptr;
    EglInteger count = 0;
    if (egl_.choose_config(display_, wanted.data(), &config, 1, &count) == 0 || count == 0) return;
    context_ = egl_.create_context(display_, config, nullptr, version.data());
    current_ = context_ != nullptr && egl_.make_current(display_, nullptr, nullptr, context_) != 0;
  }
  ~OpenEgl() override {
    if (current_) egl_.make_current(display_, nullptr, nullptr, nullptr);
    if (context_ != nullptr) egl_.destroy_context(display_, context_);
    egl_.terminate(display_);
  }
  bool current() const { return current_; }

 private:
  const Egl& egl_;
  EglName display_, context_ = nullptr;
  bool current_ = false;
};

}  // namespace

std::unique_ptr<EglContext> EglContext::open(std::string& why) {
  static Egl egl;
  // Mesa prints the devices it has tried on standard error.
  if (platform::variable("EGL_LOG_LEVEL").empty()) platform::set_variable("EGL_LOG_LEVEL", "fatal");
  if (!egl.load()) {
    why = "there is no libEGL.so.1";
    return nullptr;
  }
  for (const EglName display : displays_of(egl)) {
    auto context = std::make_unique<OpenEgl>(egl, display);
    if (!context->current()) continue;
    if (gladLoadGL(reinterpret_cast<GLADloadfunc>(egl.function)) != 0) return context;
  }
  why = "EGL has no OpenGL 4.3 without a display";
  return nullptr;
}

}  // namespace orrery::shell
