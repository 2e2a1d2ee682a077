/// What a tree remembers that holds its force error: with it, a run that was interrupted goes on with the same bits.
/// Plain values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct TreeMemory {
  std::string of;             ///< the tree and the error that it holds; empty: none is held
  float accuracy = 0;         ///< TreeAccuracy::error from the next field on …
  float field_accuracy = 0;   ///< … and that of the present field
  std::vector<float> errors;  ///< of the last draws, divided by accuracy^slope
  bool operator==(const TreeMemory&) const = default;
};

/// One line with the exact bits, for state files; empty where none is held.
std::string text_of(const TreeMemory& memory);
/// Throws a usage Error that names `key`.
TreeMemory parse_tree_memory(std::string_view text, std::string_view key);

}  // namespace orrery
