/// Laws as TOML tables, and the ready-made ones of assets/laws.toml. Plain values; any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

class TomlTable;

/// A [[pair]] table of a world. `name` is for a law whose table has none.
PairLaw read_pair_law(TomlTable& table, const std::string& name);
/// A [[group]] table, without the groups themselves. `rest` becomes the first column of the law.
GroupLaw read_group_law(TomlTable& table, const std::string& name);

struct ReadyLaws {
  std::vector<PairLaw> pairs;
  std::vector<GroupLaw> groups;
  std::map<std::string, std::string, std::less<>> titles;  ///< titles by name
};
/// The text of a file such as assets/laws.toml; `file` stands for it in errors. Throws a usage Error with its place.
ReadyLaws parse_laws(const std::string& text, const std::filesystem::path& file);

/// gravity, coulomb, lennard-jones, morse, yukawa, soft-sphere.
std::span<const PairLaw> ready_pair_laws();
/// harmonic-bond, harmonic-angle, fene, periodic-torsion.
std::span<const GroupLaw> ready_group_laws();
/// Throws a usage Error that lists the names.
const PairLaw& ready_pair_law(std::string_view name);
const GroupLaw& ready_group_law(std::string_view name);
/// "Lennard-Jones": the usual spelling of a ready-made law; any other name is returned unchanged.
std::string law_title(std::string_view name);

}  // namespace orrery::particles
