// The n-body scene's entry in the table of scenes.
#include <algorithm>
#include <span>
#include <vector>

#include "base/files/path.hpp"
#include "base/text.hpp"
#include "protocol/path_command.hpp"
#include "scene/scene_kind.hpp"
#include "scenes/nbody/bodies/body_columns.hpp"
#include "scenes/nbody/bodies/body_reading.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/catalog.hpp"
#include "scenes/nbody/files/run_archive.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/window/archived_run.hpp"
#include "scenes/nbody/window/scene.hpp"

namespace orrery {
namespace {

using command::of_scene;

Claim claim_bodies(const FileOutline& outline) {
  if (is_run_archive(outline.path)) return Claim::by_content;
  return may_be_bodies(outline.path) ? Claim::by_name : Claim::none;
}

std::string contents_of(const Bodies& bodies) {
  return grouped(static_cast<std::int64_t>(bodies.size())) + (bodies.size() == 1 ? " body" : " bodies");
}

FilePreview preview_of(const Bodies& bodies, const std::string& name, const std::string& assumed) {
  constexpr std::size_t rows = 5;
  FilePreview preview{.name = name, .contents = contents_of(bodies), .assumed = assumed, .columns = {}, .rows = {}};
  preview.columns.assign(body_names().begin(), body_names().end());
  for (const Body& b : std::span(bodies).first(std::min(rows, bodies.size()))) {
    std::vector<std::string>& row = preview.rows.emplace_back();
    for (const double value : {b.mass, b.x, b.y, b.z, b.vx, b.vy, b.vz}) row.push_back(brief(value, 5));
  }
  return preview;
}

OpenedFile open_archive(const std::filesystem::path& path, const FileProgress& progress) {
  ArchivedRun run = read_archived_run(path, progress);
  const auto& moments = run.content->past.moments();
  std::string contents = grouped(static_cast<std::int64_t>(run.bodies)) +
                         " bodies, t = " + brief(moments.front().time) + " … " + brief(moments.back().time);
  return {.state = std::move(run.state), .contents = std::move(contents), .content = std::move(run.content)};
}

OpenedFile open_bodies(const std::filesystem::path& path, const FileProgress& progress) {
  if (is_run_archive(path)) return open_archive(path, progress);
  auto reading = std::make_shared<BodyReading>(path.string());
  const Bodies& bodies = reading->bodies(progress);
  OpenedFile file{{{"initial", path.string()}, {"bodies", std::int64_t{0}}}, contents_of(bodies)};
  if (const std::string& assumed = reading->understood(); !assumed.empty()) {
    file.preview = preview_of(bodies, path.filename().string(), assumed);
    file.contents += " (" + assumed + ")";
  }
  file.content = std::move(reading);
  return file;
}

MergedFile merge_files(std::span<const std::filesystem::path> paths, const FileProgress& progress) {
  MergedFile merged;
  merged.path = merge_bodies(paths, pictures_folder(), merged.assumed, progress);
  return merged;
}

std::string initial_footer() {
  return "Initial conditions (their numbers in units that make G = 1; --units converts them):\n" + initial_table();
}

ComparisonJob compare_bodies(const Scene& scene, const ChangedParameters& changed) {
  return static_cast<const NbodyScene&>(scene).comparison(changed);
}

SceneWriter past_of_bodies(const Scene& scene) { return static_cast<const NbodyScene&>(scene).past_writer(); }
SceneWriter points_of_bodies(const Scene& scene) { return static_cast<const NbodyScene&>(scene).points_writer(); }

std::unique_ptr<Scene> make_nbody(const SceneKind& kind) { return std::make_unique<NbodyScene>(kind); }

std::vector<KeyBinding> keys_of_bodies() {
  return with_preset_keys({
      KeyBinding{.shown = "Left drag", .help = "Orbit"},
      KeyBinding{.shown = "Right, middle or Shift drag", .help = "Pan"},
      KeyBinding{.shown = "Wheel", .help = "Zoom"},
      KeyBinding{.shown = "Click", .help = "Follow a body, or none"},
      KeyBinding{Key::space, {}, "Space", "Pause or continue", command::TogglePaused{}},
      KeyBinding{key('N'), {}, "N or .", "Compute one burst, then pause", command::StepOnce{}},
      KeyBinding{key('.'), {}, "", "", command::StepOnce{}},
      KeyBinding{key(','), {}, ",", "Go back by one burst, and pause", of_scene(command::StepBack{})},
      KeyBinding{key('P'), {}, "P", "Show or hide the past below the picture", of_scene(command::TogglePast{})},
      KeyBinding{key('B'), {}, "B", "Reverse time", of_scene(command::ReverseTime{})},
      KeyBinding{key('F'), {}, "F", "Sum forces over all pairs, or by a tree", of_scene(command::SwitchForces{})},
      KeyBinding{key('X'),
                 {},
                 "X",
                 "Draw the cells of the tree: all levels, one level, or none",
                 of_scene(command::SwitchCells{})},
      KeyBinding{key('H'),
                 {},
                 "H",
                 "Hands: the left button adds, throws and grabs bodies, or moves the camera again",
                 of_scene(command::ToggleHands{})},
      KeyBinding{
          Key::remove, {}, "Delete", "Hands: remove the body that is held or clicked", of_scene(command::RemoveBody{})},
      KeyBinding{key('D'), with_control, "Ctrl+D", "Hands: duplicate the body that is held or clicked",
                 of_scene(command::DuplicateBody{})},
      KeyBinding{key('<'),
                 {},
                 "< and >",
                 "Half as fast, or twice; the time step stays",
                 command::ChangePace{false},
                 false,
                 "Slower"},
      KeyBinding{key('>'), {}, "", "", command::ChangePace{true}, false, "Faster"},
      KeyBinding{key('R'), {}, "R", "Restart from the initial condition", command::Reset{}},
      KeyBinding{key('C'), {}, "C", "Reset the camera", command::ResetCamera{}},
      KeyBinding{key('V'), {}, "V", "Move the camera so that all bodies are seen", command::FitView{}},
      KeyBinding{key('M'), {}, "M", "Orbit the camera slowly, or stop it", command::MoveView{}},
      KeyBinding{
          key('K'), {}, "K", "Add the present view to the camera path as a keyframe", of_scene(command::AddKeyframe{})},
      KeyBinding{key('K'), with_shift, "Shift+K", "Play the camera path, or stop it", of_scene(command::TogglePath{})},
      KeyBinding{Key::backspace, {}, "Backspace", "Rewind after NaN or infinity", command::Rewind{}},
  });
}

}  // namespace

const SceneKind& nbody_kind() {
  static const std::vector<KeyBinding> keys = keys_of_bodies();
  static const std::string files = "runs (.orrery), bodies (" + readable_bodies() + ")";
  static const SceneKind kind{
      .name = "nbody",
      .title = "N-body",
      .about = "simulates bodies under gravity",
      .keys = keys,
      .run = cli::run_nbody,
      .on_many_machines = true,
      .bench = cli::bench_nbody,
      .window_bench = &cli::nbody_window_bench(),
      .tuning = &nbody_tune_catalog(),
      .selftests = nbody_selftests,
      .files = files,
      .claim = claim_bodies,
      .open = open_bodies,
      .merge = merge_files,
      .past_extension = ".orrery",
      .past = past_of_bodies,
      .points = points_of_bodies,
      .compare = compare_bodies,
      .footer = initial_footer,
      .make = make_nbody,
  };
  return kind;
}

}  // namespace orrery
