/// The text of the program's state: TOML, one table per scene and one for the window.
///
/// Its envelopes: a text (.toml), an archive (.npz) for many numbers, each picture that Orrery saves, and, as far as
/// options allow, a command line. It only describes and contains no code. Plain values; any thread.
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
/// The name of the scene that is shown; empty: unknown.
std::string shown_scene(const StateTables& state);
/// The table of a preset: its "title", its "about", one sentence, and the "object" added by dragging it into the
/// picture. No scene has that name.
inline constexpr std::string_view preset_table = "preset";
/// Appends the names and values of the parameters.
void add_values(StateSection& section, std::span<const Parameter> parameters);
/// The value of that key, or nullptr.
const Value* value_of(const StateSection& section, std::string_view key);
/// The text of that key, in the section or in the table [window]; empty: none.
std::string text_of(const StateSection& section, std::string_view key);
std::string window_text(const StateTables& state, std::string_view key);

/// Reads a state from any of its envelopes. Throws a usage Error with line and column if the text is not TOML of flat
/// tables with booleans, numbers and texts; and for a picture or an archive without a state.
StateTables read_state(const std::filesystem::path& path, const FileProgress& progress = {});
/// The same without the attachment of a picture.
StateTables read_recipe(const std::filesystem::path& path);
/// Writes atomically: an archive if the name ends with .npz, else TOML. Throws a failure for a state too large for a
/// text.
void write_state(const std::filesystem::path& path, const StateTables& state, const FileProgress& progress = {});
/// The same, but the size decides the format.
void write_session(const std::filesystem::path& path, const StateTables& state);
/// True if an archive suits the state better than a text.
bool is_large(const StateTables& state);
inline constexpr const char* archive_extension = ".npz";

/// `newer` over `older`; keys only in `older` are kept.
StateTables merged(const StateTables& older, const StateTables& newer);

/// The text of a state file. `name` stands for it in messages. Throws a usage Error with name, line and column.
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
// Short values are a text of the picture. With long values, the whole state is an archive in the picture's attachment;
// one that is too large is left out, and the text tells its size.

/// The keyword of the text.
inline constexpr const char* state_keyword = "orrery-state";
/// Limits of a picture's text and of its attachment, in bytes.
inline constexpr std::size_t most_state_text = std::size_t{16} << 20, most_attachment = std::size_t{64} << 20;
/// Key of the table [window] for the values missing in a picture's text: "nbody.bodies-csv (900 x 7 numbers)".
inline constexpr std::string_view apart_key = "kept-apart";
/// Its value; empty: complete.
std::string kept_apart(const StateTables& state);

struct PictureState {
  ImageTexts texts;
  std::string attachment;
  std::string left_out;  ///< later kept_apart() of the picture; empty: complete
};
PictureState picture_state(StateTables state);
/// A whole state without matrices as the text of a picture, for a view.
ImageTexts state_texts(const StateTables& state);
/// `what` is the state; evaluated on the thread that writes the picture.
using StateSource = std::function<StateTables()>;

}  // namespace orrery
