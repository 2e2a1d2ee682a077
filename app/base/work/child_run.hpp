/// Another program that is run to its end, or to the end of one's patience.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace orrery {

struct ChildEnd {
  std::string fault;   ///< "crashed (Segmentation fault)", "did not answer within 10 s"; empty when its exit code was 0
  std::string output;  ///< the last 64 KiB of its standard output
};

/// Runs it without a shell, in this process's environment with those variables set; keys in this program's terminal
/// are none of its business. Waits; any thread. Where no other program can be run, it says so by throwing Error.
ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   const std::vector<std::pair<std::string, std::string>>& environment, double seconds);

/// Starts a program that goes on by itself, also after this one's end, and waits for so long whether it fails at once.
/// `words`: the program, looked for in $PATH, and its arguments; no shell sees them. Returns how it failed; nothing
/// when it runs, or ended with 0. Any thread.
std::string start_program(const std::vector<std::string>& words, double seconds);

}  // namespace orrery
