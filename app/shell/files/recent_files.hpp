/// The files that were opened or saved last, kept from one run to the next: recent.toml in the state folder.
///
/// Several windows may add to it at a time. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/files_snapshot.hpp"

namespace orrery::shell {

inline constexpr std::size_t most_recent_files = 10;

/// Empty if there is no such folder.
std::filesystem::path recent_files_file();
/// The newest first. A file that is missing or makes no sense has none.
std::vector<std::string> read_recent_files(const std::filesystem::path& file);
/// The list, in which that file comes first now.
std::vector<std::string> with_recent_file(std::vector<std::string> list, const std::string& path);
/// Adds them to the list that is kept, in order; returns it. Errors are logged.
std::vector<std::string> remember_recent_files(const std::filesystem::path& file,
                                               const std::vector<std::string>& paths);
/// Looks which of them are still there; waits for the disk.
std::vector<RecentFile> looked_at(const std::vector<std::string>& list);

}  // namespace orrery::shell
