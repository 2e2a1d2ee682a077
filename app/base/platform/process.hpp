/// This process and its surroundings.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace orrery::platform {

/// Text in UTF-8 on terminals, and whatever else a process sets before it begins: variables without a value are
/// removed. To be called once, first.
void begin_process();

std::int64_t process_number();
/// A process of this number runs, whoever started it.
bool is_running(std::int64_t process);
/// This program, for starting it again: also if its file was replaced since (on Linux).
std::filesystem::path this_program();
/// The folder in which it is.
std::filesystem::path program_folder();

/// For this process and its children. Before any other thread starts.
void set_variable(const std::string& name, const std::string& value);
/// The value of a variable; empty where there is none.
inline std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? value : "";
}
/// All variables of the environment, as NAME=value.
std::vector<std::string> variables();
/// "Linux 6.1.0 x86_64", and the name of the machine.
std::string system_name();
std::string host_name();
/// The limits under which this process runs, its user, and what of the system is there: a text that differs where they
/// differ.
std::string limits();
/// "File too large: …", if files of this process may have so few bytes that compilers fail; else empty.
std::string small_file_limit();

/// Ends this process soon after its parent has ended, whatever its other threads wait for. (Not on Windows.)
void end_with_parent();

/// Goes on with the program of this process under these arguments; objects are not destroyed. Any thread. Returns only
/// if that fails: the reason.
std::string start_again(const std::vector<std::string>& arguments);

/// The function of that name in the OpenCL loader; nullptr where it has none.
void* function_of_opencl(const char* name);
/// Why this library cannot be loaded; empty if it can, or if the system does not tell.
std::string why_not_loadable(const std::filesystem::path& library);

/// The path of a program in the search path.
std::optional<std::filesystem::path> find_program(const std::string& name);
/// The command that opens a text in an editor with a window, or a folder in the file manager, as the desktop chooses.
std::vector<std::string> text_opener();
std::vector<std::string> folder_opener();

}  // namespace orrery::platform
