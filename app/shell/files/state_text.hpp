/// State files as texts (state_file.hpp reads and writes them). Plain values; any thread.
#pragma once

#include <string>

#include "base/files/file.hpp"
#include "shell/files/state_file.hpp"

namespace orrery::shell {

/// With all bodies in it, as many as there may be.
inline constexpr FileKind session_kind{"a session", std::uint64_t{4} << 30};

/// `name` is what messages call the text. Throws a usage Error with name, line and column.
State parse_state(const std::string& text, const std::string& name);
std::string state_text(const State& state);

}  // namespace orrery::shell
