#include "base/work/child_run.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#ifndef _WIN32
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

extern char** environ;
#endif

namespace orrery {

#ifdef _WIN32

ChildEnd run_child(const std::filesystem::path&, const std::vector<std::string>&,
                   const std::vector<std::pair<std::string, std::string>>&, double, const std::function<bool()>&) {
  throw failure("this platform cannot start another program");
}

std::string start_program(const std::vector<std::string>&, double) {
  return "this platform cannot start another program";
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

/// The status of a child that ended within `seconds`.
std::optional<int> wait_for(pid_t id, double seconds, const std::function<void()>& meanwhile = {}) {
  int status = 0;
  for (const double began = now_seconds(); now_seconds() - began < seconds;) {
    if (::waitpid(id, &status, WNOHANG) == id) return status;
    if (meanwhile) meanwhile();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return std::nullopt;
}

/// The attributes of a new child: no input or output, and a process group of its own, so that key presses in this
/// program's terminal do not reach it.
struct Beginning {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  Beginning() {
    ::posix_spawn_file_actions_init(&actions);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  ~Beginning() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;
};

/// Collects the child's output without waiting for its end: a grandchild may keep the pipe open.
class Output {
 public:
  Output() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw failure(std::string("cannot make a pipe: ") + std::strerror(errno));
    ::fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ~Output() {
    for (const int end : ends_)
      if (end >= 0) ::close(end);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  int other_end() const { return ends_[1]; }
  void close_other_end() { ::close(std::exchange(ends_[1], -1)); }
  void collect() {
    std::array<char, 4096> bytes{};
    for (ssize_t count = 0; (count = ::read(ends_[0], bytes.data(), bytes.size())) > 0;) {
      text_.append(bytes.data(), static_cast<std::size_t>(count));
      if (text_.size() > 2 * most) text_.erase(0, text_.size() - most);
    }
  }
  const std::string& text() const { return text_; }

 private:
  static constexpr std::size_t most = 1 << 16;
  int ends_[2] = {-1, -1};
  std::string text_;
};

}  // namespace

ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   const std::vector<std::pair<std::string, std::string>>& environment, double seconds,
                   const std::function<bool()>& go_on) {
  Beginning beginning;
  Output output, errors;
  ::posix_spawn_file_actions_adddup2(&beginning.actions, output.other_end(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&beginning.actions, errors.other_end(), STDERR_FILENO);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(environment);
  pid_t id = -1;
  const int error = ::posix_spawn(&id, program.c_str(), &beginning.actions, &beginning.attributes,
                                  pointers_to(words).data(), pointers_to(variables).data());
  if (error != 0) throw failure("cannot start " + program.string() + ": " + std::strerror(error));
  output.close_other_end();
  errors.close_other_end();
  const auto end = wait_for(id, seconds, [&] {
    output.collect();
    errors.collect();
    if (go_on && !go_on()) ::kill(id, SIGTERM);
  });
  output.collect();
  errors.collect();
  if (end) return {end_of(*end), output.text(), errors.text()};
  int status = 0;
  ::kill(id, SIGKILL);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::waitpid(id, &status, WNOHANG);  // a child stuck in the kernel is left alone
  return {"did not answer within " + std::to_string(static_cast<int>(seconds)) + " s", output.text(), errors.text()};
}

std::string start_program(const std::vector<std::string>& words, double seconds) {
  const Beginning beginning;
  std::vector<std::string> copies = words;
  pid_t id = -1;
  const int error = ::posix_spawnp(&id, words.at(0).c_str(), &beginning.actions, &beginning.attributes,
                                   pointers_to(copies).data(), environ);
  if (error != 0) return std::strerror(error);
  if (const auto status = wait_for(id, seconds)) return end_of(*status);
  std::thread([id] { ::waitpid(id, nullptr, 0); }).detach();  // only the system needs its exit status
  return {};
}

#endif

}  // namespace orrery
