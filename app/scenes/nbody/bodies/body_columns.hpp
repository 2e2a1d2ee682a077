/// Recognises the columns of a table of bodies, of any program, by their names. Plain values; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/nbody/bodies/body.hpp"

namespace orrery {

/// Orrery's own names, in the order of Body.
inline constexpr std::string_view body_header = "mass,x,y,z,vx,vy,vz";
inline constexpr std::size_t body_values = 7;
std::span<const std::string_view> body_names();

/// The index of the body's value of this name: "mass", "Masse", "m [kg]"; "x", "pos_x", "X [AU]"; "vx", "v_x", "vel0".
std::optional<std::size_t> body_value_named(std::string_view name);
/// The names of 7, 6, 4 or 3 unnamed columns: mass,x,y,z,vx,vy,vz without the mass, the velocities, or both. Empty for
/// other numbers of columns.
std::vector<std::string> usual_body_names(std::size_t columns);

/// The columns of a body's values in a table.
struct BodyColumns {
  std::array<std::optional<std::size_t>, body_values> of;  ///< the column of each value; none: 1 for mass, 0 for others
  std::string understood;  ///< "7 of 9 columns read; mass missing: 1 each"; empty for Orrery's own columns
};
/// `has_names`: false where they are usual_body_names(). Throws a usage Error that names `where` for columns that have
/// no x or y, two columns that mean the same, and positions and velocities of different axes.
BodyColumns body_columns(std::span<const std::string> names, bool has_names, const std::string& where);
/// Throws a usage Error for 0 bodies and for more than most_in_a_set.
void check_body_count(std::size_t bodies, const std::string& name);
/// For messages: the columns that a table of bodies may have.
std::string expected_body_columns();

}  // namespace orrery
