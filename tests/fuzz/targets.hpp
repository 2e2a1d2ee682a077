/// Every reader of what somebody else may have written, from memory: the fuzzer's way in (main.cpp), and that of the
/// unit test which replays the seeds and what has been found (corpus/NAME/…).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace orrery::fuzz {

/// run() comes back, or throws std::logic_error for a broken promise: a reader that throws anything but an Error, that
/// does not say where a text is wrong, or that does not read what it has written.
struct Target {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

/// Of law.cpp.
void written_law(std::string_view bytes);

std::span<const Target> targets();
/// Null where there is none of that name.
const Target* find_target(std::string_view name);

}  // namespace orrery::fuzz
