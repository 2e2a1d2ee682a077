#include <algorithm>

#include "base/parameter.hpp"
#include "ui/panels/list.hpp"
#include "ui/parameter_widget.hpp"
#include "ui/scene_panels.hpp"

namespace orrery::ui {
namespace {

bool is_elsewhere(const SceneSnapshot& scene, const ParameterInfo& info) {
  const std::string_view name = info.name;
  return info.place != ParameterPlace::choice || info.label.empty() || name == work_group_parameter ||
         name == variant_parameter || name == burst_parameter || panels_of(scene).leaves_out(scene, name);
}

}  // namespace

void parameters_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first) {
  const auto elsewhere = [&](const ParameterView& parameter) { return is_elsewhere(scene, parameter.info); };
  if (std::ranges::all_of(scene.parameters, elsewhere)) return;
  if (!section(panel, "Parameters", {}, open_at_first)) return;
  const ScenePanels& own = panels_of(scene);
  for (const ParameterView& parameter : scene.parameters)
    if (const std::string_view name = parameter.info.name; !elsewhere(parameter))
      parameter_row(panel, parameter, own.in_use(name), own.without_effect(name));
  own.parameter_rows(panel);
}

}  // namespace orrery::ui
