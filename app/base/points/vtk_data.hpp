/// The numbers of an array in a file of VTK's XML formats. Any thread. All functions throw usage Errors that name
/// `array`, for example: stars.vtp, "velocity".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/files/file.hpp"

namespace orrery {

/// How a file stores its blocks of numbers.
struct VtkEncoding {
  std::endian order = std::endian::little;
  std::size_t word_bytes = 4;  ///< bytes of the words at the start of a block; 8 in newer files
  bool is_compressed = false;  ///< compressed by zlib
};

/// The start of a block, in raw bytes or in base64.
struct VtkPlace {
  const ByteSource& source;
  std::uint64_t at = 0;
  bool is_base64 = false;
};

/// Reads a block of `bytes` decoded bytes.
std::string read_vtk_block(const VtkPlace& place, const VtkEncoding& encoding, std::uint64_t bytes,
                           const std::string& array);
/// Reads `count` numbers of a text as native doubles.
std::string read_vtk_text(std::string_view text, std::uint64_t count, const std::string& array);

}  // namespace orrery
