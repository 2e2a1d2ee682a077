#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "scenes/nbody/panels/panels.hpp"
#include "ui/format.hpp"

namespace orrery::ui {
namespace {

using View = NbodySnapshot::Hands;

void flight_path(const Panel& panel, const View& hands, ImVec2 corner, ImDrawList& list) {
  const std::size_t count = hands.path.size();
  for (std::size_t k = 0; k + 1 < count; ++k) {
    const float left = 1 - static_cast<float>(k) / static_cast<float>(count);  // fades along the way
    const auto at = [&](std::size_t i) { return ImVec2{corner.x + hands.path[i][0], corner.y + hands.path[i][1]}; };
    list.AddLine(at(k), at(k + 1), packed(palette::accent, 0.15F + 0.75F * left), panel.px(1.5F));
  }
}

void arrow_of_drag(const Panel& panel, const View& hands, ImVec2 corner, ImDrawList& list) {
  const ImVec2 from{corner.x + hands.from[0], corner.y + hands.from[1]},
      to{corner.x + hands.to[0], corner.y + hands.to[1]};
  const float length = std::hypot(to.x - from.x, to.y - from.y), head = panel.px(9);
  if (length < head) return;
  const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
  const ImVec2 base{to.x - head * along.x, to.y - head * along.y};
  const ImVec2 side{-0.4F * head * along.y, 0.4F * head * along.x};
  list.AddLine(from, base, packed(palette::text, 0.8F), panel.px(1.5F));
  list.AddTriangleFilled(to, {base.x + side.x, base.y + side.y}, {base.x - side.x, base.y - side.y},
                         packed(palette::text, 0.8F));
}

/// Beside the pointer: what is held, and what it does.
void tag(const Panel& panel, const View& hands, const UnitNames& units, ImVec2 corner, ImDrawList& list) {
  const WithFont small(panel.fonts.small);
  const bool moves = hands.holds == View::Holds::body;
  std::string text = "Mass " + number(hands.mass, 3) + (units.named ? " " + units.mass : "");
  if (!moves)
    text +=
        hands.dragged ? "   Speed " + number(hands.speed, 3) + (units.named ? " " + units.speed : "") : "   At rest";
  const ImVec2 at{corner.x + hands.to[0] + panel.px(14), corner.y + hands.to[1] + panel.px(10)};
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const float margin = panel.px(4);
  list.AddRectFilled({at.x - margin, at.y - margin / 2}, {at.x + size.x + margin, at.y + size.y + margin / 2},
                     packed(palette::window, 0.7F), panel.px(3));
  list.AddText(at, packed(palette::text), text.c_str());
}

void hint_of_hands(const Panel& panel, const View& hands, const Rect& picture) {
  const StillWindow window("##hands", {.at = {picture.x + panel.px(12), picture.y + panel.px(12)},
                                       .color = Color{palette::window.rgb, 0.72F},
                                       .padding = ImVec2{panel.px(10), panel.px(6)},
                                       .flags = over_picture | ImGuiWindowFlags_NoInputs});
  if (!window) return;
  {
    const WithFont heading(panel.fonts.heading);
    ImGui::TextUnformatted("Hands");
  }
  list_control(panel, "Hands hint");
  const WithFont small(panel.fonts.small);
  const std::pair<const char*, std::string> rows[] = {
      {"Click", "adds " + hands.new_object + ", mass " + number(hands.new_mass, 3)},
      {"Drag", "throws it"},
      {"Drag a body", "moves it"},
      {"Hold and wheel", "changes its mass"},
      {"Click a body", "marks it for Delete, Ctrl+D"},
      {"Esc", "ends Hands"}};
  for (const auto& [what, does] : rows) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(palette::dim));
    ImGui::TextUnformatted(what);
    ImGui::PopStyleColor();
    ImGui::SameLine(panel.px(120));
    ImGui::TextUnformatted(does.c_str());
  }
}

}  // namespace

void NbodyPanels::in_picture(const Panel& panel, const Rect& picture) const {
  followed_body(panel, picture);
  const View& hands = seen_.hands;
  if (!hands.on) return;
  hint_of_hands(panel, hands, picture);
  if (hands.holds == View::Holds::nothing) return;
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const ImVec2 corner{picture.x, picture.y};
  list.PushClipRect(corner, {picture.x + picture.width, picture.y + picture.height});
  flight_path(panel, hands, corner, list);
  list.AddCircle({corner.x + hands.from[0], corner.y + hands.from[1]}, panel.px(5), packed(palette::text), 0,
                 panel.px(1.5F));
  if (hands.radius > panel.px(5))
    list.AddCircle({corner.x + hands.from[0], corner.y + hands.from[1]}, hands.radius, packed(palette::accent, 0.7F), 0,
                   panel.px(1));
  if (hands.dragged) arrow_of_drag(panel, hands, corner, list);
  tag(panel, hands, seen_.units, corner, list);
  list.PopClipRect();
}

}  // namespace orrery::ui
