/// Rows of numbers packed by zlib: bytes of the same place in their numbers are put side by side first, which makes
/// half of what deflate alone makes of them. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orrery {

/// Throws an Error where the memory does not suffice.
std::string packed(std::string_view bytes);
/// The bytes that packed() was given; nothing where these are not packed bytes, or not of that length. The memory grows
/// with what there is, not with the length that is told.
std::optional<std::string> unpacked(std::string_view bytes, std::uint64_t length);

}  // namespace orrery
