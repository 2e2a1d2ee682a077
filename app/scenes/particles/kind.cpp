// The particles scene's entry in the table of scenes.
#include <algorithm>
#include <array>
#include <vector>

#include "protocol/path_command.hpp"
#include "scene/scene_kind.hpp"
#include "scenes/particles/headless/commands.hpp"
#include "scenes/particles/panels/command.hpp"
#include "scenes/particles/window/scene.hpp"

namespace orrery {
namespace {

using command::of_scene;

// A world has its contents and laws in lists of tables, which no other file has.
Claim claim_world(const FileOutline& outline) {
  constexpr std::array lists{"fill", "kind", "pair", "group", "shape"};
  const bool is_world = std::ranges::any_of(lists, [&](const char* list) { return outline.lists.contains(list); });
  return is_world ? Claim::by_content : Claim::none;
}

OpenedFile open_world(const std::filesystem::path& path, const FileProgress&) { return {{{"world", path.string()}}}; }

SceneWriter points_of_world(const Scene& scene) { return static_cast<const ParticlesScene&>(scene).points_writer(); }

std::unique_ptr<Scene> make_particles(const SceneKind& kind) { return std::make_unique<ParticlesScene>(kind); }

}  // namespace

const SceneKind& particles_kind() {
  static const std::vector<KeyBinding> keys = with_preset_keys({
      KeyBinding{.shown = "Left drag", .help = "Orbit"},
      KeyBinding{.shown = "Right, middle or Shift drag", .help = "Pan"},
      KeyBinding{.shown = "Wheel", .help = "Zoom"},
      KeyBinding{.shown = "Click", .help = "Follow a particle, or none"},
      KeyBinding{Key::space, {}, "Space", "Pause or continue", command::TogglePaused{}},
      KeyBinding{key('N'), {}, "N or .", "Compute one burst, then pause", command::StepOnce{}},
      KeyBinding{key('.'), {}, "", "", command::StepOnce{}},
      KeyBinding{key('L'), {}, "L", "Show or hide the text of a law", of_scene(command::ToggleLawText{})},
      KeyBinding{key('<'),
                 {},
                 "< and >",
                 "Half as fast, or twice; the time step stays",
                 command::ChangePace{false},
                 false,
                 "Slower"},
      KeyBinding{key('>'), {}, "", "", command::ChangePace{true}, false, "Faster"},
      KeyBinding{key('R'), {}, "R", "Restart the world", command::Reset{}},
      KeyBinding{key('C'), {}, "C", "Reset the camera", command::ResetCamera{}},
      KeyBinding{key('V'), {}, "V", "Move the camera so that all particles are seen", command::FitView{}},
      KeyBinding{key('M'), {}, "M", "Orbit the camera slowly, or stop it", command::MoveView{}},
      KeyBinding{
          key('K'), {}, "K", "Add the present view to the camera path as a keyframe", of_scene(command::AddKeyframe{})},
      KeyBinding{key('K'), with_shift, "Shift+K", "Play the camera path, or stop it", of_scene(command::TogglePath{})},
      KeyBinding{Key::backspace, {}, "Backspace", "Rewind after NaN or infinity", command::Rewind{}},
  });
  static const SceneKind kind{
      .name = "particles",
      .title = "Particles",
      .about = "simulates particles under forces that you write",
      .keys = keys,
      .run = cli::run_particles,
      .bench = cli::bench_particles,
      .window_bench = &cli::particles_window_bench(),
      .files = "a world (.toml)",
      .claim = claim_world,
      .open = open_world,
      .points = points_of_world,
      .add_options = cli::add_law_numbers,
      .implied_by = "--world",
      .make = make_particles,
  };
  return kind;
}

}  // namespace orrery
