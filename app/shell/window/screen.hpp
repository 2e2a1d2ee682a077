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

/// A part of the framebuffer, in pixels, origin bottom left. `to` is beyond it.
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

  /// A frame has begun: its input stays as it is until end().
  bool begun() const { return begun_; }
  /// Of the frames that begin from now on.
  void set_look(const ui::Look& look);
  /// Keys lead from control to control, and Tab is not the window's.
  void set_keyboard(bool leads) { keyboard_ = leads; }
  /// Hands input to the frame that begins next.
  void take(const std::vector<InputEvent>& events);
  /// Begins a frame, with fonts at the display's present scale, unless it has begun.
  void begin();
  /// Closes the frame: what was submitted since begin() can be drawn.
  void end();
  /// Draws it into the bound framebuffer, of the window's size.
  void draw() const;
  /// The same with a drawing of that part of the window alone, after draw().
  void draw(ImDrawList& drawing, const ui::Rect& area, glm::vec2 pixels_per_unit) const;
  /// Where it draws.
  std::vector<PixelBox> drawn_parts() const;
  const ui::Fonts& fonts() const { return fonts_; }
  float scale() const { return scale_; }
  /// Where this frame has it, in screen coordinates of the window.
  glm::vec2 pointer() const;
  /// The pointer belongs to a panel at the moment.
  bool has_pointer() const;
  /// The keyboard belongs to a text field or to a list that is open.
  bool has_keyboard() const;
  /// Something in a panel is being dragged, pressed or typed into.
  bool holds_item() const;

 private:
  void follow_look();
  void load_fonts();

  Window& window_;
  ui::Fonts fonts_;
  std::vector<ui::SystemFont> system_fonts_;
  std::set<ImWchar> looked_for_;  // in the fonts of the system
  bool keyboard_ = false;
  float scale_ = 0, chosen_scale_ = 1;
  ui::Theme theme_ = ui::Theme::dark, chosen_theme_ = ui::Theme::dark;
  bool begun_ = false;
  bool list_open_ = false;  // when the frame began
  // What ImGui before 1.87 would ask GLFW for, where it is later than in the frame's portion of input.
  std::optional<glm::dvec2> mouse_;
  std::array<bool, 3> buttons_{};
};

/// The same parts, without any that overlap: those are replaced by what contains them.
std::vector<PixelBox> apart(std::vector<PixelBox> boxes);

/// A picture of the panels that is shown again without drawing them anew: an OpenGL that draws on the processor takes
/// as long for the letters as for a picture of bodies. Window thread, with the GL context current.
class KeptPanels {
 public:
  /// Binds an empty picture of that size; panels are drawn into it, within these parts.
  void begin(glm::ivec2 size, const std::vector<PixelBox>& parts);
  /// Lays the picture over the default framebuffer. False where there is none of that size.
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
