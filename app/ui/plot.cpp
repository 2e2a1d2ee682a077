#include "ui/plot.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "ui/format.hpp"
#include "ui/plot_drawing.hpp"

namespace orrery::ui {
namespace {

bool has_points(const Plot& plot) {
  return std::ranges::any_of(plot.series, [](const Series& s) { return s.style == Series::Style::points; });
}

/// The title, and at the right the value of the only curve.
void caption(const Panel& panel, const Plot& plot) {
  const WithFont small(panel.fonts.small);
  const bool single = plot.series.size() == 1;
  const double value = single ? last_of(plot.series.front().values) : unknown_number;
  const std::string right = !plot.note.empty() ? plot.note : single ? number(value, 4) : std::string();
  const std::string left = plot.y.unit.empty() ? plot.title : plot.title + " (" + plot.y.unit + ")";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, line = ImGui::GetTextLineHeight();
  const float wide = ImGui::CalcTextSize(right.c_str()).x;
  ImGui::Dummy({width, line});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText(at, packed(palette::dim), fitted(left, width - wide - panel.px(8)).c_str());
  list.AddText({at.x + width - wide, at.y}, packed(palette::text), right.c_str());
  if (!right.empty()) offer_copy(panel, plot.title, plot.note.empty() ? shortest(value) : plot.note);
}

/// A colour, a name and the present value of each, side by side.
void legend(const Panel& panel, const Plot& plot) {
  if (plot.series.size() < 2 || has_points(plot)) return;
  const WithFont small(panel.fonts.small);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x, width = room / static_cast<float>(plot.series.size());
  const float line = ImGui::GetTextLineHeight();
  ImGui::Dummy({room, line});
  float x = at.x;
  for (const Series& series : plot.series) {
    const double value = last_of(series.values);
    const std::string text = series.name + (plot.note.empty() ? " " + number(value, 3) : "");
    draw_legend_entry(panel, {x, at.y}, series.color, fitted(text, width - panel.px(16)));
    offer_copy(panel, series.name, shortest(value), {x, at.y, width, line});
    x += width;
  }
}

/// True while the plot of that title is shown large, or is to be from now on.
bool is_large(const Panel& panel, const std::string& title, bool wanted) {
  std::optional<LargePlot>& large = panel.state.large_plot;
  if (wanted) large = LargePlot{.scene = panel.state.sections.scene, .title = title};
  return large && large->scene == panel.state.sections.scene && large->title == title;
}

/// A copy of what the present window has drawn.
std::shared_ptr<ImDrawList> drawing_of_window() {
  return {ImGui::GetWindowDrawList()->CloneOutput(), [](ImDrawList* list) { IM_DELETE(list); }};
}

/// In a window of its own, so that its drawing is that of the plot.
void large_drawing(const Panel& panel, LargePlot& large, const Plot& plot, ImVec2 size) {
  constexpr ImGuiWindowFlags still = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0);
  if (ImGui::BeginChild("##drawing", size, false, still)) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = panel.px(12);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(palette::window));
    clickable("##curves", size);
    const PlotFrame frame =
        draw_plot(panel, plot, {at.x + inset, at.y + inset}, {size.x - 2 * inset, size.y - 2 * inset}, PlotSize::large);
    if (std::exchange(large.wanted, false)) {
      large.drawing = drawing_of_window();
      large.area = {at.x, at.y, size.x, size.y};
    }
    read_out(panel, plot, frame, PlotSize::large);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

/// True when it is to be closed.
bool pane_buttons(const Panel& panel, LargePlot& large, const Plot& plot) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x, width = panel.px(92), left = ImGui::GetCursorPosX();
  const float room = ImGui::GetContentRegionAvail().x;
  if (button(panel, "Save CSV", width, "Save all values as a table"))
    panel.send(command::SaveTable{plot.title, table_of(plot)});
  ImGui::SameLine(0, gap);
  if (button(panel, "Save PNG", width, "Save the plot as a picture")) large.wanted = true;
  ImGui::SameLine(left + room - width);
  return button(panel, "Close", width, "Close the plot   (Esc)");
}

}  // namespace

double last_of(std::span<const double> values) { return values.empty() ? unknown_number : values.back(); }

void plot(const Panel& panel, const Plot& plot) {
  ImGui::BeginGroup();
  ImGui::Dummy({1, panel.px(1)});
  caption(panel, plot);
  legend(panel, plot);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{std::max(1.0F, ImGui::GetContentRegionAvail().x), panel.px(plot.height) + panel.fonts.scale * 18};
  ImGui::PushID("plot");  // a section may have the same title
  const bool pressed = clickable(plot.title.c_str(), size);
  ImGui::PopID();
  list_control(panel, plot.title);
  if (is_large(panel, plot.title, pressed)) show_large(panel, plot);
  if (ImGui::IsRectVisible(at, {at.x + size.x, at.y + size.y}))
    read_out(panel, plot, draw_plot(panel, plot, at, size, PlotSize::small), PlotSize::small);
  ImGui::EndGroup();
}

bool enlarge_button(const Panel& panel, const std::string& title) {
  const bool wanted = button(panel, "Enlarge", -FLT_MIN, "Show it as a large plot, to be read and saved (CSV, PNG)");
  return is_large(panel, title, wanted);
}

void show_large(const Panel& panel, const Plot& plot) { panel.state.large_plot->plot = KeptPlot(plot); }

void plot_pane(const Panel& panel, std::string_view scene, const Rect& picture) {
  std::optional<LargePlot>& large = panel.state.large_plot;
  if (large && large->scene != scene) large.reset();
  const float free_height = picture.height - panel.px(60);  // above what tells that the plot is saved
  const ImVec2 size{std::min(panel.px(1040), picture.width - panel.px(32)),
                    std::min(panel.px(620), free_height - panel.px(32))};
  if (!large || size.x < panel.px(230) || size.y < panel.px(150)) return;
  const StillWindow window("##plot", {.at = {picture.x + std::round((picture.width - size.x) / 2),
                                             picture.y + std::round((free_height - size.y) / 2)},
                                      .size = size,
                                      .flags = over_picture | beside_picture});
  if (!window) return;
  panel.state.controls.section = "Plot";
  const Plot shown = large->plot.plot();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  large_drawing(panel, *large, shown, {room.x, room.y - ImGui::GetFrameHeight() - ImGui::GetStyle().ItemSpacing.y});
  const bool closed = pane_buttons(panel, *large, shown);
  panel.state.controls.section.clear();
  if (closed) large.reset();
}

}  // namespace orrery::ui
