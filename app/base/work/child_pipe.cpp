#include "base/work/child_pipe.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <thread>

#include "base/clock.hpp"
#include "base/text.hpp"

extern char** environ;
#endif

namespace orrery {
namespace fs = std::filesystem;

namespace {

bool can_be_run([[maybe_unused]] const fs::path& file) {
#ifdef _WIN32
  return true;
#else
  return ::access(file.c_str(), X_OK) == 0;
#endif
}

}  // namespace

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
    if (fs::is_regular_file(candidate, ignored) && can_be_run(candidate)) return candidate;
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

bool ChildPipe::write(std::span<const std::uint8_t> bytes, double, const GoOn& go_on) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), process_->input) != bytes.size())
    throw failure(process_->name + " does not read its input");
  return go_on();
}

bool ChildPipe::finish(double, const GoOn&) {
  const int code = _pclose(std::exchange(process_->input, nullptr));
  if (code != 0) throw failure(process_->name + " failed with exit code " + std::to_string(code));
  return true;
}

#else

namespace {

constexpr int turn = 100;  // milliseconds between two checks

int flags_of(int descriptor) { return ::fcntl(descriptor, F_GETFL); }

// The last line that is not empty.
std::string last_line(const std::string& text) {
  constexpr std::size_t longest = 200;
  std::string line;
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);)
    if (one.find_first_not_of(" \t\r") != std::string::npos) line = one;
  std::erase_if(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (line.size() > longest) line.resize(longest);
  return line;
}

}  // namespace

struct ChildPipe::Process {
  pid_t id = -1;
  int input = -1, output = -1;
  std::string name, said;

  ~Process() {
    for (const int end : {input, output})
      if (end >= 0) ::close(end);
    if (id < 0) return;
    ::kill(id, SIGTERM);
    for (const double began = now_seconds(); now_seconds() - began < 1;) {
      if (::waitpid(id, nullptr, WNOHANG) != 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(id, SIGKILL);
    ::waitpid(id, nullptr, 0);
  }

  void listen() {
    constexpr std::size_t most = 1 << 14;
    std::array<char, 4096> bytes{};
    for (ssize_t count = 0; (count = ::read(output, bytes.data(), bytes.size())) > 0;)
      said.append(bytes.data(), static_cast<std::size_t>(count));
    if (said.size() > most) said.erase(0, said.size() - most);
  }

  /// Waits a turn until its input has room, or only for its output.
  void wait_a_turn() {
    std::array<pollfd, 2> ends{{{input, POLLOUT, 0}, {output, POLLIN, 0}}};
    ::poll(ends.data(), ends.size(), turn);
    if ((ends[1].revents & POLLIN) != 0) listen();
    if ((ends[1].revents & (POLLIN | POLLHUP)) == POLLHUP) ::close(std::exchange(output, -1));
  }

  Error failed(const std::string& how) {
    listen();
    const std::string reason = last_line(said);
    return failure(name + " " + how + (reason.empty() ? "" : ": " + reason));
  }

  Error ended(int status) {
    id = -1;
    if (WIFEXITED(status)) return failed("failed with exit code " + std::to_string(WEXITSTATUS(status)));
    return failed(std::string("crashed (") + ::strsignal(WTERMSIG(status)) + ")");
  }
};

ChildPipe::ChildPipe(const fs::path& program, const std::vector<std::string>& arguments)
    : process_(std::make_unique<Process>()) {
  std::signal(SIGPIPE, SIG_IGN);  // a program that ends early is an error of write(), and must not end this process
  process_->name = program.string();
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0) throw failure("cannot make a pipe: " + std::string(std::strerror(errno)));
  process_->input = to[1];
  if (::pipe2(from, O_CLOEXEC) != 0) {
    ::close(to[0]);
    throw failure("cannot make a pipe: " + std::string(std::strerror(errno)));
  }
  process_->output = from[0];
  for (const int end : {process_->input, process_->output}) ::fcntl(end, F_SETFL, flags_of(end) | O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::posix_spawn_file_actions_adddup2(&actions, from[1], stream);
  posix_spawnattr_t attributes;
  sigset_t pipe_signal;
  ::sigemptyset(&pipe_signal);
  ::sigaddset(&pipe_signal, SIGPIPE);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words{process_->name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error = ::posix_spawn(&process_->id, process_->name.c_str(), &actions, &attributes, argv.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(to[0]);
  ::close(from[1]);
  if (error != 0) {
    process_->id = -1;
    throw failure("cannot start " + process_->name + ": " + std::strerror(error));
  }
}

ChildPipe::~ChildPipe() = default;

bool ChildPipe::write(std::span<const std::uint8_t> bytes, double patience, const GoOn& go_on) {
  for (double taken_when = now_seconds(); !bytes.empty();) {
    const ssize_t taken = ::write(process_->input, bytes.data(), bytes.size());
    if (taken > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(taken));
      taken_when = now_seconds();
      continue;
    }
    if (errno == EPIPE) {  // it has ended, or is about to; its exit status tells why
      if (!finish(patience, go_on)) return false;
      throw process_->failed("ended before it had read all its input");
    }
    if (errno != EAGAIN && errno != EINTR)
      throw process_->failed(std::string("takes nothing: ") + std::strerror(errno));
    if (!go_on()) return false;
    if (now_seconds() - taken_when > patience)
      throw process_->failed("read nothing for " + brief(patience) + " s and was stopped");
    process_->wait_a_turn();
  }
  return go_on();
}

bool ChildPipe::finish(double patience, const GoOn& go_on) {
  ::close(std::exchange(process_->input, -1));
  for (const double began = now_seconds(); now_seconds() - began < patience;) {
    int status = 0;
    if (::waitpid(process_->id, &status, WNOHANG) == process_->id) {
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw process_->ended(status);
      process_->id = -1;
      return true;
    }
    if (!go_on()) return false;
    process_->wait_a_turn();
  }
  throw process_->failed("did not end within " + brief(patience) + " s and was stopped");
}

#endif

}  // namespace orrery
