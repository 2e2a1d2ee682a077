#include "shell/files/dropped_file.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "shell/files/document.hpp"

namespace orrery::shell {
namespace {

// Loads the file into temporary scenes first, so that a bad file changes no present scene.
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
                       .unknown = {},
                       .preview = std::move(file.preview)});
}

int digit_of(char c) {
  const std::size_t digit = std::string_view("0123456789abcdef").find(lower_case({&c, 1}));
  return digit == std::string_view::npos ? -1 : static_cast<int>(digit);
}

/// Decodes "%20" to a blank (RFC 3986).
std::string without_percents(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool coded =
        text[at] == '%' && at + 2 < text.size() && digit_of(text[at + 1]) >= 0 && digit_of(text[at + 2]) >= 0;
    plain.push_back(coded ? static_cast<char>(16 * digit_of(text[at + 1]) + digit_of(text[at + 2])) : text[at]);
    if (coded) at += 2;
  }
  return plain;
}

/// The path of a drop: "/a b", also from "file:/a%20b" and "file://host/a%20b" (RFC 8089).
std::string local_path(const std::string& dropped) {
  const std::size_t colon = dropped.find(':');
  const bool has_scheme = colon != std::string::npos && colon > 1 && dropped.compare(colon, 2, ":/") == 0 &&
                          dropped.find_first_not_of("abcdefghijklmnopqrstuvwxyz+") == colon;
  if (!has_scheme || std::filesystem::exists(dropped)) return dropped;
  if (!dropped.starts_with("file:"))
    throw usage_error(in_quotes(dropped) + " is an address of the network", {},
                      "save it on this machine first, and open that file");
  std::string_view rest = std::string_view(dropped).substr(colon + 1);
  if (rest.starts_with("//")) rest.remove_prefix(std::min(rest.find('/', 2), rest.size()));
  return without_percents(rest);
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

namespace {

/// The kind of scene that opens a file which is neither a state nor a tour; null: none.
const SceneKind* opener_of(SceneKinds kinds, const FileOutline& outline) {
  for (const Claim claim : {Claim::by_content, Claim::by_name})
    if (const SceneKind* kind = claimant(kinds, outline, claim)) return kind;
  return nullptr;
}

DroppedFile examine_file(SceneKinds kinds, const std::string& path, const FileProgress& progress) {
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
  if (const SceneKind* kind = opener_of(kinds, outline)) return opened(kinds, *kind, path, progress);
  throw usage_error("cannot open the file", short_name(path), known_files(kinds));
}

/// The kind of scene that merges such files; null: none.
const SceneKind* merger_of(SceneKinds kinds, const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return nullptr;
  const FileOutline outline = outline_of(path, named_files(kinds));
  if (outline.holds_state || outline.lists.contains("step")) return nullptr;
  const SceneKind* const kind = opener_of(kinds, outline);
  return kind != nullptr && kind->merge != nullptr ? kind : nullptr;
}

}  // namespace

DroppedFile examine_dropped(SceneKinds kinds, const std::vector<std::string>& paths, const FileProgress& progress) {
  DroppedFile first = examine_file(kinds, local_path(paths.front()), progress);
  first.left_out =
      joined(std::span(paths).subspan(1), ", ", [](const std::string& path) { return printable(short_name(path)); });
  if (paths.size() == 1) return first;
  const SceneKind* const merger = merger_of(kinds, first.path);
  if (merger == nullptr) return first;
  first.mergeable = {first.path};
  for (const std::string& dropped : std::span(paths).subspan(1))
    if (std::string path = local_path(dropped); merger_of(kinds, path) == merger)
      first.mergeable.push_back(std::move(path));
  if (first.preview) first.preview->files = first.mergeable.size();
  if (first.mergeable.size() < 2) first.mergeable.clear();
  return first;
}

DroppedFile examine_merged(SceneKinds kinds, const std::vector<std::string>& paths, const FileProgress& progress) {
  const SceneKind* const kind = merger_of(kinds, paths.front());
  if (kind == nullptr) throw usage_error("files to be merged", short_name(paths.front()), "files of bodies");
  const MergedFile merged = kind->merge(std::vector<std::filesystem::path>(paths.begin(), paths.end()), progress);
  DroppedFile opened = examine_file(kinds, merged.path.string(), progress);
  opened.contents += " of " + std::to_string(paths.size()) + " files";
  if (!merged.assumed.empty()) opened.contents += " (" + merged.assumed + ")";
  return opened;
}

void FileOpener::open(SceneKinds kinds, std::vector<std::string> paths) {
  start(kinds, std::move(paths), examine_dropped);
}

void FileOpener::merge(SceneKinds kinds, std::vector<std::string> paths) {
  start(kinds, std::move(paths), examine_merged);
}

void FileOpener::start(SceneKinds kinds, std::vector<std::string> paths, Examine examine) {
  cancel();
  name_ = paths.size() == 1 ? printable(short_name(paths.front())) : std::to_string(paths.size()) + " files";
  progress_ = std::make_shared<ReadingProgress>(paths.front());
  opening_.start([kinds, paths = std::move(paths), progress = progress_, examine] {
    return examine(kinds, paths, [&](double part) { progress->tell(part); });
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
