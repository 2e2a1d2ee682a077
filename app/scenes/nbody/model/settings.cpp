#include "scenes/nbody/model/settings.hpp"

#include "base/error.hpp"
#include "compute/tuning/variant_text.hpp"

namespace orrery {

std::vector<Parameter> parameters(NbodySettings& s, bool fp64) {
  std::vector<std::string_view> precisions{"single", "mixed"};
  if (fp64) precisions.push_back("double");
  return {
      {{.name = "bodies",
        .label = "Bodies",
        .help = "how many; auto is what suits the initial condition and the device",
        .minimum = 1,
        .maximum = 16777216,
        .logarithmic = true,
        .automatic = true},
       &s.bodies},
      {{.name = "initial",
        .label = "Initial",
        .help = "where the bodies begin: a name, or a .csv, .npy or .tipsy file"},
       &s.initial},
      {{.name = "seed",
        .label = "Seed",
        .help = "another one, another throw of the dice",
        .minimum = 0,
        .maximum = 1e9},
       &s.seed},
      {{.name = "dt",
        .label = "Time step",
        .unit = "time",
        .help =
            "length of one time step, negative to play time backwards; unless given, what suits the initial condition",
        .minimum = 0,
        .maximum = 10,
        .above_minimum = true,
        .either_sign = true,
        .logarithmic = true},
       &s.dt},
      {{.name = "softening",
        .label = "Softening",
        .unit = "length",
        .help = "the length e in r^2 + e^2; 0 is bare gravity; unless given, what suits the initial condition",
        .minimum = 0,
        .maximum = 10,
        .logarithmic = true},
       &s.softening},
      {{.name = "burst",
        .label = "Burst",
        .unit = "steps",
        .help = "time steps between two published frames",
        .minimum = 1,
        .maximum = 100000,
        .logarithmic = true},
       &s.burst},
      {{.name = "integrator",
        .label = "Integrator",
        .help = "tutorial is of first order, leapfrog of second, yoshida4 of fourth",
        .choices = {"leapfrog", "yoshida4", "tutorial"}},
       &s.integrator},
      {{.name = "precision",
        .label = "Precision",
        .help = "mixed: forces in single, positions and velocities to twice its digits",
        .choices = precisions},
       &s.precision},
      {{.name = "forces",
        .label = "Forces",
        .help = "gather: each body sums its own; pairs: each pair of bodies is seen once",
        .choices = {"auto", "gather", "pairs"}},
       &s.forces},
      {{.name = "work-group",
        .label = "Work-group",
        .unit = "items",
        .help = "work-items of a group",
        .minimum = 1,
        .maximum = 65536,
        .logarithmic = true,
        .automatic = true},
       &s.work_group},
      {{.name = "variant",
        .label = "Variant",
        .help = "of kernels, as tuning names them: KERNEL: AXIS VALUE, AXIS VALUE; KERNEL: ...; or auto"},
       &s.variant},
  };
}

void check_variant(const NbodySettings& settings) {
  check_variants(settings.variant, {"single", "double", "advance"},
                 {"work-group", "lanes", "tile", "unroll", "forces"});
}

Integrator integrator_of(const NbodySettings& settings) {
  if (settings.integrator == "tutorial") return Integrator::tutorial;
  return settings.integrator == "yoshida4" ? Integrator::yoshida4 : Integrator::leapfrog;
}

Forces forces_of(const NbodySettings& settings) {
  if (settings.forces == "pairs") return Forces::pairs;
  return settings.forces == "gather" ? Forces::gather : Forces::automatic;
}

Precision precision_of(std::string_view name, const DeviceInfo& device) {
  if (name == "mixed") return Precision::mixed;
  if (name != "double") return Precision::single;
  if (!device.fp64)
    throw usage_error("--precision cannot be", "double", "the device has no fp64; allowed: single, mixed", device.name);
  return Precision::double_;
}

}  // namespace orrery
