/// An OpenGL 4.3 core context that needs no display and has no framebuffer of its own, from EGL. Main thread.
#pragma once

#include <memory>
#include <string>

namespace orrery::shell {

class EglContext {
 public:
  virtual ~EglContext() = default;

  /// Makes it current. Null if the system has none; `why` then has the reason.
  static std::unique_ptr<EglContext> open(std::string& why);

 protected:
  EglContext() = default;
  EglContext(const EglContext&) = delete;
  EglContext& operator=(const EglContext&) = delete;
};

}  // namespace orrery::shell
