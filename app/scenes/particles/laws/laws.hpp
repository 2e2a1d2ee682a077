/// Ready-made laws: the same snippets that a person may type. Plain values; any thread.
#pragma once

#include <span>
#include <string_view>

#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// gravity, coulomb, lennard-jones, morse, yukawa, soft-sphere.
std::span<const PairLaw> ready_pair_laws();
/// harmonic-bond, harmonic-angle, fene, periodic-torsion.
std::span<const GroupLaw> ready_group_laws();
/// Throws a usage Error that lists the names.
const PairLaw& ready_pair_law(std::string_view name);
const GroupLaw& ready_group_law(std::string_view name);

}  // namespace orrery::particles
