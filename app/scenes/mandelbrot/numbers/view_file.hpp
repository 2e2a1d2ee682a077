/// Files that a picture can be made again from: TOML with the keys of the command line, .png pictures of ours, and what
/// other programs write (see place.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/files/image.hpp"
#include "base/files/state_text.hpp"
#include "base/parameter.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

struct ViewFile {
  View view;
  std::optional<Size> size = {};
  std::optional<Decimal> height = {};   ///< of the picture, where the file tells it and not its width
  std::optional<double> shape = {};     ///< its height / width, where the file tells both
  std::vector<std::string> notes = {};  ///< what was not taken as it stands there, a sentence each
};

/// By the file's extension: .toml, .png, or a text of one place. Parameters that the file names are assigned; `aspect`
/// is width / height of the picture, for files that say how high theirs is.
/// Keys of TOML: center = [re, im] or "name", span, size = "WxH" or [w, h], x = [a, b] and y = [c, d] as offsets from
/// the centre (from 0 where there is none), rotation, stretch and stretch-angle (level where there are none), and every
/// parameter. Throws a usage Error with file, line and column.
ViewFile read_view(const std::filesystem::path& path, const View& present, std::span<Parameter> parameters,
                   double aspect = 16.0 / 9);

/// The file's notes in a line for a person, "A place (…)"; empty where there are none.
std::string contents_of(const ViewFile& file);

/// The text of a .toml view. `name` is what messages call the text. Throws a usage Error with name, line and column.
ViewFile parse_view(const std::string& text, const std::string& name, const View& present,
                    std::span<Parameter> parameters);

/// Writes what read_view() takes: TOML, or, for a path that ends in .kfr, Kalles Fraktaler's lines with the `limit` of
/// iterations in use and the zoom by `aspect`.
void write_view(const std::filesystem::path& path, const View& view, std::span<const Parameter> parameters,
                double aspect = 16.0 / 9, std::uint32_t limit = 0);

/// The keys of a state's table that tell the view.
StateSection view_section(View view);
/// In their place where a file tells the height of the picture: its span depends on the picture's shape.
inline constexpr std::string_view height_key = "height";

/// The texts of a picture: its view, its size and the parameters, under the names that read_view() knows; and the same
/// once more as its state (base/files/state_text.hpp).
ImageTexts view_texts(const View& view, Size size, std::span<const Parameter> parameters);

/// "1280x720"; throws a usage Error with the range.
Size parse_size(std::string_view text);

}  // namespace orrery::mandelbrot
