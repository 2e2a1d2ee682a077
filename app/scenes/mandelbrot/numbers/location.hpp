/// Named places from assets/locations.toml.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

struct Location {
  std::string name;
  std::string title;
  View view;
  std::uint32_t iterations = 0;  ///< that show it well
  std::string text;              ///< a line about it
};

/// In the order of the file. Throws a usage Error with file, line and column.
std::vector<Location> read_locations(const std::filesystem::path& path);
/// Those that come with the program, read once.
const std::vector<Location>& locations();
/// Throws a usage Error that lists the names when there is none of that name.
const Location& find_location(std::string_view name);

}  // namespace orrery::mandelbrot
