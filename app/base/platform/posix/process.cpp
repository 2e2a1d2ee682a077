#include "base/platform/process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <thread>

#include "base/text.hpp"

extern char** environ;

namespace orrery::platform {
namespace fs = std::filesystem;

// Removes empty variables, so that drivers and libraries see them as unset: PoCL aborts over an empty POCL_CACHE_DIR.
void begin_process() {
  for (const std::string& entry : variables())
    if (entry.ends_with('=') && entry.find('=') + 1 == entry.size())
      ::unsetenv(entry.substr(0, entry.size() - 1).c_str());
}

std::int64_t process_number() { return ::getpid(); }

// The kernel's own PR_SET_PDEATHSIG refers to the thread that started the child, not to the process.
void end_with_parent() try {
  std::thread([parent = ::getppid()] {
    while (::getppid() == parent) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::_exit(EXIT_FAILURE);
  }).detach();
} catch (const std::system_error&) {  // no thread: usually, the parent ends this process
}
bool is_running(std::int64_t process) { return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM; }
fs::path this_program() { return "/proc/self/exe"; }

fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink(this_program(), ignored).parent_path();
}

void set_variable(const std::string& name, const std::string& value) { ::setenv(name.c_str(), value.c_str(), 1); }

std::vector<std::string> variables() {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
  return result;
}

std::string system_name() {
  utsname system{};
  if (::uname(&system) != 0) return {};
  return std::string(system.sysname) + " " + system.release + " " + system.machine;
}

std::string host_name() {
  utsname system{};
  return ::uname(&system) == 0 ? system.nodename : "";
}

std::string limits() {
  std::string text;
  for (const auto resource :
       {RLIMIT_AS, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_MEMLOCK, RLIMIT_FSIZE, RLIMIT_CPU}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) == 0) text += std::to_string(limit.rlim_cur) + " ";
  }
  // Paths that bare systems and containers may lack.
  for (const char* place : {"/sys/devices/system", "/proc/self", "/dev/shm", "/dev/dri", "/dev/kfd", "/dev/nvidiactl"})
    text += ::access(place, R_OK) == 0 ? "+" : "-";
  return text + std::to_string(::geteuid());
}

std::string small_file_limit() {
  constexpr rlim_t small = 16 << 20;
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= small) return {};
  return "File too large: files of this process are limited to " + bytes_text(static_cast<double>(limit.rlim_cur)) +
         " (ulimit -f)";
}

namespace {

std::vector<char*> exec_pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Closes drivers' connections in the next program: a server would take an inherited connection as alive.
void keep_connections_here() {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/self/fd", ignored)) {
    const int descriptor = std::atoi(entry.path().filename().c_str());
    struct stat status {};
    if (descriptor > STDERR_FILENO && ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode))
      ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
}

}  // namespace

std::string start_again(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"orrery"}, environment = variables();
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::fflush(stdout);
  keep_connections_here();
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::execve(this_program().c_str(), exec_pointers(words).data(), exec_pointers(environment).data());
  return std::strerror(errno);
}

void* function_of_opencl(const char* name) { return ::dlsym(RTLD_DEFAULT, name); }

std::string why_not_loadable(const fs::path& library) {
  if (void* loaded = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD)) return ::dlclose(loaded), "";
  if (void* here = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL)) return ::dlclose(here), "";
  const char* reason = ::dlerror();
  return reason != nullptr ? reason : "";
}

std::optional<fs::path> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && ::access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

std::vector<std::string> text_opener() { return {"xdg-open"}; }
std::vector<std::string> folder_opener() { return {"xdg-open"}; }

}  // namespace orrery::platform
