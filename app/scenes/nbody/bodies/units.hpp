/// Units of length, time and mass, and the constant of gravity in them. Plain values; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orrery {

/// All texts are literals; those of `none` are empty, since such units have no names.
struct UnitSystem {
  std::string_view name;   ///< the value of --units
  std::string_view title;  ///< name in the window
  std::string_view length = {}, time = {}, mass = {}, speed = {}, acceleration = {}, potential = {}, energy = {};
  std::string_view momentum = {}, angular_momentum = {};
  double gravity = 1;            ///< G
  double astronomical_unit = 1;  ///< its length in the unit of length …
  double sun = 1;                ///< … and the Sun's mass in the unit of mass

  bool named() const { return !length.empty(); }
};

inline constexpr std::string_view no_units = "none";

std::span<const UnitSystem> unit_systems();
/// The system of this name, which must exist.
const UnitSystem& units_named(std::string_view name);
/// Days in the unit of time of a sky.
double days_of_time_unit(const UnitSystem& units);
/// "12.5 years"; only the number if units have no names.
std::string with_unit(const std::string& number, std::string_view unit);

}  // namespace orrery
