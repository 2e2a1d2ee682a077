/// The language of laws: declarations, assignments, conditions, loops and mathematical functions of numbers and
/// vectors. Only this parser reads the user's text; no compiler ever sees it. Any thread.
#pragma once

#include <string>

#include "scenes/particles/laws/law_tree.hpp"

namespace orrery::particles::language {

constexpr std::size_t longest_law = 16384;  // bytes

/// Throws a usage Error whose place is "LAW:line:column". `given`: variables that the text may read, and set unless
/// they are constant. Of two with one name the first counts; keywords hide variables of the same name.
LawTree parse_law(const std::string& law, const std::string& text, std::vector<Variable> given);

}  // namespace orrery::particles::language
