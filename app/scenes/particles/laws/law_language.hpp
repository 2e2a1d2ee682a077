/// The language of laws: declarations, assignments, conditions, loops and mathematical functions of numbers and
/// vectors. What a person has typed is read here and nowhere else; no compiler ever sees it. Any thread.
#pragma once

#include <string>

#include "scenes/particles/laws/law_tree.hpp"

namespace orrery::particles::language {

constexpr std::size_t longest_law = 16384;  // bytes

/// Throws a usage Error whose place is "LAW:line:column". `given`: what the text may read, and set where it is not
/// constant; of two with one name the first is meant, and keywords hide what has their name.
LawTree parse_law(const std::string& law, const std::string& text, std::vector<Variable> given);

}  // namespace orrery::particles::language
