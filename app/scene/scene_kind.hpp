/// All that the program knows of a scene before the scene exists. Plain values and functions; any thread.
///
/// A scene is one folder with a `kind.cpp` in it, and one line in app/scenes.cpp. Nothing else names a scene. This
/// header includes no OpenGL, so that headless commands iterate over the kinds, too.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/file_outline.hpp"
#include "base/files/state_text.hpp"
#include "base/parameter.hpp"
#include "compute/measure/side_by_side.hpp"
#include "protocol/files_snapshot.hpp"
#include "protocol/key_binding.hpp"

namespace CLI {

class App;

}  // namespace CLI

namespace orrery {

class ProgramLibrary;
class Scene;
class TuneCatalog;
struct SelftestItem;
namespace cli {
struct BenchDevices;
struct BenchResult;
struct WindowBench;
}  // namespace cli

/// Computes a state twice, on these devices; for a worker thread. Throws Error.
using ComparisonJob =
    std::function<Comparison(const std::array<ProgramLibrary*, 2>& sides, const BetweenSlices& between)>;

/// Writes a file of a simulation as it was when that was asked for, on any thread; empty where there is nothing yet.
/// The file has its name only when it is complete. Throws Error.
using SceneWriter = std::function<void(const std::filesystem::path& path, const FileProgress& progress)>;

/// Parameters by which the two sides differ, and their values: those declared as compared.
using ChangedParameters = std::vector<std::pair<std::string, std::string>>;

/// Gives those parameters their new values. Throws a usage Error for one that is not compared, and for a value out of
/// its range.
void change(std::span<Parameter> parameters, const ChangedParameters& changed);
/// "A device · single · work-group 64", of the compared ones.
std::string side_text(std::string_view device, std::span<const Parameter> parameters);

/// How sure a scene is that a file is for it. What a file contains counts more than its name.
enum class Claim { none, by_name, by_content };

/// A file, as a scene starts from it.
struct OpenedFile {
  StateSection state;
  std::string contents = {};                ///< "600 bodies"; empty where the file's name says enough
  std::shared_ptr<void> content = {};       ///< for Scene::load(); null where the scene reads the file again
  std::optional<FilePreview> preview = {};  ///< where something was assumed: a person decides
};

/// The new file that holds what several files have together.
struct MergedFile {
  std::filesystem::path path;
  std::string assumed = {};  ///< "b.csv: mass missing: 1 each"; empty where nothing was
};

struct SceneKind {
  std::string_view name;   ///< of --scene, of the table in state files and of the headless command: "nbody"
  std::string_view title;  ///< of its tab: "N-body"
  std::string_view about;  ///< of the headless command: "simulates bodies under gravity"
  KeyBindings keys = {};
  /// Titles of actions that its panels add to the search, and that other scenes find too: "Save film".
  std::span<const std::string_view> actions = {};

  /// The headless command; takes the arguments after the name, returns the exit code.
  int (*run)(const std::vector<std::string>& arguments) = nullptr;
  /// The option with which that command makes films, and the one that names the file that they are of: "--zoom-from".
  std::string_view film_option = {}, film_of = {};
  bool on_many_machines = false;  ///< the command knows what to do as one rank of several (base/work/ranks.hpp)
  /// Appends rows as they are measured. Checks results before it times them; throws when they are wrong.
  void (*bench)(const cli::BenchDevices& devices, const std::vector<std::string>& arguments,
                std::vector<cli::BenchResult>& results) = nullptr;
  const cli::WindowBench* window_bench = nullptr;  ///< what its window is compared in with its headless command
  const TuneCatalog* tuning = nullptr;             ///< null where there is nothing to tune
  std::vector<SelftestItem> (*selftests)(ProgramLibrary& programs) = nullptr;

  /// Files that can be dropped onto the window: which there are, "bodies (.csv, .npy, …)"; whether a file is one
  /// of them; what it means. open() tells a slow reading's progress, and throws a usage Error that says what is wrong
  /// with the file.
  std::string_view files = {};
  Claim (*claim)(const FileOutline& outline) = nullptr;
  OpenedFile (*open)(const std::filesystem::path& path, const FileProgress& progress) = nullptr;
  /// Writes what several of its files have together, among the user's pictures; null where that has no meaning.
  MergedFile (*merge)(std::span<const std::filesystem::path> paths, const FileProgress& progress) = nullptr;

  /// The past of the scene's simulation goes into a file whose name ends so; null where it keeps none.
  std::string_view past_extension = {};
  SceneWriter (*past)(const Scene& scene) = nullptr;
  /// Writes the points that the scene shows, for other programs (base/points/point_format.hpp); null where it has none.
  SceneWriter (*points)(const Scene& scene) = nullptr;

  /// Compares the present state, computed as here, with the same where parameters have other values; null where the
  /// scene has no comparison. Throws a usage Error for a parameter that is not compared, and for a value out of its
  /// range.
  ComparisonJob (*compare)(const Scene& scene, const ChangedParameters& changed) = nullptr;

  /// Options of the window beside the scene's parameters: how they are read into `given`, which like the arguments
  /// outlives the parse; the one that implies the scene, "--world"; and what --help says at the end.
  void (*add_options)(CLI::App& app, const std::vector<std::string>& arguments, const std::string& group,
                      StateSection& given) = nullptr;
  /// The arguments of those options that tell the view; takes the keys that they tell out of the section.
  std::vector<std::string> (*view_arguments)(StateSection& keys) = nullptr;
  std::string_view implied_by = {};
  std::string (*footer)() = nullptr;

  std::unique_ptr<Scene> (*make)(const SceneKind& kind) = nullptr;
};
/// In the order of their tabs; the first one is shown unless another is asked for.
using SceneKinds = std::span<const SceneKind* const>;

/// The kind of that name, or nullptr.
inline const SceneKind* find_kind(SceneKinds kinds, std::string_view name) {
  for (const SceneKind* kind : kinds)
    if (kind->name == name) return kind;
  return nullptr;
}

/// "nbody | mandelbrot", of the kinds that have that member.
template <class Member>
std::string names_of(SceneKinds kinds, Member SceneKind::*member, std::string_view between = " | ") {
  std::string names;
  for (const SceneKind* kind : kinds)
    if (kind->*member != Member{}) names += (names.empty() ? "" : std::string(between)) + std::string(kind->name);
  return names;
}

/// The list of app/scenes.cpp.
SceneKinds scene_kinds();

}  // namespace orrery
