#include "shell/files/document.hpp"

#include <sstream>
#include <utility>

#include "compute/device/device_list.hpp"

namespace orrery::shell {

std::string Document::take_edited_kernels(const StateTables& state) {
  std::string files = edited_kernels_of(state);
  std::istringstream names(files);
  for (std::string name; std::getline(names, name, ',');) edited_kernels_.insert(name);
  return files;
}

StateSection Document::section_of(const WindowState& window) const {
  const std::vector<DeviceInfo>& devices = window.devices;
  const bool parts = !devices.empty() && devices.front().parts > 1;
  StateSection section{{"scene", window.scene},
                       {"device", devices.empty() ? std::string() : devices.front().name},
                       {"devices", devices.size() > 1 && !parts ? list_of(devices) : std::string()},
                       {"split", std::int64_t{parts ? devices.front().parts : 1}},
                       {"width", std::int64_t{window.size.x}},
                       {"height", std::int64_t{window.size.y}},
                       {"vsync", window.vsync}};
  if (const std::string edited = edited_kernels(); !edited.empty()) section.emplace_back(edited_kernels_key, edited);
  return section;
}

std::string Document::edited_kernels() const {
  std::string edited;
  for (const std::string& file : edited_kernels_) edited += (edited.empty() ? "" : ",") + file;
  return edited;
}

StateSource Document::copy_of_shown(const WindowState& window, const Scene& scene) const {
  StateSection section{{std::string(shown_scene_key), window.scene},
                       {"width", std::int64_t{window.size.x}},
                       {"height", std::int64_t{window.size.y}}};
  if (const std::string edited = edited_kernels(); !edited.empty()) section.emplace_back(edited_kernels_key, edited);
  return [name = window.scene, section = std::move(section), copy = scene.copy()] {
    return StateTables{{"window", section}, {name, copy()}};
  };
}

StateTables Document::state(const WindowState& window, const Scenes& scenes) const {
  StateTables present{{"window", section_of(window)}};
  for (const auto& scene : scenes) present[std::string(scene->kind().name)] = scene->save();
  return merged(unknown_, present);
}

std::function<StateTables()> Document::copy(const WindowState& window, const Scenes& scenes) const {
  std::vector<std::pair<std::string, std::function<StateSection()>>> copies;
  for (const auto& scene : scenes) copies.emplace_back(scene->kind().name, scene->copy());
  return [older = unknown_, section = section_of(window), copies = std::move(copies)] {
    StateTables present{{"window", section}};
    for (const auto& [name, copy] : copies) present[name] = copy();
    return merged(older, present);
  };
}

}  // namespace orrery::shell
