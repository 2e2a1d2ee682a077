/// Constants shared by the writer and the reader of GSD files (gsd.hpp). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/little_endian.hpp"

namespace orrery {

inline constexpr std::uint64_t gsd_magic = 0x65DF65DF65DF65DF, gsd_header_bytes = 256, gsd_entry_bytes = 32,
                               gsd_name_row_bytes = 64;

enum class GsdType : std::uint8_t {
  uint8 = 1,
  uint16,
  uint32,
  uint64,
  int8,
  int16,
  int32,
  int64,
  real32,
  real64,
  character
};

/// The bytes of a number; 0 for an unknown type.
std::size_t gsd_bytes_of(GsdType type);

/// An entry of the index: the place of the block of that name in that frame.
struct GsdEntry {
  std::uint64_t frame = 0, rows = 0, at = 0;
  std::uint32_t columns = 0;
  std::uint16_t name = 0;
  GsdType type = GsdType::real32;

  /// Reads its 32 bytes.
  explicit GsdEntry(std::string_view bytes)
      : frame(from_little_endian<std::uint64_t>(bytes.data())),
        rows(from_little_endian<std::uint64_t>(bytes.data() + 8)),
        at(from_little_endian<std::uint64_t>(bytes.data() + 16)),
        columns(from_little_endian<std::uint32_t>(bytes.data() + 24)),
        name(from_little_endian<std::uint16_t>(bytes.data() + 28)),
        type(static_cast<GsdType>(bytes[30])) {}
  /// True if the entry is used; unused ones are zeros.
  bool is_used() const { return at != 0; }
};

}  // namespace orrery
