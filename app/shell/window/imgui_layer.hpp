/// Dear ImGui on this window: its context, its backends and its fonts. Window thread.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "shell/window/kept_panels.hpp"
#include "shell/window/window.hpp"
#include "ui/panels.hpp"

namespace orrery::shell {

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
  float scale_ = 0, chosen_scale_ = 1;
  ui::Theme theme_ = ui::Theme::dark, chosen_theme_ = ui::Theme::dark;
  bool begun_ = false;
  bool list_open_ = false;  // when the frame began
  // What ImGui before 1.87 would ask GLFW for, where it is later than in the frame's portion of input.
  std::optional<glm::dvec2> mouse_;
  std::array<bool, 3> buttons_{};
};

}  // namespace orrery::shell
