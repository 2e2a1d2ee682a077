#include "ui/picture_colors.hpp"

#include "ui/widgets.hpp"

namespace orrery::ui {

void color_names(const Panel& panel, const std::string& title, std::span<const NamedColor> colors, Swatch swatch) {
  if (colors.empty()) return;
  const WithFont small(panel.fonts.small);
  const float line = ImGui::GetTextLineHeight(), room = ImGui::GetContentRegionAvail().x;
  const float gap = panel.px(swatch == Swatch::square ? 9 : 14);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText(at, packed(palette::dim), title.c_str());
  float x = at.x + (title.empty() ? 0 : ImGui::CalcTextSize(title.c_str()).x + panel.px(10)), y = at.y;
  for (const auto& [name, rgb] : colors) {
    const float width = panel.px(12) + ImGui::CalcTextSize(name.c_str()).x + gap;
    if (x > at.x && x + width > at.x + room) x = at.x, y += line + panel.px(2);
    const ImVec2 low{x + panel.px(1), y + line / 2 - panel.px(3.5F)};
    if (swatch == Swatch::square)
      list.AddRect(low, {low.x + panel.px(7), low.y + panel.px(7)}, packed(color_of(rgb)), 0, 0, panel.px(1.5F));
    else
      list.AddCircleFilled({x + panel.px(4), y + line / 2}, panel.px(4), packed(color_of(rgb)));
    list.AddText({x + panel.px(12), y}, packed(palette::text), name.c_str());
    x += width;
  }
  ImGui::Dummy({room, y - at.y + line});
}

}  // namespace orrery::ui
