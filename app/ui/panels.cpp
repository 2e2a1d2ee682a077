#include "ui/panels.hpp"

#include <algorithm>

namespace orrery::ui {
namespace {

constexpr float column_width = 340;
constexpr float handle_width = 22;

}  // namespace

Rect picture_area(const UiState& state, float width, float height, float scale, bool device) {
  if (state.hidden || !device) return {0, 0, width, height};
  const float wanted = (state.collapsed ? handle_width : column_width) * scale;
  const float column = std::min(wanted, 0.6F * width);
  return {column, 0, width - column, height};
}

void draw_ui(const WindowSnapshot& snapshot, UiState& state, const Fonts& fonts, command::Commands& commands) {
  (void)snapshot, (void)state, (void)fonts, (void)commands;
}

}  // namespace orrery::ui
