/// Files from which a picture can be made again: TOML with the keys of the command line, Orrery's .png pictures, and
/// other programs' formats (see place.hpp).
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
  std::optional<Decimal> height = {};   ///< of the picture, if the file gives it and not the width
  std::optional<double> shape = {};     ///< its height / width, if the file gives both
  std::vector<std::string> notes = {};  ///< one sentence for each value that was changed or ignored
};

/// Selects the format by the file's extension: .toml, .png, or a text of one place. Parameters in the file are
/// assigned; `aspect` is width / height of the picture, for files that give its height. Keys of TOML: center = [re, im]
/// or "name", span, size = "WxH" or [w, h], x = [a, b] and y = [c, d] as offsets from the centre (default 0), rotation,
/// stretch and stretch-angle (default: level), and every parameter. Throws a usage Error with file, line and column.
ViewFile read_view(const std::filesystem::path& path, const View& present, std::span<Parameter> parameters,
                   double aspect = 16.0 / 9);

/// The file's notes in one line, "A place (…)"; empty without notes.
std::string contents_of(const ViewFile& file);

/// The text of a .toml view. `name` stands for the text in messages. Throws a usage Error with name, line and column.
ViewFile parse_view(const std::string& text, const std::string& name, const View& present,
                    std::span<Parameter> parameters);

/// Writes a file for read_view(): TOML, or, for a path that ends in .kfr, Kalles Fraktaler's lines with the `limit` of
/// iterations in use and the zoom by `aspect`.
void write_view(const std::filesystem::path& path, const View& view, std::span<const Parameter> parameters,
                double aspect = 16.0 / 9, std::uint32_t limit = 0);

/// The keys of the view in a state's table.
StateSection view_section(View view);
/// Replaces the span where a file gives the height of the picture: the span depends on the picture's shape.
inline constexpr std::string_view height_key = "height";

/// The texts of a picture: its view, its size and the parameters, under the names of read_view(); and the same as its
/// state (base/files/state_text.hpp).
ImageTexts view_texts(const View& view, Size size, std::span<const Parameter> parameters);

/// "1280x720"; throws a usage Error with the range.
Size parse_size(std::string_view text);

}  // namespace orrery::mandelbrot
