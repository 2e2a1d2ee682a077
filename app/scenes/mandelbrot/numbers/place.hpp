/// Places as texts: numbers, Kalles Fraktaler's .kfr, Imagina-like lines, or TOML; and the named ones from
/// assets/locations.toml.
///
/// Plain values; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

struct Place {
  View view;
  std::optional<Decimal> height = {};            ///< of the picture, if given in place of the span
  std::optional<std::uint32_t> iterations = {};  ///< 0: automatic
  std::vector<std::string> notes = {};           ///< one sentence for each value that was changed or ignored
};

/// Understands, with any number of digits:
///   RE IM [SPAN]                    also with commas, and as RE + IM i
///   Re: … / Im: … lines             any case, ':' or '=', unknown keys are named in a note, and one of
///     Zoom: Z                       the picture is 4/Z high (Kalles Fraktaler, Fraktaler 3, Imagina)
///     Magnification: M              the picture is 2/M high (Fractint's center-mag)
///     Span: W, Width: W, Height: H, Radius: R (half the height)
///     Iterations: N                 or MaxIter; beyond the range they are automatic, with a note
///     Power: D, of z^D + c
///     FractalType, type=, SeedR and the like, which must be those of z² + c or z^D + c
///     Rotation: A, Stretch: F, Stretch-angle: A   as the keys of a view's file
///     RotateAngle: A, StretchAmount: L, StretchAngle: A, ImagPointsUp: 1   Kalles Fraktaler's; the factor is 2^L
///   center = [RE, IM], span = W     the TOML that place_text() writes
/// `present` supplies missing values, except that a place without a turn is level, and lines without a power are of z²
/// + c; `aspect` is width / height of the picture. Throws a usage Error.
Place parse_place(std::string_view text, const View& present, double aspect);

/// RE and IM, or the name of a location: the words of --center, one of which may have both numbers, such as -0.75+0.1i.
/// Throws a usage Error.
std::vector<std::string> center_words(std::vector<std::string> words);

/// 4 / height of the picture, as in Kalles Fraktaler; `aspect` as above.
Decimal magnification_of(const View& view, double aspect);
/// The span of a picture of this height; `aspect` as above.
Decimal span_of_height(const Decimal& height, double aspect);

/// Writes TOML: center, span, the turn if there is one, the power if it is not 2, and iterations where they are not 0.
std::string place_text(const View& view, std::uint32_t iterations);
/// A file's keys and values of a view besides its centre and its span: none for a level view of z² + c.
std::vector<std::pair<std::string, std::string>> told_further(View view);
/// Writes the view as Kalles Fraktaler's .kfr; `aspect` as above.
std::string kfr_text(const View& view, double aspect, std::uint32_t iterations);

/// A named place from assets/locations.toml.
struct Location {
  std::string name;
  std::string title;
  View view;
  std::uint32_t iterations = 0;  ///< suitable for the view
  std::string text;              ///< a line about it
};

/// In the order of the file. Throws a usage Error with file, line and column.
std::vector<Location> read_locations(const std::filesystem::path& path);
/// The locations that come with the program, read once.
const std::vector<Location>& locations();
/// Throws a usage Error that lists the names when there is no such location.
const Location& find_location(std::string_view name);

}  // namespace orrery::mandelbrot
