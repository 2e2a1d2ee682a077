/// The beginning of a text in extended XYZ: the number of points, and a line of keys, in which Properties describes the
/// columns. Plain XYZ has a name and a place in each row. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct XyzLayout {
  std::size_t count = 0;           ///< rows of the first frame
  std::vector<std::string> names;  ///< names of a row's values: "species", "pos_x", …
  std::size_t begin = 0;           ///< the byte of the first row, in line 3
};
/// `beginning`: a text with at least its first rows; `name` stands for it in messages. Throws a usage Error.
XyzLayout parse_xyz_layout(std::string_view beginning, std::string_view name);

/// The bytes of the whole frames of steps before `begins` at the start of a file.
std::int64_t xyz_bytes_before(const std::filesystem::path& path, std::int64_t begins);

}  // namespace orrery
