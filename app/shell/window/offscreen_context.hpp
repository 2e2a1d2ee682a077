/// An OpenGL context for offscreen pictures: of a hidden window, or of EGL without a display. Main thread; one per
/// process.
#pragma once

#include <memory>
#include <string>

#include "shell/window/egl_context.hpp"
#include "shell/window/window.hpp"

namespace orrery::shell {

class OffscreenContext {
 public:
  /// Makes it current. Throws a failure with the reason if there is none.
  OffscreenContext();

  /// "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string renderer() const;
  /// The longest side of a picture that can be drawn, in pixels.
  int longest_side() const;

 private:
  std::unique_ptr<Window> window_;
  std::unique_ptr<EglContext> egl_;
};

}  // namespace orrery::shell
