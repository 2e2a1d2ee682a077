/// A world's snippets as the text that takes the place of kernels/particles_law.clh and particles_group_law.clh: a
/// function for each law around the person's own lines, which keep their numbers. Plain texts; any thread.
#pragma once

#include <string>
#include <vector>

#include "model/particles/world.hpp"

namespace orrery::particles {

/// The columns that laws see of each particle: mass, charge, then those of its own.
std::vector<std::string> column_names(const World& world);
/// Those that a snippet mentions as name1, name2 …
std::vector<std::string> columns_of(const World& world, const std::string& snippet);
/// Those that any of the pair laws mentions.
std::vector<std::string> pair_columns(const World& world);
/// All sliders of the pair laws, one law after another, as kernels take them.
std::vector<double> slider_values(const World& world);
std::vector<double> slider_values(const GroupLaw& law);

/// Throws a usage Error with the person's line for what no snippet may say: preprocessor lines, goto, asm, arrays and
/// pointers, braces that do not match, comments that do not end, names that begin with two underscores. What it does
/// say then ends: loops are given up after many rounds, which makes the energy not a number.
std::string guarded_snippet(const std::string& law, const std::string& snippet);

std::string pair_law_text(const World& world);
std::string group_law_text(const World& world, const GroupLaw& law);

}  // namespace orrery::particles
