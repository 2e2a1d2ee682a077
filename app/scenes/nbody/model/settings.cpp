#include "scenes/nbody/model/settings.hpp"

#include "compute/tuning/variant_text.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/bodies/sky.hpp"

namespace orrery {

namespace {

constexpr double largest_gravity = 1e6;

std::vector<Parameter> of_beginning(NbodySettings& s) {
  std::vector<Choice> systems;
  for (const UnitSystem& system : unit_systems()) systems.emplace_back(system.name, system.title);
  return {
      {{.name = "bodies",
        .label = "Bodies",
        .help = "number of bodies; auto: depends on the initial condition and the device",
        .minimum = 1,
        .maximum = static_cast<double>(most_in_a_set),
        .logarithmic = true,
        .automatic = true},
       &s.bodies},
      {{.name = "initial",
        .label = "Initial",
        .help = "initial condition: a name, or a file of bodies (.csv, .npy, .npz, .tipsy, …)"},
       &s.initial},
      {{.name = "date",
        .label = "Date",
        .help = "date of the initial conditions solar-system and asteroid-belt: YYYY-MM-DD or "
                "YYYY-MM-DDTHH:MM, in barycentric dynamical time (UTC plus about a minute)",
        .placeholder = "DATE",
        .check = [](const std::string& date) { (void)julian_day(date); }},
       &s.date},
      {{.name = "units",
        .label = "Units",
        .help = "units of length, time and mass, which determine G; none: G = 1. Files have their numbers in "
                "these units; named initial conditions are converted",
        .choices = systems},
       &s.units},
      {{.name = "seed", .label = "Seed", .help = "seed of the random numbers", .minimum = 0, .maximum = 1e9}, &s.seed},
  };
}

std::vector<Parameter> of_steps(NbodySettings& s) {
  return {
      {{.name = "dt",
        .label = "Time step",
        .unit = "time",
        .help = "length of a time step; negative: time runs backwards; if not set, depends on the initial condition",
        .minimum = 0,
        .maximum = largest_step,
        .soft_minimum = 1e-5,
        .soft_maximum = 1,
        .above_minimum = true,
        .either_sign = true,
        .logarithmic = true,
        .ruinous = true,
        .brought = true},
       &s.dt},
      {{.name = "time-steps",
        .label = "Time steps",
        .help = "shared: all bodies take steps of dt; individual: each body takes steps of dt/2^level, as "
                "short as it needs",
        .choices = {{"shared", "One for all"}, {"individual", "Each its own"}},
        .ruinous = true},
       &s.time_steps},
      {{.name = "step-accuracy",
        .label = "Step accuracy",
        .help = "with individual time steps: longest step of a body, in units of sqrt(softening/|a|); "
                "without softening, in units of the free-fall time to a body that would pull as much",
        .minimum = 1e-5,
        .maximum = 10,
        .soft_minimum = 0.001,
        .soft_maximum = 1,
        .logarithmic = true,
        .ruinous = true},
       &s.step_accuracy},
      {{.name = "burst",
        .label = "Steps per frame",
        .help = "time steps between two published frames",
        .minimum = 1,
        .maximum = 100000,
        .soft_minimum = 1,
        .soft_maximum = 1000,
        .logarithmic = true,
        .brought = true},
       &s.burst},
  };
}

std::vector<Parameter> of_integration(NbodySettings& s, bool fp64) {
  std::vector<Choice> integrator_choices;
  for (const Integrator& row : integrators()) integrator_choices.emplace_back(row.name, row.title);
  std::vector<Choice> precisions{"single", "mixed"};
  if (fp64) precisions.push_back("double");
  return {
      {{.name = "integrator",
        .label = "Integrator",
        .help = integrator_help(),
        .choices = integrator_choices,
        .ruinous = true},
       &s.integrator},
      {{.name = "precision",
        .label = "Precision",
        .help = "arithmetic; mixed: forces in single, positions and velocities with twice as many digits",
        .choices = precisions,
        .compared = true,
        .ruinous = true},
       &s.precision},
  };
}

std::vector<Parameter> of_forces(NbodySettings& s) {
  return {
      {{.name = "gravity",
        .label = "Gravity",
        .help = "gravitational constant G; with named units: a factor of its physical value",
        .minimum = 0,
        .maximum = largest_gravity,
        .soft_minimum = 0.01,
        .soft_maximum = 100,
        .logarithmic = true,
        .ruinous = true},
       &s.gravity},
      {{.name = "softening",
        .label = "Softening",
        .unit = "length",
        .help = "length e in r^2 + e^2; 0: exact gravity; if not set, depends on the initial condition",
        .minimum = 0,
        .maximum = largest_softening,
        .soft_minimum = 0,
        .soft_maximum = 1,
        .logarithmic = true,
        .ruinous = true,
        .brought = true},
       &s.softening},
      {{.name = "forces",
        .label = "Forces",
        .help = "how forces are summed; gather: each body sums its own; pairs: each pair is computed once; "
                "tree: distant bodies are combined, which is approximate",
        .choices = {"auto", "gather", "pairs", "tree"},
        .compared = true},
       &s.forces},
      {{.name = "force-error",
        .label = "Force error",
        .help = "with forces tree: relative error that 99 of 100 accelerations stay below",
        .minimum = 1e-6,
        .maximum = 0.1,
        .soft_minimum = 1e-5,
        .soft_maximum = 0.05,
        .logarithmic = true,
        .prepares = true},
       &s.force_error},
      {{.name = "opening-angle",
        .label = "Opening angle",
        .unit = "radians",
        .help = "with forces tree: angle below which a node pulls as a whole; 0: set from the force error",
        .minimum = 0,
        .maximum = 1.2,
        .soft_minimum = 0,
        .soft_maximum = 1.2,
        .prepares = true},
       &s.opening_angle},
      {{.name = "order",
        .label = "Order",
        .help = "with forces tree: highest multipole moment of a node",
        .choices = {"monopole", "quadrupole"}},
       &s.order},
  };
}

std::vector<Parameter> of_contact(NbodySettings& s) {
  return {
      {{.name = "contact",
        .label = "Contact",
        .help = "bodies that touch pass through each other, merge into one (mass and momentum are conserved) "
                "or bounce",
        .choices = {"pass", "merge", "bounce"}},
       &s.contact},
      {{.name = "radius",
        .label = "Radius",
        .unit = "length",
        .help = "with contact merge or bounce: radius of a body of mass 1; all have the same density, so "
                "that radii grow with the cube root of the mass; 0: bodies never touch",
        .minimum = 0,
        .maximum = 1e12,
        .soft_minimum = 0.001,
        .soft_maximum = 1,
        .logarithmic = true},
       &s.radius},
      {{.name = "restitution",
        .label = "Restitution",
        .help = "with contact bounce: relative speed along the line between two bodies after a bounce, "
                "divided by that before; 1 conserves the energy",
        .minimum = 0,
        .maximum = 1,
        .soft_minimum = 0,
        .soft_maximum = 1},
       &s.restitution},
  };
}

std::vector<Parameter> of_kernels(NbodySettings& s) {
  return {
      {{.name = "work-group",
        .label = "Work-group",
        .unit = "items",
        .help = "work-items in a work-group",
        .minimum = 1,
        .maximum = 65536,
        .logarithmic = true,
        .automatic = true,
        .compared = true},
       &s.work_group},
      {{.name = "variant",
        .label = "Variant",
        .help = "kernel variants in the tuner's notation, KERNEL: AXIS VALUE, AXIS VALUE; KERNEL: ..., or auto",
        .compared = true},
       &s.variant},
  };
}

}  // namespace

std::vector<Parameter> parameters(NbodySettings& s, bool fp64) {
  return joined({in_group("Start", of_beginning(s)), in_group("Motion", joined({of_steps(s), of_integration(s, fp64)})),
                 in_group("Forces", joined({of_forces(s), of_contact(s)})), of_kernels(s)});
}

void check_variant(const NbodySettings& settings) {
  check_variants(settings.variant, {"single", "double", "tree", "advance"},
                 {"work-group", "lanes", "tile", "unroll", "forces", "leaf", "group", "order", "list"});
}

InitialTerms terms_of(const NbodySettings& settings) { return {settings.units, settings.date}; }

std::string_view named_units(const NbodySettings& settings) {
  const UnitSystem& units = units_named(settings.units);
  return units.named() ? units.title : std::string_view();
}

double gravity_of(const NbodySettings& settings) { return settings.gravity * units_named(settings.units).gravity; }

std::string_view name_of(Precision precision) {
  return precision == Precision::double_ ? "double" : precision == Precision::mixed ? "mixed" : "single";
}

std::string_view name_of(Forces forces) {
  return forces == Forces::tree ? "tree" : forces == Forces::pairs ? "pairs" : "gather";
}

Contact contact_of(const NbodySettings& settings) {
  if (settings.contact == "merge") return Contact::merge;
  return settings.contact == "bounce" ? Contact::bounce : Contact::pass;
}

Forces forces_of(const NbodySettings& settings) {
  if (settings.forces == "tree") return Forces::tree;
  if (settings.forces == "pairs") return Forces::pairs;
  return settings.forces == "gather" ? Forces::gather : Forces::automatic;
}

void take(NbodySettings& settings, const Suggestion& suggestion, const Unset& unset) {
  if (unset.dt) settings.dt = suggestion.dt;
  if (unset.softening) settings.softening = suggestion.softening;
  if (unset.burst) settings.burst = suggestion.burst;
}

}  // namespace orrery
