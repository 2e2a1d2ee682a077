/// The text that says what a person sees: TOML, one table a scene and one for the window.
///
/// It has four faces: the window that shows it, a state file, a chunk of each picture that Orrery saves, and, as far as
/// options can tell it, a command line. It describes only: nothing in it is run. Plain values; any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/file.hpp"
#include "base/files/image.hpp"
#include "base/parameter.hpp"

namespace orrery {

/// Keys and values of a scene's table, flat.
using StateSection = std::vector<std::pair<std::string, Value>>;
/// Table name → its keys.
using StateTables = std::map<std::string, StateSection>;

/// This key of the table [window] holds the name of the scene that is shown.
inline constexpr std::string_view shown_scene_key = "scene";
/// The name of the scene that is shown; empty where the text does not tell.
std::string shown_scene(const StateTables& state);
/// The table of a state that a gallery offers: its "title" and its "about", one sentence. No scene has that name.
inline constexpr std::string_view preset_table = "preset";
/// Appends the names and values of the parameters.
void add_values(StateSection& section, std::span<const Parameter> parameters);
/// The value of that key, or nullptr.
const Value* value_of(const StateSection& section, std::string_view key);

/// A file with tables is a state file, as is a picture that has a state; a file without is a view. Throws a usage Error
/// for what is no TOML.
bool is_state(const std::filesystem::path& path);
/// Reads a state file, or the state in a picture. Throws a usage Error with line and column where the text is no TOML
/// or has anything but flat tables of booleans, numbers and texts; and for a picture without a state.
StateTables read_state(const std::filesystem::path& path);
/// Written beside and renamed.
void write_state(const std::filesystem::path& path, const StateTables& state);
/// `newer` over `older`: keys that only the older one has are kept.
StateTables merged(const StateTables& older, const StateTables& newer);

/// The kind of file, which holds all bodies, however many there are.
inline constexpr FileKind session_kind{"a session", std::uint64_t{4} << 30};

/// The text of a state file. `name` is what messages call it. Throws a usage Error with name, line and column.
StateTables parse_state(const std::string& text, const std::string& name);
std::string state_text(const StateTables& state);

// ---- in pictures

/// The keyword of the chunk that has the text.
inline constexpr const char* state_keyword = "orrery-state";
/// The longest text that a picture has and that is read from one, in bytes.
inline constexpr std::size_t most_state_text = std::size_t{16} << 20;
/// The state as the texts of a picture. Longer values than a picture has room for (the bodies of a large simulation)
/// are left out: the picture then tells how they began.
ImageTexts state_texts(StateTables state);
/// `what` is the state; evaluated on the thread that writes the picture.
using StateSource = std::function<StateTables()>;

}  // namespace orrery
