/// Which lines of a text are not those of another.
#pragma once

#include <string_view>
#include <vector>

namespace orrery {

/// One entry for each line of `text`: not in a longest common subsequence of its lines and those of `original`. Where
/// lines were only left out, the line behind is marked. Texts that share too little to compare are marked as a whole.
std::vector<bool> changed_lines(std::string_view original, std::string_view text);

}  // namespace orrery
