#include "base/child_pipe.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

extern char** environ;
#endif

namespace orrery {
namespace fs = std::filesystem;

std::optional<fs::path> find_program(const std::string& name) {
#ifdef _WIN32
  constexpr char separator = ';';
  const std::string file = name + ".exe";
#else
  constexpr char separator = ':';
  const std::string& file = name;
#endif
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / file;
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored)) return candidate;
  }
  return std::nullopt;
}

#ifdef _WIN32

struct ChildPipe::Process {
  std::FILE* input = nullptr;
  std::string name;
};

ChildPipe::ChildPipe(const fs::path& program, const std::vector<std::string>& arguments)
    : process_(std::make_unique<Process>()) {
  std::string line = "\"\"" + program.string() + "\"";
  for (const std::string& argument : arguments) line += " \"" + argument + "\"";
  process_->name = program.string();
  process_->input = _popen((line + "\"").c_str(), "wb");
  if (process_->input == nullptr) throw failure("cannot start " + process_->name);
}

ChildPipe::~ChildPipe() {
  if (process_->input != nullptr) _pclose(process_->input);
}

void ChildPipe::write(std::span<const std::uint8_t> bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), process_->input) != bytes.size())
    throw failure(process_->name + " does not take its input");
}

void ChildPipe::finish() {
  const int code = _pclose(std::exchange(process_->input, nullptr));
  if (code != 0) throw failure(process_->name + " failed with exit code " + std::to_string(code));
}

#else

struct ChildPipe::Process {
  pid_t id = -1;
  int input = -1;
  std::string name;

  int wait() {
    int status = 0;
    while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    id = -1;
    return status;
  }
};

ChildPipe::ChildPipe(const fs::path& program, const std::vector<std::string>& arguments)
    : process_(std::make_unique<Process>()) {
  std::signal(SIGPIPE, SIG_IGN);  // a program that ends early is an error of write(), not our end
  process_->name = program.string();
  int ends[2];
  if (::pipe(ends) != 0) throw failure("cannot make a pipe: " + std::string(std::strerror(errno)));
  ::fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  ::posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<std::string> words{process_->name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error = ::posix_spawn(&process_->id, process_->name.c_str(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  process_->input = ends[1];
  if (error != 0) {
    process_->id = -1;
    throw failure("cannot start " + process_->name + ": " + std::strerror(error));
  }
}

ChildPipe::~ChildPipe() {
  if (process_->input >= 0) ::close(process_->input);
  if (process_->id < 0) return;
  ::kill(process_->id, SIGTERM);
  process_->wait();
}

void ChildPipe::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t taken = ::write(process_->input, bytes.data(), bytes.size());
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) throw failure(process_->name + " does not take its input: " + std::strerror(errno));
    bytes = bytes.subspan(static_cast<std::size_t>(taken));
  }
}

void ChildPipe::finish() {
  ::close(process_->input);
  process_->input = -1;
  const int status = process_->wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw failure(process_->name + " failed" +
                (WIFEXITED(status) ? " with exit code " + std::to_string(WEXITSTATUS(status)) : std::string()));
}

#endif

}  // namespace orrery
