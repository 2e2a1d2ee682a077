/// State files: TOML, one table a scene and one for the window, from which a session can be recreated.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::shell {

/// Table name → its keys.
using State = std::map<std::string, StateSection>;

/// A file with tables is a state file; one without is a view. Throws a usage Error for what is no TOML.
bool is_state(const std::filesystem::path& path);
/// Throws a usage Error with line and column for what is no TOML, or no flat table of booleans, numbers and texts.
State read_state(const std::filesystem::path& path);
/// Written beside and renamed.
void write_state(const std::filesystem::path& path, const State& state);
/// `newer` over `older`: keys that only the older one has are kept.
State merged(const State& older, const State& newer);

/// The kind of file, which holds all bodies, however many there are.
inline constexpr FileKind session_kind{"a session", std::uint64_t{4} << 30};

/// The text of a state file. `name` is what messages call it. Throws a usage Error with name, line and column.
State parse_state(const std::string& text, const std::string& name);
std::string state_text(const State& state);

}  // namespace orrery::shell
