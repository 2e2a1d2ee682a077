/// The laws of a world as changed by the user, and their numbers as parameters. Plain values; any one thread.
#pragma once

#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// A law keeps its name.
struct EditedLaws {
  std::vector<PairLaw> pairs;
  std::vector<GroupLaw> groups;
  bool operator==(const EditedLaws&) const = default;
};
EditedLaws laws_of(const World& world);
/// Null for an unknown name.
const LawParameter* find_parameter(const EditedLaws& laws, const std::string& law, const std::string& parameter);
/// The world under these laws.
World with_laws(const World& world, const EditedLaws& laws);

/// The numbers of a law, "lennard-jones/sigma", and of a pair law "lennard-jones/cutoff", which the box limits. They
/// are bound to the law.
std::vector<Parameter> parameters(PairLaw& law, const Box& box);
std::vector<Parameter> parameters(GroupLaw& law, const Box& box);
/// "lennard-jones/sigma" in two parts.
struct NumberName {
  std::string law, number;
};
NumberName number_name(const std::string& name);
/// Sets the number of that name. Throws a usage Error for an unknown one, and for a value out of its range.
void set_number(EditedLaws& laws, const Box& box, const std::string& name, const Value& value);

}  // namespace orrery::particles
