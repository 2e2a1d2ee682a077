/// Dear ImGui on this window: its context, its backends and its fonts. Window thread.
#pragma once

#include "shell/kept_panels.hpp"
#include "shell/window.hpp"
#include "ui/theme.hpp"

namespace orrery::shell {

class ImGuiLayer {
 public:
  explicit ImGuiLayer(Window& window);
  ~ImGuiLayer();
  ImGuiLayer(const ImGuiLayer&) = delete;
  ImGuiLayer& operator=(const ImGuiLayer&) = delete;

  /// Begins a frame, with fonts at the display's present scale, unless it has begun.
  void begin();
  /// Closes the frame: what was submitted since begin() can be drawn.
  void end();
  /// Draws it into the bound framebuffer, of the window's size.
  void draw() const;
  /// Where it draws.
  std::vector<PixelBox> drawn_parts() const;
  const ui::Fonts& fonts() const { return fonts_; }
  float scale() const { return scale_; }
  /// The pointer or the keyboard belongs to a panel at the moment.
  bool has_pointer() const;
  bool has_keyboard() const;
  /// Something in a panel is being dragged, pressed or typed into.
  bool holds_item() const;

 private:
  void follow_scale();

  Window& window_;
  ui::Fonts fonts_;
  float scale_ = 0;
  bool begun_ = false;
};

}  // namespace orrery::shell
