// The n-body scene, as the rest of the program knows it.
#include <vector>

#include "scene/scene_kind.hpp"
#include "scenes/nbody/bodies/body_reading.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/checks/catalog.hpp"
#include "scenes/nbody/headless/commands.hpp"
#include "scenes/nbody/panels/command.hpp"
#include "scenes/nbody/window/scene.hpp"

namespace orrery {
namespace {

using command::of_scene;

Claim claim_bodies(const FileOutline& outline) {
  const std::string extension = outline.path.extension().string();
  return extension == ".csv" || extension == ".npy" || extension == ".tipsy" ? Claim::by_name : Claim::none;
}

OpenedFile open_bodies(const std::filesystem::path& path, const FileProgress& progress) {
  auto reading = std::make_shared<BodyReading>(path.string());
  const std::size_t count = reading->bodies(progress).size();
  return {{{"initial", path.string()}, {"bodies", std::int64_t{0}}},
          std::to_string(count) + (count == 1 ? " body" : " bodies"),
          std::move(reading)};
}

std::string initial_footer() { return "Initial conditions (units that make G = 1):\n" + initial_table(); }

ComparisonJob compare_bodies(const Scene& scene, const ChangedParameters& changed) {
  return static_cast<const NbodyScene&>(scene).comparison(changed);
}

std::unique_ptr<Scene> make_nbody(const SceneKind& kind) { return std::make_unique<NbodyScene>(kind); }

}  // namespace

const SceneKind& nbody_kind() {
  static const std::vector<KeyBinding> keys = with_preset_keys({
      KeyBinding{.shown = "Left drag", .help = "Orbit"},
      KeyBinding{.shown = "Right, middle or Shift drag", .help = "Pan"},
      KeyBinding{.shown = "Wheel", .help = "Zoom"},
      KeyBinding{.shown = "Click", .help = "Follow a body, or none"},
      KeyBinding{Key::space, {}, "Space", "Pause or continue", command::TogglePaused{}},
      KeyBinding{key('N'), {}, "N or .", "Compute one burst, then pause", command::StepOnce{}},
      KeyBinding{key('.'), {}, "", "", command::StepOnce{}},
      KeyBinding{key('B'), {}, "B", "Reverse time", of_scene(command::ReverseTime{})},
      KeyBinding{key('F'), {}, "F", "Sum forces over all pairs, or by a tree", of_scene(command::SwitchForces{})},
      KeyBinding{key('X'),
                 {},
                 "X",
                 "Draw the cells of the tree: all levels, one level, or none",
                 of_scene(command::SwitchCells{})},
      KeyBinding{key('R'), {}, "R", "Restart from the initial condition", command::Reset{}},
      KeyBinding{key('C'), {}, "C", "Reset the camera", command::ResetCamera{}},
      KeyBinding{Key::backspace, {}, "Backspace", "Rewind after NaN or infinity", command::Rewind{}},
  });
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
      .files = "bodies (.csv, .npy, .tipsy)",
      .claim = claim_bodies,
      .open = open_bodies,
      .compare = compare_bodies,
      .footer = initial_footer,
      .make = make_nbody,
  };
  return kind;
}

}  // namespace orrery
