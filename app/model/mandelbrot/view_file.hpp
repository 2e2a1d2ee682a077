/// --view FILE.toml: a picture's description, with the keys of the command line.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

#include "base/parameter.hpp"
#include "model/mandelbrot/view.hpp"

namespace orrery::mandelbrot {

struct ViewFile {
  View view;
  std::optional<Size> size;
};

/// Keys: center = [re, im] or "name", span, size = "WxH" or [w, h], x = [a, b] and y = [c, d] as offsets from the
/// centre (from 0 where there is none), and every parameter, which is assigned. Throws a usage Error with file, line
/// and column.
ViewFile read_view(const std::filesystem::path& path, const View& present, std::span<Parameter> parameters);

/// "1280x720"; throws a usage Error with the range.
Size parse_size(std::string_view text);

}  // namespace orrery::mandelbrot
