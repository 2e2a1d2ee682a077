/// The header of a PLY file, of which the vertices are read. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/files/npy.hpp"

namespace orrery {

struct PlyLayout {
  std::vector<NpyField> fields;  ///< of a vertex
  std::size_t count = 0;
  std::size_t row_bytes = 0;  ///< 0: of rows of text
  std::size_t begin = 0;      ///< the byte of the first row
  std::size_t lines = 0;      ///< in front of it
};
/// `beginning`: the first bytes of a file of so many bytes, which `name` stands for in messages. Throws a usage Error.
PlyLayout parse_ply_layout(std::string_view beginning, std::uint64_t bytes, std::string_view name);

}  // namespace orrery
