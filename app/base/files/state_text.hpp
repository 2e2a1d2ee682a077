/// The text that says what a person sees: TOML, one table a scene and one for the window.
///
/// Its envelopes: a text (.toml), an archive (.npz) where there are many numbers, each picture that Orrery saves, and,
/// as far as options can tell it, a command line. It describes only: nothing in it is run. Plain values; any thread.
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
/// The table of a state that a gallery offers: its "title", its "about", one sentence, and the "object" that is added
/// where it is dragged into the picture. No scene has that name.
inline constexpr std::string_view preset_table = "preset";
/// Appends the names and values of the parameters.
void add_values(StateSection& section, std::span<const Parameter> parameters);
/// The value of that key, or nullptr.
const Value* value_of(const StateSection& section, std::string_view key);
/// Its text; empty where there is none. The other form: of a key of the table [window].
std::string text_of(const StateSection& section, std::string_view key);
std::string window_text(const StateTables& state, std::string_view key);

/// Reads a state from any of its envelopes. Throws a usage Error with line and column where the text is no TOML or has
/// anything but flat tables of booleans, numbers and texts; and for a picture or an archive without a state.
StateTables read_state(const std::filesystem::path& path, const FileProgress& progress = {});
/// The same without what a picture holds apart.
StateTables read_recipe(const std::filesystem::path& path);
/// Written beside and renamed: as an archive where the name ends with .npz, else as TOML. Throws a failure for a state
/// that is too large for a text.
void write_state(const std::filesystem::path& path, const StateTables& state, const FileProgress& progress = {});
/// The same, where the size decides, and not the name.
void write_session(const std::filesystem::path& path, const StateTables& state);
/// An archive suits it better than a text.
bool is_large(const StateTables& state);
inline constexpr const char* archive_extension = ".npz";

/// `newer` over `older`: keys that only the older one has are kept.
StateTables merged(const StateTables& older, const StateTables& newer);

/// The text of a state file. `name` is what messages call it. Throws a usage Error with name, line and column.
StateTables parse_state(const std::string& text, const std::string& name);
std::string state_text(const StateTables& state);
/// The same without its first line, a comment.
std::string tables_text(const StateTables& tables);

// ---- archives
//
// A zip archive: state.toml with all short values, and the others as members TABLE/NAME.npy (the key NAME-csv, a
// Matrix, which NumPy reads), TABLE/NAME.toml (the key NAME-toml) and TABLE/NAME.txt (the key NAME).

// ---- in pictures
//
// The short values are a text of the picture. Where there are others, all of the state is an archive in the picture's
// attachment; it is left out where it is too large for one. The text then tells its size.

/// The keyword of the text.
inline constexpr const char* state_keyword = "orrery-state";
/// The longest text that is read from a picture, and the largest attachment that one has, in bytes.
inline constexpr std::size_t most_state_text = std::size_t{16} << 20, most_attachment = std::size_t{64} << 20;
/// This key of the table [window] tells what the text of a picture is without: "nbody.bodies-csv (900 x 7 numbers)".
inline constexpr std::string_view apart_key = "kept-apart";
/// Its value; empty where all is there.
std::string kept_apart(const StateTables& state);

struct PictureState {
  ImageTexts texts;
  std::string attachment;
  std::string left_out;  ///< what kept_apart() will tell of the picture; empty where all is in it
};
PictureState picture_state(StateTables state);
/// All of a state without matrices, for a view, as the text of a picture.
ImageTexts state_texts(const StateTables& state);
/// `what` is the state; evaluated on the thread that writes the picture.
using StateSource = std::function<StateTables()>;

}  // namespace orrery
