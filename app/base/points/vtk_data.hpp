/// The numbers of an array in a file of VTK's XML formats. Any thread. All throw usage Errors that name `array`, such
/// as stars.vtp, "velocity".
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
  std::size_t word_bytes = 4;  ///< of the words with which a block begins; 8 in newer files
  bool is_compressed = false;  ///< by zlib
};

/// Where a block begins, in raw bytes or in base64.
struct VtkPlace {
  const ByteSource& source;
  std::uint64_t at = 0;
  bool is_base64 = false;
};

/// A block that has so many bytes when it is decoded.
std::string read_vtk_block(const VtkPlace& place, const VtkEncoding& encoding, std::uint64_t bytes,
                           const std::string& array);
/// So many numbers of a text, as doubles of this machine.
std::string read_vtk_text(std::string_view text, std::uint64_t count, const std::string& array);

}  // namespace orrery
