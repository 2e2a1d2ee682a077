#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/parameter.hpp"
#include "ui/panels/list.hpp"
#include "ui/parameter_widget.hpp"

namespace orrery::ui {
namespace {

/// The number that begins a text: "3200 (auto)".
std::optional<std::int64_t> leading_number(const std::string& text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

/// What "auto" stands for at present, where the snapshot tells.
std::optional<std::int64_t> in_use(const SceneSnapshot& scene, std::string_view parameter) {
  const auto* view = std::get_if<MandelbrotSnapshot>(&scene.view);
  const auto* nbody = std::get_if<NbodySnapshot>(&scene.view);
  if (parameter == "iterations" && view != nullptr) return leading_number(view->iterations);
  if (parameter == "bodies" && nbody != nullptr && nbody->bodies > 0) return nbody->bodies;
  return std::nullopt;
}

/// Each thermostat has a number of its own.
bool is_of_other_thermostat(const SceneSnapshot& scene, std::string_view name) {
  if (name != "friction" && name != "relaxation") return false;
  const std::string_view wanted = name == "friction" ? "langevin" : "berendsen";
  for (const ParameterView& parameter : scene.parameters)
    if (const auto* text = std::get_if<std::string>(&parameter.value);
        text != nullptr && parameter.info.name == "thermostat")
      return *text != wanted;
  return false;
}

bool is_elsewhere(const SceneSnapshot& scene, const ParameterView& parameter) {
  const std::string_view name = parameter.info.name;
  if (name == work_group_parameter || name == variant_parameter || name == burst_parameter) return true;
  if (std::holds_alternative<ParticlesView>(scene.view)) return name == "world" || is_of_other_thermostat(scene, name);
  return std::holds_alternative<MandelbrotSnapshot>(scene.view) && (is_color_parameter(name) || name == "julia");
}

}  // namespace

void parameters_panel(const Panel& panel, const SceneSnapshot& scene, bool open_at_first) {
  const auto elsewhere = [&](const ParameterView& parameter) { return is_elsewhere(scene, parameter); };
  if (std::ranges::all_of(scene.parameters, elsewhere)) return;
  if (!section(panel, "Parameters", {}, open_at_first)) return;
  for (const ParameterView& parameter : scene.parameters)
    if (!elsewhere(parameter)) parameter_row(panel, parameter, in_use(scene, parameter.info.name));
  if (std::holds_alternative<NbodySnapshot>(scene.view)) bodies_file_row(panel);
}

}  // namespace orrery::ui
