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
#include <thread>

extern char** environ;
#endif

namespace orrery {

#ifdef _WIN32

std::string run_child(const std::filesystem::path&, const std::vector<std::string>&,
                      const std::vector<std::pair<std::string, std::string>>&, double) {
  throw failure("no other program can be run here");
}

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

}  // namespace

std::string run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                      const std::vector<std::pair<std::string, std::string>>& environment, double seconds) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(environment);
  pid_t id = -1;
  const int error = ::posix_spawn(&id, program.c_str(), &actions, nullptr, pointers_to(words).data(),
                                  pointers_to(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw failure("cannot start " + program.string() + ": " + std::strerror(error));
  int status = 0;
  for (const double began = now_seconds(); now_seconds() - began < seconds;) {
    if (::waitpid(id, &status, WNOHANG) == id) return end_of(status);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ::kill(id, SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::waitpid(id, &status, WNOHANG);  // one that is stuck in the kernel is left to itself
  return "did not answer within " + std::to_string(static_cast<int>(seconds)) + " s";
}

#endif

}  // namespace orrery
