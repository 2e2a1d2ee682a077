#include "base/child_run.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

extern char** environ;
#endif

namespace orrery {

#ifdef _WIN32

std::string run_child(const std::filesystem::path&, const std::vector<std::string>&,
                      const std::vector<std::pair<std::string, std::string>>&, double) {
  throw failure("no other program can be run here");
}

std::string start_program(const std::vector<std::string>&, double) { return "no other program can be run here"; }

#else

namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    bool changed = false;
    for (const auto& [name, value] : changes) changed = changed || text.starts_with(name + "=");
    if (!changed) result.emplace_back(text);
  }
  for (const auto& [name, value] : changes) result.push_back(name + "=" + value);
  return result;
}

std::string end_of(int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status)) return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  return "crashed (" + std::string(::strsignal(WTERMSIG(status))) + ")";
}

/// Ended within so many seconds: its status.
std::optional<int> wait_for(pid_t id, double seconds) {
  int status = 0;
  for (const double began = now_seconds(); now_seconds() - began < seconds;) {
    if (::waitpid(id, &status, WNOHANG) == id) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return std::nullopt;
}

/// Input and output are nobody's.
struct Silence {
  posix_spawn_file_actions_t actions;
  Silence() {
    ::posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  ~Silence() { ::posix_spawn_file_actions_destroy(&actions); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
};

}  // namespace

std::string run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      const std::vector<std::pair<std::string, std::string>>& environment, double seconds) {
  const Silence silence;
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(environment);
  pid_t id = -1;
  const int error = ::posix_spawn(&id, program.c_str(), &silence.actions, nullptr, pointers_to(words).data(),
                                  pointers_to(variables).data());
  if (error != 0) throw failure("cannot start " + program.string() + ": " + std::strerror(error));
  if (const auto status = wait_for(id, seconds)) return end_of(*status);
  int status = 0;
  ::kill(id, SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::waitpid(id, &status, WNOHANG);  // one that is stuck in the kernel is left to itself
  return "did not answer within " + std::to_string(static_cast<int>(seconds)) + " s";
}

std::string start_program(const std::vector<std::string>& words, double seconds) {
  const Silence silence;
  std::vector<std::string> copies = words;
  posix_spawnattr_t own_group;  // so that a key in this program's terminal is none of its business
  ::posix_spawnattr_init(&own_group);
  ::posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP);
  pid_t id = -1;
  const int error =
      ::posix_spawnp(&id, words.at(0).c_str(), &silence.actions, &own_group, pointers_to(copies).data(), environ);
  ::posix_spawnattr_destroy(&own_group);
  if (error != 0) return std::strerror(error);
  if (const auto status = wait_for(id, seconds)) return end_of(*status);
  std::thread([id] { ::waitpid(id, nullptr, 0); }).detach();  // its end interests nobody but the system
  return {};
}

#endif

}  // namespace orrery
