/// The files of gradients: assets/palettes/NAME.toml (gradient.hpp reads them). Plain values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

struct Palette {
  std::string name;
  bool cyclic = false;
  std::vector<std::uint32_t> stops;  ///< 0xRRGGBB, evenly spaced, two or more
};

/// `file` stands for the text in messages. Throws a usage Error with file, line and column.
Palette parse_palette(const std::string& text, const std::string& file);

}  // namespace orrery
