/// Initial conditions: named distributions of bodies, the same on every platform for the same seed.
///
/// The centre of mass rests at the origin. In named units a sky has its real lengths and masses, other conditions keep
/// their numbers, and velocities are converted so that the orbits stay the same. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compute/device/device_info.hpp"
#include "scenes/nbody/bodies/body_draw.hpp"
#include "scenes/nbody/bodies/body_file.hpp"
#include "scenes/nbody/bodies/sky.hpp"
#include "scenes/nbody/bodies/suggestion.hpp"
#include "scenes/nbody/bodies/units.hpp"

namespace orrery {

/// A number that a condition takes after its name and a colon: "kepler:0.9".
struct InitialParameter {
  std::string_view name;  ///< empty: the condition has no parameter
  double fallback = 0, minimum = 0, maximum = 0;
};

/// Bodies of one origin, from this index to the next part.
struct BodyPart {
  std::string name;  ///< "first galaxy", "Jupiter"
  std::size_t first = 0;
};
inline constexpr std::size_t most_parts = 32;  // PARTS in shaders/nbody/quantity.glsl

/// A named initial condition. All texts are literals.
struct InitialInfo {
  std::string_view name;  ///< the value of --initial
  std::string_view title;
  std::string_view description;  ///< one phrase, with the numbers of the system
  std::string_view units;        ///< units in which G = 1
  std::string_view source;
  std::optional<Suggestion> suggestion;  ///< nothing: suggested_for its bodies
  std::int64_t fixed_bodies = 0;         ///< 0: any number
  InitialParameter parameter = {};
  bool is_sky = false;    ///< its units are the astronomical unit and the solar mass …
  bool has_date = false;  ///< … and it shows InitialTerms::date
};

/// Units and date of an initial condition.
struct InitialTerms {
  std::string units{no_units};
  std::string date{j2000_date};  ///< date of a sky
  bool operator==(const InitialTerms&) const = default;
};

std::span<const InitialInfo> initial_conditions();
/// Choices of --initial: "galaxies | … | kepler[:eccentricity] | a file of bodies (.csv, …)".
std::string initial_choices();
/// One line for each condition, for --help.
std::string initial_table();
/// `initial` is a name, with or without its parameter; returns nothing for the name of a file.
const InitialInfo* find_initial(std::string_view initial);

/// True if the condition is the sky of a date.
bool has_date(std::string_view initial);

/// The parts of a named condition with `count` bodies; none if all bodies are alike, and for a file. Bodies beyond the
/// fixed number of a condition are a separate part.
std::vector<BodyPart> parts_of(std::string_view initial, std::size_t count);

/// The largest distance from the origin on the orbits of a condition, in its units of length; until t = 60 for the
/// Pythagorean bodies. 0 if unknown, and for a file.
double reach_of(const std::string& initial, std::string_view units = no_units);

/// A number of bodies that keeps a device of this class busy for a few milliseconds.
constexpr std::int64_t usual_bodies(const DeviceInfo& device) { return is_cpu(device) ? 4096 : 65536; }
/// The number of bodies from which a tree of the default error is faster than all pairs: on an H100 1.4 ms by tree and
/// 1.6 ms by pairs at 65,536 bodies, 1.7 and 6.3 ms at 131,072; with PoCL on two cores 0.07 and 0.15 s at 16,384.
constexpr std::size_t tree_pays_from(const DeviceInfo& device) { return is_cpu(device) ? 16384 : 98304; }
/// The number of bodies that `auto` means: the condition's own, or a power of two that the device is estimated to
/// advance 30 times a second. For a device that is not known yet, only the class is set.
std::int64_t automatic_bodies(std::string_view initial, const DeviceInfo& device);

/// Draws the bodies of a named condition without a fixed number.
Bodies draw_bodies(const InitialInfo& info, std::size_t count, std::uint64_t seed, Draws draws);

/// The bodies of a named condition or of a file; a line in the log reports unusual properties of a file. `count` 0 asks
/// for `automatic`, or for all of a file's; a number that the condition or the file cannot provide is a usage Error.
Bodies make_bodies(const std::string& initial, std::int64_t count, std::int64_t automatic, std::uint64_t seed,
                   const FileProgress& reading = {}, const InitialTerms& terms = {});

/// Suggested settings for the condition or the file; `bodies` are what make_bodies returned for it in these units, and
/// `gravity` is G. Only `wanted` values are valid.
Suggestion suggestion_of(const std::string& initial, const Bodies& bodies, std::string_view units = no_units,
                         double gravity = 1, const Unset& wanted = {true, true, true});

/// Throws the errors of make_bodies, except for faults in a file's rows, which are not read.
void check_initial(const std::string& initial, std::int64_t count);
/// The file `initial` has `found` bodies. Throws a usage Error where `count` asks for another number.
void check_count(const std::string& initial, std::int64_t count, std::int64_t found);

}  // namespace orrery
