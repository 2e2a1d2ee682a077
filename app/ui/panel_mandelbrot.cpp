#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>

#include "ui/format.hpp"
#include "ui/panel_list.hpp"

namespace orrery::ui {
namespace {

/// Any number of digits; scrolls inside its field, can be selected and copied.
void digits_row(const Panel& panel, const char* label, const std::string& digits) {
  ImGui::PushID(label);
  label_row(panel, label, digits);
  const float height = ImGui::GetFrameHeight();
  const WithFont mono(panel.fonts.mono);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {ImGui::GetStyle().FramePadding.x, (height - ImGui::GetFontSize()) / 2});
  std::string text = digits;
  ImGui::InputText("##digits", &text, ImGuiInputTextFlags_ReadOnly | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  ImGui::PopID();
}

void locations_row(const Panel& panel, const MandelbrotSnapshot& view) {
  if (view.locations.empty()) return;
  label_row(panel, "Go to", "Named places   (1 … 9)\n--center NAME");
  if (!begin_combo(panel, "##locations", "choose a place")) return;
  for (const std::string& name : view.locations)
    if (ImGui::Selectable(name.c_str())) panel.send(command::GoToLocation{name});
  ImGui::EndCombo();
}

void progress_line(const Panel& panel, double progress) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, panel.px(3)};
  ImGui::Dummy(size);
  const float share = std::isfinite(progress) ? std::clamp(static_cast<float>(progress), 0.0F, 1.0F) : 0.0F;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(palette::field), size.y / 2);
  const Color ink = share < 1 ? palette::accent : palette::kernel;
  if (share > 0) list.AddRectFilled(at, {at.x + size.x * share, at.y + size.y}, packed(ink), size.y / 2);
}

}  // namespace

void mandelbrot_buttons(const Panel& panel, const MandelbrotSnapshot& view) {
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - 2 * gap) / 3);
  if (button(panel, "← Back", width, "The view before   (Alt+Left, Backspace)", view.can_go_back))
    panel.send(command::ViewBack{});
  ImGui::SameLine(0, gap);
  if (button(panel, "Forward →", width, "The view after   (Alt+Right)", view.can_go_forward))
    panel.send(command::ViewForward{});
  ImGui::SameLine(0, gap);
  if (button(panel, "First view", -FLT_MIN, "R")) panel.send(command::Reset{});
}

void mandelbrot_panel(const Panel& panel, const MandelbrotSnapshot& view, bool open_at_first) {
  if (!section(panel, "View", "span " + view.span, open_at_first)) return;
  if (!view.warning.empty()) notice(panel, view.warning, palette::warning);
  locations_row(panel, view);
  digits_row(panel, "Centre, real", view.center_re);
  digits_row(panel, "Centre, imag.", view.center_im);
  digits_row(panel, "Span", view.span);
  stat_grid(panel, {{"Iterations", view.iterations},
                    {"Iterations/s", metric(view.iterations_per_second)},
                    {"Precision", view.precision},
                    {"Progress", percent(view.progress)}});
  progress_line(panel, view.progress);
  const WithFont small(panel.fonts.small);
  if (!view.precision_reason.empty()) wrapped_text(view.precision_reason, palette::dim);
  color_ramp(panel, view.color_ramp, {}, {});
  line_of_text(panel, view.cursor.empty() ? "Cursor outside the picture" : view.cursor, palette::dim);
}

}  // namespace orrery::ui
