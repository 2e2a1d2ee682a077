/// This process and its surroundings.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::platform {

/// Prepares the process: UTF-8 text on terminals; variables without a value are removed. Call once, first.
void begin_process();

std::int64_t process_number();
/// True if a process with this number runs.
bool is_running(std::int64_t process);
/// The path for restarting this program; on Linux also valid after its file was replaced.
std::filesystem::path this_program();
/// The folder of this program.
std::filesystem::path program_folder();

/// Sets a variable for this process and its children. Call before any other thread starts.
void set_variable(const std::string& name, const std::string& value);
/// The value of a variable; empty: not set.
inline std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? value : "";
}
/// All variables of the environment, as NAME=value.
std::vector<std::string> variables();
/// "Linux 6.1.0 x86_64", and the name of the machine.
std::string system_name();
std::string host_name();
/// The process's limits, its user and the available parts of the system, as a text for comparison.
std::string limits();
/// "File too large: …", if the limit of file sizes makes compilers fail; else empty.
std::string small_file_limit();

/// Ends this process soon after its parent, even if other threads are blocked. (No effect on Windows.)
void end_with_parent();

/// Restarts this process's program with these arguments; objects are not destroyed. Any thread. Returns the reason only
/// if that fails.
std::string start_again(const std::vector<std::string>& arguments);

/// The function of that name in the OpenCL loader; nullptr: missing.
void* function_of_opencl(const char* name);
/// Why this library cannot be loaded; empty: it can, or unknown.
std::string why_not_loadable(const std::filesystem::path& library);

/// The path of a program in the search path.
std::optional<std::filesystem::path> find_program(const std::string& name);
/// The command that opens a text in an editor with a window, or a folder in the file manager, as the desktop chooses.
std::vector<std::string> text_opener();
std::vector<std::string> folder_opener();

}  // namespace orrery::platform
