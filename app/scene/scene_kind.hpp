/// The program's description of a scene before the scene exists. Plain values and functions; any thread.
///
/// A scene is one folder with a `kind.cpp` in it, and one line in app/scenes.cpp. Nothing else names a scene. This
/// header includes no OpenGL, so that headless commands can iterate over the kinds.
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

/// Computes a state twice, on these devices; runs on a worker thread. Throws Error.
using ComparisonJob =
    std::function<Comparison(const std::array<ProgramLibrary*, 2>& sides, const BetweenSlices& between)>;

/// Writes a file of a simulation as it was at the request, on any thread; empty: nothing to write yet. The file gets
/// its name when it is complete. Throws Error.
using SceneWriter = std::function<void(const std::filesystem::path& path, const FileProgress& progress)>;

/// Compared parameters that differ between the two sides, and their values.
using ChangedParameters = std::vector<std::pair<std::string, std::string>>;

/// Assigns the new values. Throws a usage Error for one that is not compared, and for a value out of its range.
void change(std::span<Parameter> parameters, const ChangedParameters& changed);
/// The compared parameters, "A device · single · work-group 64".
std::string side_text(std::string_view device, std::span<const Parameter> parameters);

/// How surely a file belongs to a scene. Its content counts more than its name.
enum class Claim { none, by_name, by_content };

/// A file that a scene has read.
struct OpenedFile {
  StateSection state;
  std::string contents = {};                ///< "600 bodies"; empty if the file's name suffices
  std::shared_ptr<void> content = {};       ///< for Scene::load(); null: the scene reads the file again
  std::optional<FilePreview> preview = {};  ///< set if values were assumed: a person decides
};

/// The new file that merges several files.
struct MergedFile {
  std::filesystem::path path;
  std::string assumed = {};  ///< "b.csv: mass missing: 1 each"; empty: nothing assumed
};

struct SceneKind {
  std::string_view name;   ///< in --scene, state files and the headless command: "nbody"
  std::string_view title;  ///< title of its tab: "N-body"
  std::string_view about;  ///< help of the headless command: "simulates bodies under gravity"
  KeyBindings keys = {};
  /// Titles of its panels' actions in the search, also found from other scenes: "Save film".
  std::span<const std::string_view> actions = {};

  /// The headless command; takes the arguments after the name, returns the exit code.
  int (*run)(const std::vector<std::string>& arguments) = nullptr;
  /// Options of that command to make a film and to name the film's source file: "--zoom-from".
  std::string_view film_option = {}, film_of = {};
  bool on_many_machines = false;  ///< the command can run as one rank of several (base/work/ranks.hpp)
  /// Appends rows as they are measured. Checks results before it times them; throws when they are wrong.
  void (*bench)(const cli::BenchDevices& devices, const std::vector<std::string>& arguments,
                std::vector<cli::BenchResult>& results) = nullptr;
  const cli::WindowBench* window_bench = nullptr;  ///< comparison of its window with its headless command
  const TuneCatalog* tuning = nullptr;             ///< null: nothing to tune
  std::vector<SelftestItem> (*selftests)(ProgramLibrary& programs) = nullptr;

  /// Files that can be dropped onto the window: their kinds, "bodies (.csv, .npy, …)"; the claim on a file; its
  /// reading. open() reports progress, and throws a usage Error that tells the fault of the file.
  std::string_view files = {};
  Claim (*claim)(const FileOutline& outline) = nullptr;
  OpenedFile (*open)(const std::filesystem::path& path, const FileProgress& progress) = nullptr;
  /// Merges several of its files into a new one in the user's pictures folder; null: not supported.
  MergedFile (*merge)(std::span<const std::filesystem::path> paths, const FileProgress& progress) = nullptr;

  /// File extension of the past of the scene's simulation; empty: it keeps none.
  std::string_view past_extension = {};
  SceneWriter (*past)(const Scene& scene) = nullptr;
  /// Writes the points that the scene shows, for other programs (base/points/point_format.hpp); null: none.
  SceneWriter (*points)(const Scene& scene) = nullptr;

  /// Compares the present state with the same state computed under other parameter values; null: no comparison. Throws
  /// a usage Error for a parameter that is not compared, and for a value out of its range.
  ComparisonJob (*compare)(const Scene& scene, const ChangedParameters& changed) = nullptr;

  /// Options of the window beside the scene's parameters: their reading into `given`, which like the arguments outlives
  /// the parse; the option that implies the scene, "--world"; and the last lines of --help.
  void (*add_options)(CLI::App& app, const std::vector<std::string>& arguments, const std::string& group,
                      StateSection& given) = nullptr;
  /// The options that restore the view; their keys are removed from the section.
  std::vector<std::string> (*view_arguments)(StateSection& keys) = nullptr;
  std::string_view implied_by = {};
  std::string (*footer)() = nullptr;

  std::unique_ptr<Scene> (*make)(const SceneKind& kind) = nullptr;
};
/// The kinds in the order of their tabs; the first one is the default.
using SceneKinds = std::span<const SceneKind* const>;

/// The kind of that name, or nullptr.
inline const SceneKind* find_kind(SceneKinds kinds, std::string_view name) {
  for (const SceneKind* kind : kinds)
    if (kind->name == name) return kind;
  return nullptr;
}

/// "nbody | mandelbrot": the names of kinds with that member.
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
