#include "shell/files/scene_state.hpp"

#include <algorithm>
#include <iterator>

#include "scenes/mandelbrot/numbers/view_file.hpp"
#include "scenes/mandelbrot/window/scene.hpp"
#include "scenes/nbody/window/scene.hpp"
#include "scenes/particles/window/scene.hpp"

namespace orrery::shell {

Scenes make_scenes() {
  Scenes scenes;
  scenes.push_back(std::make_unique<NbodyScene>());
  scenes.push_back(std::make_unique<MandelbrotScene>());
  scenes.push_back(std::make_unique<ParticlesScene>());
  return scenes;
}

Scene* find_scene(const Scenes& scenes, std::string_view name) {
  const auto found = std::ranges::find(scenes, name, [](const auto& scene) { return scene->name(); });
  return found == scenes.end() ? nullptr : found->get();
}

std::vector<std::string> load_scenes(const State& state, const Scenes& scenes) {
  std::vector<std::string> unknown;
  for (const auto& [name, section] : state) {
    if (name == "window") continue;
    Scene* scene = find_scene(scenes, name);
    if (scene == nullptr) {
      unknown.push_back("table [" + name + "]");
      continue;
    }
    for (const std::string& key : scene->load(section)) unknown.push_back("key " + name + "." + key);
  }
  return unknown;
}

std::string edited_kernels_of(const State& state) {
  const auto window = state.find("window");
  if (window == state.end()) return {};
  for (const auto& [key, value] : window->second)
    if (const auto* files = std::get_if<std::string>(&value); files != nullptr && key == edited_kernels_key)
      return *files;
  return {};
}

StateSection view_section(const mandelbrot::View& view) {
  return {{"center-re", view.re.text()}, {"center-im", view.im.text()}, {"span", view.span.text()}};
}

StateSection read_view_section(const std::filesystem::path& path) {
  MandelbrotSettings settings;
  mandelbrot::ColorSettings colors;
  std::vector<Parameter> known = parameters(settings);
  std::ranges::move(parameters(colors), std::back_inserter(known));
  StateSection section = view_section(mandelbrot::read_view(path, {}, known).view);
  for (const Parameter& parameter : known) section.emplace_back(std::string(parameter.info().name), parameter.value());
  return section;
}

}  // namespace orrery::shell
