/// The window's framebuffer: the picture of the scene, with the panels around it.
///
/// Window thread.
#pragma once

#include <array>
#include <glm/glm.hpp>
#include <optional>
#include <set>
#include <vector>

#include "base/files/image.hpp"
#include "render/gl.hpp"
#include "render/pass_timer.hpp"
#include "scene/scene.hpp"
#include "shell/window/window.hpp"
#include "ui/panels.hpp"

namespace orrery::shell {

/// A part of the framebuffer, in pixels, origin bottom left; excludes `to`.
struct PixelBox {
  glm::ivec2 from{0, 0}, to{0, 0};
  bool operator==(const PixelBox&) const = default;
};

/// Dear ImGui on this window: its context, its backends and its fonts. Window thread.
class ImGuiLayer {
 public:
  explicit ImGuiLayer(Window& window);
  ~ImGuiLayer();
  ImGuiLayer(const ImGuiLayer&) = delete;
  ImGuiLayer& operator=(const ImGuiLayer&) = delete;

  /// True between begin() and end(), while input must not change.
  bool begun() const { return begun_; }
  /// Sets the look of the next frames.
  void set_look(const ui::Look& look);
  /// With `leads`, keys move between controls, and Tab does not change the scene.
  void set_keyboard(bool leads) { keyboard_ = leads; }
  /// Hands input to the frame that begins next.
  void take(const std::vector<InputEvent>& events);
  /// Begins a frame, with fonts at the display's present scale, unless it has begun.
  void begin();
  /// Closes the frame: the controls submitted since begin() can be drawn.
  void end();
  /// Draws it into the bound framebuffer, of the window's size.
  void draw() const;
  /// Draws only that part of the window, after draw().
  void draw(ImDrawList& drawing, const ui::Rect& area, glm::vec2 pixels_per_unit) const;
  /// The parts of the framebuffer that it draws.
  std::vector<PixelBox> drawn_parts() const;
  const ui::Fonts& fonts() const { return fonts_; }
  float scale() const { return scale_; }
  /// The pointer in this frame, in screen coordinates of the window.
  glm::vec2 pointer() const;
  /// True while the pointer belongs to a panel.
  bool has_pointer() const;
  /// True while a text field or an open list has the keyboard.
  bool has_keyboard() const;
  /// True while a control in a panel is dragged, pressed or typed into.
  bool holds_item() const;

 private:
  void follow_look();
  void load_fonts();

  Window& window_;
  ui::Fonts fonts_;
  std::vector<ui::SystemFont> system_fonts_;
  std::set<ImWchar> looked_for_;  // characters searched in system fonts
  bool keyboard_ = false;
  float scale_ = 0, chosen_scale_ = 1;
  ui::Theme theme_ = ui::Theme::dark, chosen_theme_ = ui::Theme::dark;
  bool begun_ = false;
  bool list_open_ = false;  // a list was open when the frame began
  // Position in the frame's input; replaces GLFW's newer one, which ImGui before 1.87 would read.
  std::optional<glm::dvec2> mouse_;
  std::array<bool, 3> buttons_{};
};

/// Merges overlapping parts into boxes that contain them.
std::vector<PixelBox> apart(std::vector<PixelBox> boxes);

/// A picture of the panels for repeated use, because OpenGL on the processor needs as long for letters as for bodies.
/// Window thread, with the GL context current.
class KeptPanels {
 public:
  /// Binds an empty picture of that size; panels are drawn into it, within these parts.
  void begin(glm::ivec2 size, const std::vector<PixelBox>& parts);
  /// Lays the picture over the default framebuffer. False without a picture of that size.
  bool show(glm::ivec2 size) const;

 private:
  gl::RenderTarget picture_{GL_RGBA8};
  gl::ShaderProgram lay_over_{"fullscreen.vert", "panels.frag"};
  gl::FullscreenTriangle triangle_;
  std::vector<PixelBox> parts_;
};

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
  /// True if the last frame had another size.
  bool resized() const { return drawn_ != window_.framebuffer(); }
  /// The part left by the panels for the picture; everything without panels.
  Viewport viewport(const ui::UiState& ui, bool panels) const;
  /// `scene` may be null. Throws Error.
  void draw_scene(Scene* scene, const Viewport& view);
  void draw_panels(const WindowSnapshot& seen, ui::UiState& ui, command::Commands& commands, const Viewport& view);
  /// Shows the last drawn panels; false if they have not been kept.
  bool draw_panels_again(const Viewport& view);
  /// Takes over known device times of earlier frames.
  void collect_times() { passes_.collect(); }
  /// Share of the last second that OpenGL's passes took; NaN: unknown.
  double drawing() const { return passes_.busy(); }
  Image read_back() const;
  /// A picture of that drawing alone, as large as in the window.
  Image picture_of(ImDrawList& drawing, const ui::Rect& area) const;

 private:
  Window window_;
  gl::PassTimer passes_;
  ImGuiLayer imgui_;
  const bool draws_on_processor_ = gl::draws_on_processor();
  std::optional<KeptPanels> kept_panels_;  // used if OpenGL draws on the processor
  glm::ivec2 drawn_{0, 0};                 // framebuffer size of the last frame
};

}  // namespace orrery::shell
