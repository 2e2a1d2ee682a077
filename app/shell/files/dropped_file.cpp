#include "shell/files/dropped_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "shell/files/document.hpp"

namespace orrery::shell {
namespace {

// Scenes of its own take it first: what the present ones would refuse half-way is refused before.
DroppedFile tried(SceneKinds kinds, DroppedFile dropped) {
  const Scenes scenes = make_scenes(kinds);
  dropped.unknown = load_scenes(dropped.state, scenes, {dropped.scene, dropped.content}).names;
  if (find_scene(scenes, dropped.scene) == nullptr) dropped.scene.clear();
  return dropped;
}

const SceneKind* claimant(SceneKinds kinds, const FileOutline& outline, Claim claim) {
  for (const SceneKind* kind : kinds)
    if (kind->claim != nullptr && kind->claim(outline) == claim) return kind;
  return nullptr;
}

DroppedFile opened(SceneKinds kinds, const SceneKind& kind, const std::string& path, const FileProgress& progress) {
  OpenedFile file = kind.open(path, progress);
  const std::string name(kind.name);
  return tried(kinds, {.path = path,
                       .state = {{name, std::move(file.state)}},
                       .scene = name,
                       .contents = std::move(file.contents),
                       .content = std::move(file.content),
                       .unknown = {}});
}

}  // namespace

std::string known_files(SceneKinds kinds) {
  std::string text = "a session (.toml, .npz, or a .png that Orrery saved), a guided tour (.toml)";
  for (const SceneKind* kind : kinds)
    if (!kind->files.empty()) text += ", " + std::string(kind->files);
  return text;
}

std::vector<std::string> extensions_in(const std::string& text) {
  std::vector<std::string> extensions;
  for (std::size_t dot = text.find('.'); dot < text.size(); dot = text.find('.', dot + 1)) {
    std::size_t end = dot + 1;
    while (end < text.size() && text[end] >= 'a' && text[end] <= 'z') ++end;
    std::string extension = text.substr(dot, end - dot);
    if (end > dot + 1 && std::ranges::find(extensions, extension) == extensions.end())
      extensions.push_back(std::move(extension));
  }
  return extensions;
}

std::set<std::string, std::less<>> named_files(SceneKinds kinds) {
  std::set<std::string, std::less<>> named;
  for (const SceneKind* kind : kinds)
    for (std::string& extension : extensions_in(std::string(kind->files)))
      if (extension != ".toml") named.insert(std::move(extension));
  return named;
}

std::string short_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

DroppedFile fresh_start(SceneKinds kinds) {
  DroppedFile fresh{.path = "a fresh start", .state = {}, .scene = {}, .unknown = {}, .is_fresh = true};
  for (const auto& scene : make_scenes(kinds)) fresh.state[std::string(scene->kind().name)] = scene->choices();
  return fresh;
}

DroppedFile examine_dropped(SceneKinds kinds, const std::vector<std::string>& paths, const FileProgress& progress) {
  if (paths.size() != 1)
    throw usage_error("cannot open " + std::to_string(paths.size()) + " files at once", {}, "drop one file at a time");
  const std::string& path = paths.front();
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path))
    throw usage_error(in_quotes(short_name(path)) + " is not a file", {}, "expected " + known_files(kinds));
  const FileOutline outline = outline_of(path, named_files(kinds));
  if (outline.lists.contains("step")) {
    Tour tour = read_tour(kinds, path);
    return {.path = path,
            .state = {},
            .scene = tour.steps.front().scene,
            .contents = tour.title,
            .unknown = {},
            .tour = std::move(tour)};
  }
  if (outline.holds_state) {
    StateTables state = read_state(path, progress);
    std::string scene = shown_scene(state);
    return tried(
        kinds, {.path = path, .state = std::move(state), .scene = std::move(scene), .unknown = {}, .is_session = true});
  }
  for (const Claim claim : {Claim::by_content, Claim::by_name})
    if (const SceneKind* kind = claimant(kinds, outline, claim)) return opened(kinds, *kind, path, progress);
  throw usage_error("cannot open the file", short_name(path), known_files(kinds));
}

void FileOpener::open(SceneKinds kinds, std::vector<std::string> paths) {
  cancel();
  name_ = paths.size() == 1 ? printable(short_name(paths.front())) : std::to_string(paths.size()) + " files";
  progress_ = std::make_shared<ReadingProgress>(paths.front());
  opening_.start([kinds, paths = std::move(paths), progress = progress_] {
    return examine_dropped(kinds, paths, [&](double part) { progress->tell(part); });
  });
}

void FileOpener::bring_back(std::function<DroppedFile()> work) {
  cancel();
  opening_.start(std::move(work));
}

void FileOpener::cancel() {
  if (progress_) progress_->cancel();
  progress_.reset();
  opening_.forget();
}

}  // namespace orrery::shell
