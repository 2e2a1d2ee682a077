/// The window's framebuffer: the picture of the scene, with the panels around it.
///
/// Window thread.
#pragma once

#include <optional>

#include "base/files/image.hpp"
#include "render/pass_timer.hpp"
#include "scene/scene.hpp"
#include "shell/window/imgui_layer.hpp"
#include "shell/window/window.hpp"
#include "ui/panels.hpp"

namespace orrery::shell {

class Screen {
 public:
  /// Opens the window. `timeline` must outlive the screen.
  Screen(glm::ivec2 size, bool vsync, Timeline& timeline)
      : window_(size, "Orrery", vsync), passes_(timeline), imgui_(window_) {
    if (draws_on_processor_) kept_panels_.emplace();
  }

  Window& window() { return window_; }
  const Window& window() const { return window_; }
  ImGuiLayer& imgui() { return imgui_; }

  bool draws_on_processor() const { return draws_on_processor_; }
  /// The last frame had another size.
  bool resized() const { return drawn_ != window_.framebuffer(); }
  /// The part that the panels leave to the picture; all of it where there are none.
  Viewport viewport(const ui::UiState& ui, bool panels) const;
  /// `scene` may be null. Throws Error.
  void draw_scene(Scene* scene, const Viewport& view);
  void draw_panels(const WindowSnapshot& seen, ui::UiState& ui, command::Commands& commands, const Viewport& view);
  /// Shows them as they were drawn last; false where they have not been kept.
  bool draw_panels_again(const Viewport& view);
  /// Takes over the device times of earlier frames that are known by now.
  void collect_times() { passes_.collect(); }
  /// Time that OpenGL's passes took, divided by the time that passed, over the last second; no number if unknown.
  double drawing() const { return passes_.busy(); }
  Image read_back() const;
  /// What panels have drawn there, by itself: as large as in the window.
  Image picture_of(ImDrawList& drawing, const ui::Rect& area) const;

 private:
  Window window_;
  gl::PassTimer passes_;
  ImGuiLayer imgui_;
  const bool draws_on_processor_ = gl::draws_on_processor();
  std::optional<KeptPanels> kept_panels_;  // where OpenGL draws on the processor
  glm::ivec2 drawn_{0, 0};                 // the framebuffer's size in the last frame
};

}  // namespace orrery::shell
