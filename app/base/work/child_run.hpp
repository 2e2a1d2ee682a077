/// A child process that is run to its end, or until a time-out.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace orrery {

struct ChildEnd {
  std::string fault;   ///< "crashed (Segmentation fault)", "did not answer within 10 s"; empty for exit code 0
  std::string output;  ///< the last 64 KiB of its standard output …
  std::string errors;  ///< … and of its standard error
};

/// Runs a program without a shell, in this environment with these variables set; key presses in this program's terminal
/// do not reach it. Waits until its end, or until `go_on`, which is called often, returns false, and then ends it. Any
/// thread. Throws an Error on platforms that cannot start programs.
ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   const std::vector<std::pair<std::string, std::string>>& environment, double seconds,
                   const std::function<bool()>& go_on = {});

/// Starts a program that may outlive this one, and waits `seconds` for an early failure. `words` are the program,
/// searched in $PATH, and its arguments; no shell is used. Returns the failure; nothing if the program runs, or ended
/// with 0. Any thread.
std::string start_program(const std::vector<std::string>& words, double seconds);

}  // namespace orrery
