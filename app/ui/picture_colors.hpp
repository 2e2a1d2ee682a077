/// Colours of a picture's objects, and what they stand for. Plain values, and the row that shows them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orrery {

struct ColorScale {
  std::string by;                  ///< the coloured quantity; empty: there is none
  double low = 0, high = 0;        ///< its values at the ends of the palette
  std::vector<std::uint8_t> ramp;  ///< the palette as RGB triples, low to high
};

/// The colour of the bodies of an origin, the particles of a kind or the cells of a level.
struct NamedColor {
  std::string name;
  std::array<std::uint8_t, 3> rgb{};
};

namespace ui {

struct Panel;
enum class Swatch { dot, square };
/// A swatch and a name for each colour, after a title that may be empty, on as many lines as they need.
void color_names(const Panel& panel, const std::string& title, std::span<const NamedColor> colors, Swatch swatch);

}  // namespace ui
}  // namespace orrery
