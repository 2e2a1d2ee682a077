#include "compute/measure/ceilings_store.hpp"

#include <toml++/toml.h>
#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "base/files/kept_file.hpp"
#include "base/files/path.hpp"
#include "base/files/toml_text.hpp"
#include "base/log.hpp"

namespace orrery {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::pair<const char*, double Ceilings::*>, 8> rates{{
    {"multiply-adds", &Ceilings::multiply_adds},
    {"multiply-adds-double", &Ceilings::multiply_adds_double},
    {"roots", &Ceilings::roots},
    {"read-bytes", &Ceilings::read_bytes},
    {"copy-bytes", &Ceilings::copy_bytes},
    {"local-bytes", &Ceilings::local_bytes},
    {"launch-seconds", &Ceilings::launch_seconds},
    {"launch-interval", &Ceilings::launch_interval},
}};

std::string name_of_part(const DeviceInfo& device) {
  return device.parts > 1 ? device.name + ", part of " + std::to_string(device.parts) : device.name;
}

toml::array entries_of(const std::string& text) {
  const toml::table file = parse_toml(text, {});
  const toml::array* entries = file["device"].as_array();
  return entries != nullptr ? *entries : toml::array();
}

// Empty if the file cannot be used; the ceilings are then measured again.
std::string text_of(const fs::path& path) {
  std::error_code ignored;
  if (path.empty() || !fs::exists(path, ignored)) return {};
  try {
    std::string text = read_file(path, {"measured ceilings", 1 << 20});
    entries_of(text);
    return text;
  } catch (const Error& error) {
    const bool was_read = error.fault() == Fault::usage;
    log(Level::warning, path.string() + " cannot be used: " + error.what() + (was_read ? "; " + set_aside(path) : ""));
    return {};
  }
}

bool is_of(const toml::node& node, const DeviceInfo& device, bool any_driver) {
  const toml::table* entry = node.as_table();
  return entry != nullptr && (*entry)["platform"].value_or(std::string()) == device.platform &&
         (*entry)["name"].value_or(std::string()) == name_of_part(device) &&
         (any_driver || (*entry)["driver"].value_or(std::string()) == device.driver);
}

}  // namespace

fs::path ceilings_path() {
  const fs::path folder = state_folder();
  return folder.empty() ? folder : folder / "ceilings.toml";
}

std::optional<Ceilings> kept_ceilings(const fs::path& path, const DeviceInfo& device) {
  return parse_ceilings(text_of(path), device);
}

std::optional<Ceilings> parse_ceilings(const std::string& text, const DeviceInfo& device) {
  const toml::array entries = entries_of(text);
  for (const toml::node& node : entries) {
    if (!is_of(node, device, false)) continue;
    Ceilings ceilings;
    for (const auto& [key, rate] : rates) {
      ceilings.*rate = (*node.as_table())[key].value_or(-1.0);
      if (!(ceilings.*rate >= 0)) return std::nullopt;
    }
    return ceilings;
  }
  return std::nullopt;
}

void keep_ceilings(const fs::path& path, const DeviceInfo& device, const Ceilings& ceilings) {
  if (path.empty()) return;
  const FileLock lock(path);
  toml::array entries;
  const toml::array before = entries_of(text_of(path));
  for (const toml::node& node : before)
    if (node.is_table() && !is_of(node, device, true) &&
        std::ranges::all_of(*node.as_table(), [](const auto& entry) { return is_bare_key(entry.first.str()); }))
      entries.push_back(*node.as_table());
  toml::table entry{{"platform", device.platform}, {"name", name_of_part(device)}, {"driver", device.driver}};
  for (const auto& [key, rate] : rates) entry.insert(key, ceilings.*rate);
  entries.push_back(std::move(entry));
  write_file(path, "# Peak rates of each device, per second, as measured by orrery.\n" +
                       toml_text(toml::table{{"device", std::move(entries)}}) + "\n");
}

}  // namespace orrery
