/// A world's laws as OpenCL that replaces kernels/particles/particles_law.clh and the like: a function for each,
/// written from the tree of its snippet (law_language.hpp). A law that adds no forces gets them by differentiation of
/// its energy. Plain texts; any thread.
#pragma once

#include <string>
#include <vector>

#include "scenes/particles/world/world.hpp"

namespace orrery::particles {

/// The columns that the law reads as name1, name2 …
std::vector<std::string> columns_of(const World& world, const GroupLaw& law);
/// The columns that at least one pair law reads.
std::vector<std::string> pair_columns(const World& world);
/// All slider values of the pair laws, law by law, in the order of the kernels.
std::vector<double> slider_values(const World& world);
std::vector<double> slider_values(const GroupLaw& law);

/// All throw a usage Error whose place is "LAW:line:column" for a snippet that is not of the language.
///
/// particles_law.clh:
std::string pair_law_text(const World& world);
/// particles_law_checked.clh: each law once more, with the exact derivative of its energy beside what it adds to dEdR.
std::string checked_pair_law_text(const World& world);
/// particles_group_law.clh:
std::string group_law_text(const World& world, const GroupLaw& law);
/// particles_group_law_checked.clh:
std::string checked_group_law_text(const World& world, const GroupLaw& law);

}  // namespace orrery::particles
