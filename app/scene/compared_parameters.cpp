#include "scene/compared_parameters.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace orrery {

void change(std::span<Parameter> parameters, std::span<const std::string_view> allowed,
            const ChangedParameters& changed) {
  for (const auto& [name, text] : changed) {
    Parameter* parameter = std::ranges::find(allowed, name) == allowed.end() ? nullptr : find(parameters, name);
    if (parameter == nullptr) {
      std::string known;
      for (std::string_view each : allowed) known += (known.empty() ? "" : " | ") + std::string(each);
      throw usage_error("the parameter compared between two runs", name, known);
    }
    parameter->assign_text(text);
  }
}

std::string side_text(std::string_view device, std::span<Parameter> parameters,
                      std::span<const std::string_view> allowed) {
  std::string text(device);
  for (std::string_view name : allowed) {
    const Parameter* parameter = find(parameters, name);
    if (parameter == nullptr) continue;
    const std::string value = value_text(parameter->info(), parameter->value());
    text += " · " + (value == "auto" || name == "work-group" ? std::string(name) + " " + value : value);
  }
  return text;
}

}  // namespace orrery
