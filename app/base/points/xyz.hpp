/// The beginning of a text in extended XYZ: the number of points, and a line of keys of which Properties tells the
/// columns of the rows. Plain XYZ has a name and a place in each row. Any thread.
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
  std::vector<std::string> names;  ///< of the values of a row: "species", "pos_x", …
  std::size_t begin = 0;           ///< the byte of the first row, which is in line 3
};
/// `beginning`: more than the first rows of a text that `name` stands for in messages. Throws a usage Error.
XyzLayout parse_xyz_layout(std::string_view beginning, std::string_view name);

/// The bytes of the whole frames with which a file begins, of steps before `begins`.
std::int64_t xyz_bytes_before(const std::filesystem::path& path, std::int64_t begins);

}  // namespace orrery
