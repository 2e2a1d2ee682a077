#include "compute/tuning/tuning_text.hpp"

#include <toml++/toml.h>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/toml_text.hpp"

namespace orrery {
namespace {

Error broken(const std::string& file, const toml::node& node, const std::string& what) {
  return usage_error(what, {}, {}, place_of(file, node.source()));
}

std::string text_of(const std::string& file, const toml::table& table, std::string_view key) {
  const auto text = table[key].value<std::string>();
  if (!text) throw broken(file, table, "the key " + std::string(key) + " is missing, or not a text");
  return *text;
}

ShippedChoice choice_of(const std::string& file, const toml::table& table) {
  ShippedChoice choice{.vendor = text_of(file, table, "vendor"),
                       .device_class = DeviceClass::gpu,
                       .kernel = text_of(file, table, "kernel"),
                       .problem = table["problem"].value_or(std::string()),
                       .values = {}};
  const std::string name = text_of(file, table, "class");
  bool known = false;
  for (const DeviceClass each : {DeviceClass::cpu, DeviceClass::gpu, DeviceClass::accelerator})
    if (name == name_of(each)) choice.device_class = each, known = true;
  if (!known) throw broken(file, table, "unknown class of devices: " + name);
  const toml::table* values = table["values"].as_table();
  if (values == nullptr) throw broken(file, table, "the table values is missing");
  for (const auto& [axis, value] : *values) {
    const auto text = value.value<std::string>();
    if (!text) throw broken(file, value, "expected a text in quotes");
    choice.values[std::string(axis.str())] = *text;
  }
  return choice;
}

}  // namespace

bool ShippedChoice::fits(const DeviceInfo& device, std::string_view of_kernel, std::string_view of_problem) const {
  const bool of_vendor =
      device.vendor.find(vendor) != std::string::npos || device.name.find(vendor) != std::string::npos;
  return of_vendor && device.parts <= 1 && device.device_class == device_class && kernel == of_kernel &&
         (problem.empty() || problem == of_problem);
}

std::vector<ShippedChoice> read_shipped_choices(const std::filesystem::path& path) {
  return parse_shipped_choices(read_file(path, {"shipped choices", 1 << 20}), path.string());
}

std::vector<ShippedChoice> parse_shipped_choices(const std::string& text, const std::string& file) {
  std::vector<ShippedChoice> choices;
  const toml::table document = parse_toml(text, file);
  if (const toml::array* entries = document["default"].as_array())
    for (const toml::node& entry : *entries) {
      if (!entry.is_table()) throw broken(file, entry, "expected a table");
      choices.push_back(choice_of(file, *entry.as_table()));
    }
  return choices;
}

}  // namespace orrery
