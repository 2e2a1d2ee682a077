/// The lines in which a text differs from another.
#pragma once

#include <string_view>
#include <vector>

namespace orrery {

/// One entry per line of `text`: true if it is not in a longest common subsequence of both texts. Where lines are
/// missing, the next line is marked. Texts that have too little in common are marked completely.
std::vector<bool> changed_lines(std::string_view original, std::string_view text);

}  // namespace orrery
