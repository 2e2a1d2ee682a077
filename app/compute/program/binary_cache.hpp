/// A disk cache of compiled programs, one file each. Any thread, any number of
/// processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace orrery {

/// The content of `file` under exactly this key, if it is complete; otherwise nothing. `file` may be empty.
std::optional<std::vector<unsigned char>> read_binary(const std::filesystem::path& file, std::string_view key);

/// Never throws: a cache that cannot be written only costs time. The first call of a process cleans the
/// folder.
void write_binary(const std::filesystem::path& file, std::string_view key, const std::vector<unsigned char>& binary);

/// If the folder exceeds `most_bytes`, removes the least recently used programs until half of it is left, and
/// incomplete files older than a day. Never throws.
void tidy_binaries(const std::filesystem::path& folder, std::uintmax_t most_bytes);

}  // namespace orrery
