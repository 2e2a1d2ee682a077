/// Rows of numbers packed by zlib: bytes at equal positions in their numbers are grouped first, which halves the size
/// compared with deflate alone. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// Throws an Error if memory is insufficient.
std::string packed(std::string_view bytes);
/// Reverses packed(); nothing for invalid bytes or another length. Memory grows with the data, not with the claimed
/// length.
std::optional<std::string> unpacked(std::string_view bytes, std::uint64_t length);

}  // namespace orrery
