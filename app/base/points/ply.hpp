/// The header of a PLY file, whose vertices are read. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/files/npy.hpp"

namespace orrery {

struct PlyLayout {
  std::vector<NpyField> fields;  ///< fields of a vertex
  std::size_t count = 0;
  std::size_t row_bytes = 0;  ///< 0: rows of text
  std::size_t begin = 0;      ///< the byte of the first row
  std::size_t lines = 0;      ///< lines before the first row
};
/// `beginning`: the first bytes of a file with `bytes` bytes; `name` stands for it in messages. Throws a usage Error.
PlyLayout parse_ply_layout(std::string_view beginning, std::uint64_t bytes, std::string_view name);

}  // namespace orrery
