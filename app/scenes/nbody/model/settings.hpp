/// The user's settings of an n-body simulation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "compute/program/precision.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/integrator.hpp"

namespace orrery {

/// The way of summing: each body gathers its own force, each pair of bodies is computed once, or distant bodies pull
/// together as nodes of a tree.
enum class Forces { automatic, gather, pairs, tree };

/// The effect of a contact of two bodies.
enum class Contact { pass, merge, bounce };

struct NbodySettings {
  std::int64_t bodies = 0;  ///< 0: a number that suits the initial condition and the device
  std::string initial = "galaxies";
  std::string date{j2000_date};  ///< date of a sky, TDB
  std::int64_t seed = 1;
  std::string units{no_units};
  double gravity = 1;  ///< G; in named units, in multiples of the physical constant: see gravity_of
  double dt = 0.01;
  double softening = 0.05;  ///< ε in r² + ε²
  std::string time_steps = "shared";
  double step_accuracy = 0.2;  ///< accuracy of individual steps: see NbodyBlockTerms
  std::string contact = "pass";
  double radius = 0.1;       ///< of a body of mass 1; others have the same density
  double restitution = 0.5;  ///< of a bounce: ratio of the speeds along the line between the bodies, after to before
  std::int64_t burst = 1;    ///< time steps between two published frames
  std::string integrator{default_integrator().name};
  std::string precision = "single";
  std::string forces = "auto";
  double force_error = 5e-4;         ///< relative error of the tree that 99 of 100 bodies keep
  double opening_angle = 0;          ///< radians, of the tree; 0: chosen so that force_error holds
  std::string order = "quadrupole";  ///< order of the tree's moments
  std::int64_t work_group = 0;       ///< 0: a size that suits the device
  std::string variant = "auto";      ///< kernel variants in the tuner's notation (variant_text.hpp)
  bool operator==(const NbodySettings&) const = default;
};

/// `fp64`: the device computes in double. `initial` accepts any text here; see initial.hpp.
std::vector<Parameter> parameters(NbodySettings& settings, bool fp64);

/// Throws a usage Error for a variant that no device supports. Building its kernels shows whether this device does.
void check_variant(const NbodySettings& settings);
InitialTerms terms_of(const NbodySettings& settings);
/// "AU, years, suns"; empty where units have no names.
std::string_view named_units(const NbodySettings& settings);
/// G in the units of the settings.
double gravity_of(const NbodySettings& settings);
Forces forces_of(const NbodySettings& settings);
Contact contact_of(const NbodySettings& settings);
inline bool takes_individual_steps(const NbodySettings& settings) { return settings.time_steps == "individual"; }
/// "gather", "pairs", "tree"
std::string_view name_of(Forces forces);
/// "single", "mixed", "double"
std::string_view name_of(Precision precision);
inline Precision precision_of(const NbodySettings& settings, const DeviceInfo& device) {
  return precision_of(settings.precision, device);
}

/// Applies the suggestion to the settings that are unset.
void take(NbodySettings& settings, const Suggestion& suggestion, const Unset& unset);

}  // namespace orrery
