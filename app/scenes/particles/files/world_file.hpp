/// Worlds as TOML files, short enough to be copied and edited by hand (assets/worlds). Plain values; any thread.
///
///     name = "…"  about = "…"  seed = 1  boltzmann = 1  minimize = false  excluded_bonds = 2
///     [box]             lengths = [Lx, Ly, Lz], or one number; left out: open space
///     [[kind]]          name, radius, color, mass, charge, and any other number: a column
///     [[fill]]          particles: shape = "lattice" | "random" | "droplet" | "chain" | "cloth" | "water" | "list"
///     [[pair]]          law = NAME of a ready-made one, or name and snippet; cutoff, switch_from, tail, excluded,
///     parameters
///     [[group]]         law = …; on = "bonds" | "angles" | "torsions" | "all" | [[i, j], …]; kind; parameters, columns
///     [ensemble]        thermostat, dt, temperature, friction, relaxation, final_temperature, ramp_time
///     [[draw]]          shape = "sphere" | "box" | "cylinder" | "plane" (shapes.hpp)
///     [view]            color, box, bonds, burst
///
/// A parameter is a number, or a table: { value, minimum, maximum, unit, help }.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// Throws a usage Error with file, line and column.
World read_world(const std::filesystem::path& path);
/// Reads a text; `name` stands for the file in errors, and files that the text names lie beside it.
World parse_world(const std::string& text, const std::filesystem::path& name);
/// Writes a complete world: every particle is listed. Written beside and renamed.
void write_world(const std::filesystem::path& path, const World& world);
std::string world_text(const World& world);
/// The laws alone, without the groups that they apply to, as parse_laws() reads them.
std::string laws_text(const std::vector<PairLaw>& pairs, const std::vector<GroupLaw>& groups);

/// A world of assets/worlds.
struct WorldEntry {
  std::string name;   ///< "argon": its file without .toml
  std::string title;  ///< "Argon, gas to liquid"
  std::string about;  ///< one line
  std::filesystem::path file;
};
/// The worlds sorted by name, without files that cannot be read.
std::vector<WorldEntry> known_worlds();
/// The file of a world's name or path. Throws a usage Error that lists the names.
std::filesystem::path find_world(const std::string& name_or_path);

}  // namespace orrery::particles
