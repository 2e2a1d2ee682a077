/// Colours of a picture's objects, and what they stand for. Plain values.
#pragma once

#include <array>
#include <cstdint>
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

}  // namespace orrery
