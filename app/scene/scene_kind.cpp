#include "scene/scene_kind.hpp"

#include "base/error.hpp"

namespace orrery {

void change(std::span<Parameter> parameters, const ChangedParameters& changed) {
  for (const auto& [name, text] : changed) {
    Parameter* parameter = find(parameters, name);
    if (parameter == nullptr || !parameter->info().compared) {
      std::string known;
      for (const Parameter& each : parameters)
        if (each.info().compared) known += (known.empty() ? "" : " | ") + std::string(each.info().name);
      throw usage_error("the parameter compared between two runs", name, known);
    }
    parameter->assign_text(text);
  }
}

std::string side_text(std::string_view device, std::span<const Parameter> parameters) {
  std::string text(device);
  for (const Parameter& parameter : parameters) {
    if (!parameter.info().compared) continue;
    const std::string value = value_text(parameter.info(), parameter.value());
    const bool named = value == "auto" || parameter.info().name == work_group_parameter;
    text += " · " + (named ? std::string(parameter.info().name) + " " + value : value);
  }
  return text;
}

}  // namespace orrery
