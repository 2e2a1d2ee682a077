#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "base/parameter.hpp"
#include "ui/panels/list.hpp"
#include "ui/parameter_widget.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {
namespace {

bool is_elsewhere(const SceneSnapshot& scene, const ParameterInfo& info) {
  const std::string_view name = info.name;
  return info.place != ParameterPlace::choice || info.label.empty() || name == work_group_parameter ||
         name == variant_parameter || panels_of(scene).leaves_out(scene, name);
}

/// In the order in which they come first.
std::vector<std::string_view> groups_of(std::span<const ParameterView* const> rows) {
  std::vector<std::string_view> groups;
  for (const ParameterView* row : rows)
    if (std::ranges::find(groups, row->info.group) == groups.end()) groups.push_back(row->info.group);
  return groups;
}

void group_title(const Panel& panel, std::string_view title) {
  const WithFont small(panel.fonts.small);
  ImGui::Dummy({1, panel.px(2)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = at.x + ImGui::GetContentRegionAvail().x;
  line_of_text(panel, title, palette::dim);
  const float begin = ImGui::GetItemRectMax().x + panel.px(8), middle = std::round(at.y + ImGui::GetFontSize() / 2);
  ImGui::GetWindowDrawList()->AddLine({begin, middle}, {end, middle}, packed(palette::line));
}

}  // namespace

void parameters_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first) {
  const auto elsewhere = [&](const ParameterView& parameter) { return is_elsewhere(scene, parameter.info); };
  if (std::ranges::all_of(scene.parameters, elsewhere)) return;
  if (!section(panel, "Parameters", {}, open_at_first)) return;
  const ScenePanels& own = panels_of(scene);
  std::vector<const ParameterView*> rows;
  for (const ParameterView& parameter : scene.parameters)
    if (!elsewhere(parameter)) rows.push_back(&parameter);
  const std::vector<std::string_view> groups = groups_of(rows);
  for (const std::string_view group : groups) {
    if (groups.size() > 1 && !group.empty()) group_title(panel, group);
    for (const ParameterView* row : rows)
      if (const std::string_view name = row->info.name; row->info.group == group)
        parameter_row(panel, *row, own.in_use(name), own.without_effect(name));
  }
  own.parameter_rows(panel);
}

}  // namespace orrery::ui
