/// What may stand in a world, and how much of it. Plain values; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery::particles {

/// Kinds, columns and parameters have names that stand in formulas and in tables: letters, digits and _, a letter
/// first, 40 at most. Why `name` is none; empty where it is one.
std::string name_fault(std::string_view name);
/// Worlds and laws have titles, and parameters a help: any text of one line. Why `title` is none, or longer than so
/// many bytes; empty where it is fine.
inline constexpr std::size_t longest_title = 100, longest_help = 500;
std::string title_fault(std::string_view title, std::size_t longest = longest_title);

/// More would not fit into 32 bits where they are numbered, nor into most memories.
inline constexpr std::size_t most_particles = std::size_t{1} << 24, most_kinds = 1024, most_columns = 64;
/// Pairs, triples and fours of particles that bonds lead to, of each sort: a particle with a thousand bonds has half a
/// million angles.
inline constexpr std::size_t most_joined = std::size_t{1} << 26;

}  // namespace orrery::particles
