#include <imgui.h>

#include <utility>

#include "base/text.hpp"
#include "scenes/nbody/panels/panels.hpp"
#include "ui/format.hpp"

namespace orrery::ui {
namespace {

using View = NbodySnapshot::Followed;

void orbit_of(const Panel& panel, const View& body, const Rect& picture) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.PushClipRect({picture.x, picture.y}, {picture.x + picture.width, picture.y + picture.height});
  const auto at = [&](float x, float y) { return ImVec2{picture.x + x, picture.y + y}; };
  for (const auto& [x, y, to_x, to_y] : body.orbit)
    list.AddLine(at(x, y), at(to_x, to_y), packed(palette::accent, 0.55F), panel.px(1));
  list.PopClipRect();
}

std::vector<std::pair<const char*, std::string>> rows_of(const View& body, const UnitNames& units) {
  const auto with = [&](double value, const std::string& unit) {
    return number(value) + (units.named ? " " + unit : "");
  };
  std::vector<std::pair<const char*, std::string>> rows{{"Mass", with(body.mass, units.mass)},
                                                        {"Speed", with(body.speed, units.speed)}};
  const auto near = [&](const View::Near& near) { return with(near.distance, units.length) + ", " + near.name; };
  if (!body.orbits.empty()) {
    rows.insert(rows.end(), {{"Orbits", body.orbits},
                             {"Semi-major axis", with(body.semi_major, units.length)},
                             {"Eccentricity", number(body.eccentricity)},
                             {"Inclination", number(body.inclination) + "°"},
                             {"Period", with(body.period, units.time)},
                             {"Nearest point", with(body.semi_major * (1 - body.eccentricity), units.length)},
                             {"Farthest point", with(body.semi_major * (1 + body.eccentricity), units.length)}});
  } else {
    rows.emplace_back("Orbits", "no heavier body");
  }
  if (!body.nearest.name.empty()) rows.emplace_back("Nearest body", near(body.nearest));
  if (!body.closest.name.empty() && body.closest.distance < body.nearest.distance)
    rows.emplace_back("Closest seen", near(body.closest) + ", t = " + with(body.closest_time, units.time));
  return rows;
}

}  // namespace

void NbodyPanels::followed_body(const Panel& panel, const Rect& picture) const {
  const View& body = seen_.followed;
  if (body.name.empty()) return;
  orbit_of(panel, body, picture);
  const float margin = panel.px(12), narrowest = panel.px(420);
  if (picture.width < narrowest) return;
  const StillWindow window("##followed", {.at = {picture.x + picture.width - margin, picture.y + margin},
                                          .pivot = {1, 0},
                                          .color = Color{palette::window.rgb, 0.72F},
                                          .padding = ImVec2{panel.px(10), panel.px(6)},
                                          .flags = over_picture | ImGuiWindowFlags_NoInputs});
  if (!window) return;
  {
    const WithFont heading(panel.fonts.heading);
    ImGui::TextUnformatted(capitalised(body.name).c_str());
  }
  list_control(panel, "Followed body");
  const WithFont small(panel.fonts.small);
  for (const auto& [what, value] : rows_of(body, seen_.units)) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(palette::dim));
    ImGui::TextUnformatted(what);
    ImGui::PopStyleColor();
    ImGui::SameLine(panel.px(120));
    ImGui::TextUnformatted(value.c_str());
  }
}

}  // namespace orrery::ui
