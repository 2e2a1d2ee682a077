/// Another program that is run to its end, or to the end of one's patience.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace orrery {

/// Runs it without a shell, its output unseen, in this process's environment with those variables set. Returns how it
/// failed ("crashed (Segmentation fault)", "did not answer within 10 s"); nothing when its exit code was 0. Waits; any
/// thread. Where no other program can be run, it says so by throwing Error.
std::string run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      const std::vector<std::pair<std::string, std::string>>& environment, double seconds);

}  // namespace orrery
