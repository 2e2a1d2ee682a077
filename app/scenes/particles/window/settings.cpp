#include "scenes/particles/window/settings.hpp"

#include <array>

#include "base/files/gradient.hpp"
#include "scene/orbit_view.hpp"

namespace orrery {
namespace {

using particles::ColorBy;
using particles::Thermostat;

constexpr std::array<Choice, 3> thermostats{{{"none", "None: constant energy"}, "langevin", "berendsen"}};
constexpr std::array<Choice, 4> colors{{"speed", "kind", "charge", "energy"}};

std::vector<Parameter> of_world(ParticlesSettings& s) {
  return {
      {{.name = "world", .label = "World", .help = "particles and laws: a name, or a .toml file"}, &s.world},
      {{.name = "thermostat",
        .label = "Thermostat",
        .help = "none: constant energy (velocity Verlet); langevin: friction and noise (BAOAB); berendsen: scaled "
                "velocities",
        .choices = {thermostats.begin(), thermostats.end()},
        .ruinous = true,
        .brought = true},
       &s.thermostat},
      {{.name = "temperature",
        .label = "Temperature",
        .unit = "energy / k",
        .help = "target of the thermostat, and reference of the velocity histogram",
        .minimum = 0,
        .maximum = particles::highest_temperature,
        .soft_minimum = 0,
        .soft_maximum = 1e6,
        .logarithmic = true,
        .ruinous = true,
        .brought = true},
       &s.temperature},
      {{.name = "friction",
        .label = "Friction",
        .unit = "1/time",
        .help = "friction of the Langevin thermostat",
        .minimum = 0,
        .maximum = particles::highest_friction,
        .soft_minimum = 0.001,
        .soft_maximum = 1000,
        .logarithmic = true,
        .ruinous = true,
        .brought = true},
       &s.friction},
      {{.name = "relaxation",
        .label = "Relaxation",
        .unit = "time",
        .help = "relaxation time of the Berendsen thermostat",
        .minimum = 0,
        .maximum = particles::longest_time_step,
        .soft_minimum = 0.001,
        .soft_maximum = 1000,
        .above_minimum = true,
        .logarithmic = true,
        .brought = true},
       &s.relaxation},
  };
}

std::vector<Parameter> of_steps(ParticlesSettings& s, bool fp64) {
  std::vector<Choice> precisions{"single", "mixed"};
  if (fp64) precisions.push_back("double");
  return {
      {{.name = "dt",
        .label = "Time step",
        .unit = "time",
        .help = "length of a time step; if not set, the world's",
        .minimum = 0,
        .maximum = particles::longest_time_step,
        .soft_minimum = 0,
        .soft_maximum = 10,
        .above_minimum = true,
        .logarithmic = true,
        .ruinous = true,
        .brought = true},
       &s.dt},
      {{.name = "burst",
        .label = "Steps per frame",
        .help = "time steps between two frames",
        .minimum = 1,
        .maximum = 10000,
        .logarithmic = true,
        .brought = true},
       &s.burst},
      {{.name = "precision",
        .label = "Precision",
        .help = "arithmetic; mixed: forces in single, positions and velocities with twice as many digits",
        .choices = precisions,
        .ruinous = true},
       &s.precision},
  };
}

std::vector<Parameter> of_kernels(ParticlesSettings& s) {
  return {
      {{.name = work_group_parameter,
        .label = "Work-group",
        .help = "work-items in a work-group; auto: depends on the device",
        .minimum = 1,
        .maximum = 4096,
        .logarithmic = true,
        .automatic = true},
       &s.work_group},
  };
}

}  // namespace

std::vector<Parameter> parameters(ParticlesSettings& s, bool fp64) {
  return joined({in_group("Thermostat", of_world(s)), in_group("Motion", of_steps(s, fp64)), of_kernels(s)});
}

void take(ParticlesSettings& settings, const particles::World& world) {
  const particles::Ensemble& ensemble = world.ensemble;
  settings.thermostat = thermostats[static_cast<std::size_t>(ensemble.thermostat)].name;
  settings.dt = ensemble.dt;
  settings.temperature = ensemble.temperature;
  settings.friction = ensemble.friction;
  settings.relaxation = ensemble.relaxation;
  settings.burst = world.view.burst;
}

particles::Ensemble ensemble_of(const ParticlesSettings& settings, const particles::Ensemble& of_world) {
  particles::Ensemble ensemble = of_world;
  for (std::size_t k = 0; k < thermostats.size(); ++k)
    if (settings.thermostat == thermostats[k].name) ensemble.thermostat = static_cast<Thermostat>(k);
  ensemble.dt = settings.dt;
  ensemble.friction = settings.friction;
  ensemble.relaxation = settings.relaxation;
  if (ensemble.temperature != settings.temperature) ensemble.final_temperature.reset();
  ensemble.temperature = settings.temperature;
  return ensemble;
}

particles::ForceVariant variant_of(const ParticlesSettings& settings, const DeviceInfo& device) {
  return {precision_of(settings.precision, device), static_cast<std::size_t>(settings.work_group)};
}

namespace {

std::vector<Parameter> of_picture(ParticlesLook& look) {
  const std::vector<std::string_view> palettes = sequential_gradient_names();
  return {
      {{.name = "color-by",
        .label = "Colour by",
        .help = "quantity shown as colour; charges run from blue through white to red",
        .choices = {colors.begin(), colors.end()},
        .brought = true},
       &look.color_by},
      {{.name = "palette",
        .label = "Palette",
        .help = "colours from low to high values",
        .choices = {palettes.begin(), palettes.end()}},
       &look.palette},
      {{.name = "radius-scale",
        .label = "Size",
        .help = "size of the particles, relative to the radius of their kind",
        .minimum = 0.1,
        .maximum = 4,
        .logarithmic = true},
       &look.size},
      {{.name = "box", .label = "Box", .help = "show the edges of a periodic box", .brought = true}, &look.box},
      {{.name = "bonds", .label = "Bonds", .help = "show bonds as lines", .brought = true}, &look.bonds},
  };
}

Parameter followed(ParticlesLook& look) {
  return {{.name = "follow",
           .label = "Follow",
           .help = "index of the particle that the camera follows, counted from 0; -1: none. A click on a "
                   "particle also sets it",
           .minimum = -1,
           .maximum = 16777215,
           .none = "none"},
          &look.follow};
}

}  // namespace

std::vector<Parameter> parameters(ParticlesLook& look) {
  return joined({in_group("Look", of_picture(look)), in_group("Motion", {pace_row(look.steps_per_second)}),
                 in_group("Camera", {followed(look)})});
}

void take(ParticlesLook& look, const particles::ViewHints& hints) {
  look.color_by = colors[static_cast<std::size_t>(hints.color)].name;
  look.box = hints.box;
  look.bonds = hints.bonds;
}

}  // namespace orrery
