#include "shell/files/dropped_file.hpp"

#include <cstdint>
#include <filesystem>

#include "base/error.hpp"
#include "base/files/file.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "shell/files/scene_state.hpp"
#include "shell/files/state_text.hpp"

namespace orrery::shell {
namespace {

constexpr std::string_view kinds =
    "bodies (.csv, .npy, .tipsy), a session, view or world (.toml), a place (.kfr, .txt) or a picture of ours (.png)";

std::string scene_of(const State& state) {
  if (const auto window = state.find("window"); window != state.end())
    for (const auto& [key, value] : window->second)
      if (const auto* name = std::get_if<std::string>(&value); name != nullptr && key == "scene") return *name;
  return {};
}

// A scene of its own takes it first: what the present one would refuse half-way is refused before.
DroppedState tried(DroppedState dropped) {
  const Scenes scenes = make_scenes();
  dropped.unknown = load_scenes(dropped.state, scenes);
  if (find_scene(scenes, dropped.scene) == nullptr) dropped.scene.clear();
  return dropped;
}

DroppedState view_of(const std::string& path) {
  return tried({path, {{"mandelbrot", read_view_section(path)}}, "mandelbrot", {}});
}

// Of particles: what there is and which laws act stands in arrays of tables, which no other file has.
bool is_world(const std::string& path) {
  const std::string text = read_file(path, session_kind);
  return text.find("[[fill]]") != std::string::npos && text.find("[[kind]]") != std::string::npos;
}

Dropped examine_toml(const std::string& path) {
  if (is_world(path)) return tried({path, {{"particles", {{"world", path}}}}, "particles", {}});
  if (!is_state(path)) return view_of(path);
  State state = read_state(path);
  std::string scene = scene_of(state);
  return tried({path, std::move(state), std::move(scene), {}});
}

}  // namespace

std::string short_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

Dropped examine_dropped(const std::vector<std::string>& paths) {
  if (paths.size() != 1)
    throw usage_error("cannot take", std::to_string(paths.size()) + " files", "drop one at a time");
  const std::string& path = paths.front();
  const std::string extension = std::filesystem::path(path).extension().string();
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw usage_error("cannot take", short_name(path), "it is no file; known: " + std::string(kinds));
  if (extension == ".toml") return examine_toml(path);
  if (extension == ".png" || extension == ".kfr" || extension == ".txt") return view_of(path);
  if (extension != ".csv" && extension != ".npy" && extension != ".tipsy")
    throw usage_error("cannot take", short_name(path), std::string(kinds));
  return DroppedBodies{path, read_bodies(path).size()};
}

}  // namespace orrery::shell
