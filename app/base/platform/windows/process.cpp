#include "base/platform/process.hpp"

#include <fcntl.h>
#include <io.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "base/platform/child.hpp"
#include "base/platform/windows/system.hpp"

namespace orrery::platform {
namespace fs = std::filesystem;

// The executable's manifest selects UTF-8 for arguments and variables.
void begin_process() {
  SetConsoleOutputCP(CP_UTF8);
  for (std::FILE* stream : {stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);  // lines end as in files: \n
  DWORD mode = 0;
  const HANDLE terminal = GetStdHandle(STD_ERROR_HANDLE);  // a progress line clears itself there
  if (GetConsoleMode(terminal, &mode)) SetConsoleMode(terminal, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);  // a child that crashes must not wait for a person
}

std::int64_t process_number() { return GetCurrentProcessId(); }

void end_with_parent() {}

bool is_running(std::int64_t process) {
  const Handle handle(OpenProcess(SYNCHRONIZE, FALSE, static_cast<DWORD>(process)));
  if (!handle) return GetLastError() == ERROR_ACCESS_DENIED;
  return WaitForSingleObject(handle.get(), 0) == WAIT_TIMEOUT;
}

fs::path this_program() {
  std::array<wchar_t, 32768> path{};
  const DWORD length = GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
  return fs::path(std::wstring_view(path.data(), length));
}

fs::path program_folder() { return this_program().parent_path(); }

void set_variable(const std::string& name, const std::string& value) {
  _wputenv_s(wide(name).c_str(), wide(value).c_str());
}

std::vector<std::string> variables() {
  std::vector<std::string> result;
  wchar_t* const block = GetEnvironmentStringsW();
  for (const wchar_t* entry = block; *entry != 0; entry += std::wstring_view(entry).size() + 1)
    result.push_back(narrow(entry));
  FreeEnvironmentStringsW(block);
  return result;
}

std::string system_name() { return "Windows"; }

std::string host_name() {
  std::array<wchar_t, MAX_COMPUTERNAME_LENGTH + 1> name{};
  auto length = static_cast<DWORD>(name.size());
  return GetComputerNameW(name.data(), &length) ? narrow({name.data(), length}) : "";
}

std::string limits() { return {}; }
std::string small_file_limit() { return {}; }

// A process cannot replace its program: this one hides its window, starts another process and returns its exit code.
std::string start_again(const std::vector<std::string>& arguments) {
  using enum ChildStart::Output;
  try {
    std::fflush(stdout);
    EnumThreadWindows(
        GetCurrentThreadId(), [](HWND window, LPARAM) { return ShowWindow(window, SW_HIDE), TRUE; }, 0);
    Child successor(ChildStart{this_program(), arguments, {}, ChildStart::Input::nothing, ours, ours, false});
    std::_Exit(successor.wait().code);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

void* function_of_opencl(const char* name) {
  const HMODULE loader = GetModuleHandleW(L"OpenCL.dll");
  return loader == nullptr ? nullptr : reinterpret_cast<void*>(GetProcAddress(loader, name));
}

// Unknown here: only the loader knows the drivers.
std::string why_not_loadable(const fs::path&) { return {}; }

std::optional<fs::path> find_program(const std::string& name) {
  std::array<wchar_t, 32768> path{};
  const DWORD length =
      SearchPathW(nullptr, wide(name).c_str(), L".exe", static_cast<DWORD>(path.size()), path.data(), nullptr);
  if (length == 0 || length >= path.size()) return std::nullopt;
  return fs::path(std::wstring_view(path.data(), length));
}

std::vector<std::string> text_opener() { return {"notepad"}; }
// explorer.exe itself returns 1 after handing the folder to a running instance.
std::vector<std::string> folder_opener() { return {"cmd", "/c", "start", "/b", "explorer"}; }

}  // namespace orrery::platform
