/// Every reader of foreign data, from memory: called by the fuzzer (main.cpp) and by the unit test that replays the
/// seeds and findings (corpus/NAME/…).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orrery::fuzz {

/// run() returns, or throws std::logic_error for a broken promise: a reader that throws anything but an Error, does
/// not say where a text is wrong, or does not read its own output.
struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

/// Defined in law.cpp.
void written_law(std::string_view bytes);

std::span<const Target> targets();
/// Null if no target has that name.
const Target* find_target(std::string_view name);

}  // namespace orrery::fuzz
