/// Programs as their compilers made them, one file each, from one start to the next. Any thread, any number of
/// processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace orrery {

/// What was kept in `file` under this very key, whole; nothing else. `file` may be empty.
std::optional<std::vector<unsigned char>> read_binary(const std::filesystem::path& file, std::string_view key);

/// Never throws: a cache that cannot be written costs time, nothing else. The first call of a process tidies the folder
/// up.
void write_binary(const std::filesystem::path& file, std::string_view key, const std::vector<unsigned char>& binary);

/// Removes what has not been used for longest until no more than half of `most_bytes` is left, where there is more than
/// that, and halves of files whose writers died more than a day ago. Never throws.
void tidy_binaries(const std::filesystem::path& folder, std::uintmax_t most_bytes);

}  // namespace orrery
