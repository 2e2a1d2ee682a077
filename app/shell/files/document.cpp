#include "shell/files/document.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "compute/device/device_list.hpp"

namespace orrery::shell {
namespace {

// The value of a key as an option's text; parameters have their own spelling: "auto".
std::string option_value(const std::vector<ParameterView>& parameters, const std::string& key, const Value& value) {
  const auto known = std::ranges::find(parameters, key, [](const ParameterView& each) { return each.info.name; });
  return value_text(known != parameters.end() ? known->info : ParameterInfo{}, value);
}

}  // namespace

Scenes make_scenes(SceneKinds kinds) {
  Scenes scenes;
  for (const SceneKind* kind : kinds) scenes.push_back(kind->make(*kind));
  return scenes;
}

Scene* find_scene(const Scenes& scenes, std::string_view name) {
  const auto found = std::ranges::find(scenes, name, [](const auto& scene) { return scene->kind().name; });
  return found == scenes.end() ? nullptr : found->get();
}

Unknown load_scenes(const StateTables& state, const Scenes& scenes, const SceneContent& content) {
  Unknown unknown;
  for (const auto& [name, section] : state) {
    if (name == preset_table) continue;
    if (name == "window") {
      std::ranges::copy_if(section, std::back_inserter(unknown.tables[name]),
                           [](const auto& entry) { return entry.first != apart_key; });
      continue;
    }
    Scene* scene = find_scene(scenes, name);
    if (scene == nullptr) {
      unknown.names.push_back("table [" + name + "]");
      unknown.tables[name] = section;
      continue;
    }
    for (const std::string& key : scene->load(section, name == content.scene ? content.content : nullptr)) {
      unknown.names.push_back("key " + name + "." + key);
      if (const Value* const value = value_of(section, key)) unknown.tables[name].emplace_back(key, *value);
    }
  }
  return unknown;
}

std::string edited_kernels_of(const StateTables& state) { return window_text(state, edited_kernels_key); }

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

std::string Document::edited_kernels() const { return joined(edited_kernels_, ","); }

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

std::string command_line(const Scene& scene) {
  std::string line = "orrery --scene " + shell_word(scene.kind().name);
  const auto add = [&](const std::string& word) { line += " " + shell_word(word); };
  StateSection view = scene.view_keys();
  if (scene.kind().view_arguments != nullptr)
    for (const std::string& word : scene.kind().view_arguments(view)) add(word);
  const StateSection defaults = scene.defaults();
  const std::vector<ParameterView> parameters = scene.table();
  StateSection told = scene.choices();
  std::erase_if(told, [&](const auto& entry) {
    const Value* const usual = value_of(defaults, entry.first);
    return usual != nullptr && *usual == entry.second;
  });
  std::ranges::move(view, std::back_inserter(told));
  for (const auto& [key, value] : told) {
    const std::string text = option_value(parameters, key, value);
    // A value that begins with "-" would be read as an option.
    if (text.starts_with('-')) {
      add("--" + key + "=" + text);
    } else {
      add("--" + key);
      add(text);
    }
  }
  return line;
}

}  // namespace orrery::shell
