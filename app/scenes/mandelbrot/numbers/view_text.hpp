/// A .toml view as a text (view_file.hpp reads the files). Plain values; any thread.
#pragma once

#include <span>
#include <string>

#include "scenes/mandelbrot/numbers/view_file.hpp"

namespace orrery::mandelbrot {

/// `name` is what messages call the text. Throws a usage Error with name, line and column.
ViewFile parse_view(const std::string& text, const std::string& name, const View& present,
                    std::span<Parameter> parameters);

}  // namespace orrery::mandelbrot
