/// Limits of names and numbers in a world. Plain values; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery::particles {

/// Kinds, columns and parameters have names for formulas and tables: letters, digits and _, a letter
/// first, 40 at most. The reason why `name` is invalid; empty where it is valid.
std::string name_fault(std::string_view name);
/// Worlds and laws have titles, and parameters a help: any text on one line. The reason why `title` is invalid or
/// longer than `longest` bytes; empty where it is valid.
inline constexpr std::size_t longest_title = 100, longest_help = 500;
std::string title_fault(std::string_view title, std::size_t longest = longest_title);

/// Larger numbers do not fit the 32-bit indices, nor most memories.
inline constexpr std::size_t most_particles = std::size_t{1} << 24, most_kinds = 1024, most_columns = 64;
/// Pairs, triples and quadruples of bonded particles, of each sort: a particle with a thousand bonds has half a
/// million angles.
inline constexpr std::size_t most_joined = std::size_t{1} << 26;

}  // namespace orrery::particles
