/// Initial conditions: named distributions of bodies, the same on every platform for the same seed.
///
/// G = 1 throughout, and the centre of mass rests at the origin. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/device/device_info.hpp"
#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/bodies/suggestion.hpp"

namespace orrery {

/// A number that a condition takes after its name and a colon: "kepler:0.9".
struct InitialParameter {
  std::string_view name;  ///< empty: it takes none
  double fallback = 0, minimum = 0, maximum = 0;
};

/// A named initial condition. All texts are literals.
struct InitialInfo {
  std::string_view name;  ///< as --initial takes it
  std::string_view title;
  std::string_view description;  ///< what it is, with its numbers
  std::string_view units;        ///< that make G = 1
  std::string_view source;
  std::optional<Suggestion> suggestion;  ///< nothing: suggested_for its bodies
  std::int64_t fixed_bodies = 0;         ///< 0: any number
  InitialParameter parameter = {};
};

std::span<const InitialInfo> initial_conditions();
std::vector<std::string_view> initial_names();
/// What --initial allows: "galaxies | … | kepler[:eccentricity] | a .csv, .npy or .tipsy file".
std::string initial_choices();
/// One line for each condition, for --help.
std::string initial_table();
/// `initial` is a name, with its parameter or without; nothing for a file's name.
const InitialInfo* find_initial(std::string_view initial);

/// How many bodies `auto` means: the condition's own number, else what a device of that class steps at once.
std::int64_t automatic_bodies(std::string_view initial, DeviceClass device_class);

/// The bodies of a named condition, or of a file (.csv, .npy, .tipsy). `count` 0 asks for `automatic`, or for all of a
/// file's; a number that the condition or the file cannot have is a usage Error.
Bodies make_bodies(const std::string& initial, std::int64_t count, std::int64_t automatic, std::uint64_t seed);

/// The numbers that the condition or the file looks right with; `bodies` are what make_bodies made of it.
Suggestion suggestion_of(const std::string& initial, const Bodies& bodies);

/// Throws what make_bodies would throw, for the cost of reading the file.
void check_initial(const std::string& initial, std::int64_t count);

}  // namespace orrery
