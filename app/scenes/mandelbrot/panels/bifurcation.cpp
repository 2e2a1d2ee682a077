#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "scenes/mandelbrot/panels/command.hpp"
#include "scenes/mandelbrot/panels/panels.hpp"
#include "ui/format.hpp"
#include "ui/parameter_widget.hpp"

namespace orrery::ui {
namespace {

using Doubling = BifurcationSnapshot::Doubling;

constexpr Color ink{0xffb859};  // of the lines in the diagram
constexpr std::size_t most_rows = 9;

/// The doublings that the picture shows apart, and the next ones.
std::span<const Doubling> listed(const std::vector<Doubling>& all) {
  const auto first = std::ranges::find_if(all, [](const Doubling& each) { return !each.delta.empty(); });
  const auto begin = static_cast<std::size_t>(first - all.begin());
  const std::size_t from = begin > 0 ? begin - 1 : 0;
  return std::span(all).subspan(std::min(from, all.size()),
                                std::min(most_rows, all.size() - std::min(from, all.size())));
}

/// "c₈", or "2⁴⁰" where that would be long.
std::string name_of(const Doubling& doubling) {
  constexpr std::string_view digits = "0123456789";
  std::string name = "c";
  for (const char digit : doubling.period) {
    const std::size_t value = digits.find(digit);
    if (value == std::string_view::npos) return doubling.period;
    name += {'\xE2', '\x82', static_cast<char>(0x80 + value)};
  }
  return name;
}

void doubling_table(const Panel& panel, const std::vector<Doubling>& all) {
  const WithFont small(panel.fonts.small);
  if (!ImGui::BeginTable("##doublings", 3, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("Period", 0, 0.8F);
  ImGui::TableSetupColumn("δ", 0, 1.6F);
  ImGui::TableSetupColumn("α", 0, 1.6F);
  ImGui::TableHeadersRow();
  const auto cell = [&](std::string_view name, const std::string& text) {
    ImGui::TableNextColumn();
    if (text.empty()) return line_of_text(panel, "–", palette::dim);
    line_of_text(panel, text);
    offer_copy(panel, name, text);
  };
  for (const Doubling& each : listed(all)) {
    ImGui::TableNextColumn();
    line_of_text(panel, each.period, ink);
    offer_copy(panel, "c of period " + each.period, each.c);
    hint(panel, "c = " + each.c);
    cell("δ", each.delta);
    cell("α", each.alpha);
  }
  ImGui::EndTable();
}

}  // namespace

bool is_bifurcation_parameter(std::string_view name) { return name == "bifurcation" || name == "bifurcation-height"; }

void bifurcation_panel(const Panel& panel, const SceneSnapshot& scene, const BifurcationSnapshot& seen,
                       bool open_at_first) {
  if (!section(panel, "Bifurcation diagram", seen.shown ? "shown" : "hidden", open_at_first)) return;
  for (const ParameterView& parameter : scene.parameters)
    if (is_bifurcation_parameter(parameter.info.name)) parameter_row(panel, parameter);
  if (!seen.shown) return;
  if (!seen.note.empty()) wrapped_text(seen.note, palette::dim);
  const float gap = ImGui::GetStyle().ItemInnerSpacing.x;
  const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
  if (button(panel, "Previous doubling", width, "Fly back to the previous doubling   (Shift+N)",
             !seen.doublings.empty()))
    panel.send_to_scene(command::NextDoubling{false});
  ImGui::SameLine(0, gap);
  if (button(panel, "Next doubling", -FLT_MIN, "Fly to the next doubling, δ times as deep   (N)",
             !seen.doublings.empty()))
    panel.send_to_scene(command::NextDoubling{true});
  if (seen.doublings.empty()) return;
  doubling_table(panel, seen.doublings);
  wrapped_text("In the limit " + std::string(seen.limit) + ".", palette::dim);
}

/// Periods above the lines, and what the diagram measures.
void bifurcation_labels(const Panel& panel, const BifurcationSnapshot& seen, const Rect& picture) {
  if (!seen.shown || picture.width < 1) return;
  const WithFont small(panel.fonts.small);
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float top = picture.y + picture.height - seen.height, line = ImGui::GetTextLineHeight(), pad = panel.px(4);
  list.PushClipRect({picture.x, picture.y}, {picture.x + picture.width, picture.y + picture.height});
  const auto text_at = [&](float x, float y, const std::string& text, Color color) {
    list.AddText({x + 1, y + 1}, packed(Color{0x000000}, 0.8F), text.c_str());
    list.AddText({x, y}, packed(color), text.c_str());
  };
  float free_to = picture.x + picture.width - pad;
  const Doubling* measured = nullptr;
  for (const Doubling& each : seen.doublings) {
    const std::string name = name_of(each);
    const float x = picture.x + each.column, width = ImGui::CalcTextSize(name.c_str()).x;
    if (each.column < 0 || each.column > picture.width) continue;
    if (!each.delta.empty()) measured = &each;
    if (x + pad + width > free_to) continue;
    text_at(x + pad, top + pad, name, ink);
    free_to = x - pad;
  }
  const float bottom = picture.y + picture.height - line - pad;
  text_at(picture.x + pad, bottom, seen.x_range, palette::dim);
  if (measured != nullptr) {
    const std::string told = "δ = " + measured->delta + (measured->alpha.empty() ? "" : "   α = " + measured->alpha);
    text_at(picture.x + picture.width - pad - ImGui::CalcTextSize(told.c_str()).x, bottom, told, ink);
  }
  if (!seen.note.empty()) text_at(picture.x + pad, bottom - line, seen.note, palette::text);
  list.PopClipRect();
}

}  // namespace orrery::ui
