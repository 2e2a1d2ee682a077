#include "ui/plot_rows.hpp"

#include <imgui.h>

#include <algorithm>
#include <limits>

#include "ui/format.hpp"

namespace orrery::ui {

double last_of(std::span<const double> values) {
  return values.empty() ? std::numeric_limits<double>::quiet_NaN() : values.back();
}

void legend(const Panel& panel, std::initializer_list<Series> all) {
  const float width = ImGui::GetContentRegionAvail().x / static_cast<float>(all.size());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const WithFont small(panel.fonts.small);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float line = ImGui::GetTextLineHeight();
  float x = at.x;
  for (const Series& series : all) {
    list.AddRectFilled({x, at.y + line / 2 - panel.px(1)}, {x + panel.px(8), at.y + line / 2 + panel.px(1)},
                       packed(series.color));
    const std::string text =
        fitted(std::string(series.name) + " " + number(last_of(series.values), 3), width - panel.px(16));
    list.AddText({x + panel.px(12), at.y}, packed(palette::text), text.c_str());
    x += width;
  }
  ImGui::Dummy({ImGui::GetContentRegionAvail().x, line});
}

void small_plot(const Panel& panel, const char* name, std::span<const double> x, std::initializer_list<Series> all,
                const PlotOptions& options) {
  std::string text;
  for (const Series& series : all)
    text += (text.empty() ? "" : " · ") + number(last_of(series.values), all.size() > 1 ? 2 : 4);
  ImGui::BeginGroup();
  ImGui::Dummy({1, panel.px(1)});
  {
    const WithFont small(panel.fonts.small);
    ImGui::TextColored(palette::dim, "%s", name);
    ImGui::SameLine();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room));
    ImGui::TextUnformatted(text.c_str());
  }
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - panel.px(3));
  plot(name, x, all, options, panel.fonts);
  ImGui::EndGroup();
}

}  // namespace orrery::ui
