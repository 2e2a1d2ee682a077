#include "base/work/child_talk.hpp"

#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>

#ifndef _WIN32
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

extern char** environ;
#endif

namespace orrery {

#ifdef _WIN32

struct ChildTalk::Process {};
ChildTalk::ChildTalk(std::filesystem::path program, std::vector<std::string> arguments)
    : program_(std::move(program)), arguments_(std::move(arguments)) {}
ChildTalk::~ChildTalk() = default;
Message ChildTalk::ask(const Message&) { throw failure("this platform cannot start another program"); }
void ChildTalk::stop() {}
std::optional<Message> next_question(std::chrono::seconds) { return std::nullopt; }
bool answer(const Message&) { return false; }

#else

namespace {

// The format: the number of texts, then the length and bytes of each.
constexpr std::uint64_t most_texts = 64, longest_text = std::uint64_t{1} << 31;

bool send_bytes(int socket, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = ::send(socket, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_bytes(int socket, void* data, std::size_t size) {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t received = ::recv(socket, next, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    next += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

bool send_message(int socket, const Message& message) {
  const std::uint64_t count = message.size();
  if (!send_bytes(socket, &count, sizeof count)) return false;
  for (const std::string& text : message) {
    const std::uint64_t size = text.size();
    if (!send_bytes(socket, &size, sizeof size) || !send_bytes(socket, text.data(), text.size())) return false;
  }
  return true;
}

std::optional<Message> receive_message(int socket) {
  std::uint64_t count = 0;
  if (!receive_bytes(socket, &count, sizeof count) || count > most_texts) return std::nullopt;
  Message message;
  for (std::uint64_t k = 0; k < count; ++k) {
    std::uint64_t size = 0;
    if (!receive_bytes(socket, &size, sizeof size) || size > longest_text) return std::nullopt;
    std::string& text = message.emplace_back(size, '\0');
    if (!receive_bytes(socket, text.data(), text.size())) return std::nullopt;
  }
  return message;
}

}  // namespace

struct ChildTalk::Process {
  std::mutex mutex;  // guards the next two against stop()
  pid_t id = -1;
  int socket = -1;
  bool stopped = false;

  void start(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw failure("cannot communicate with another process: " + std::string(std::strerror(errno)));
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);  // the output of drivers
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::lock_guard lock(mutex);
    const int error = ::posix_spawn(&id, program.c_str(), &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    socket = ends[0];
    stopped = false;
    if (error == 0) return;
    id = -1;
    ::close(std::exchange(socket, -1));
    throw failure("cannot start " + program.string() + ": " + std::strerror(error));
  }

  /// The exit status; waits for the end, which is near.
  int end() {
    int status = 0;
    const std::lock_guard lock(mutex);
    if (socket >= 0) ::close(std::exchange(socket, -1));
    while (id > 0 && ::waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    id = -1;
    return status;
  }

  void kill() {
    const std::lock_guard lock(mutex);
    if (id > 0) ::kill(id, SIGKILL);
    stopped = id > 0;
  }
};

ChildTalk::ChildTalk(std::filesystem::path program, std::vector<std::string> arguments)
    : program_(std::move(program)), arguments_(std::move(arguments)), process_(std::make_unique<Process>()) {}

ChildTalk::~ChildTalk() {
  process_->kill();
  process_->end();
}

Message ChildTalk::ask(const Message& question) {
  // An idle child ends by itself after a while; the question goes to a new one.
  for (const bool again : {true, false}) {
    if (process_->id < 0) process_->start(program_, arguments_);
    if (send_message(process_->socket, question))
      if (auto found = receive_message(process_->socket)) return std::move(*found);
    const int status = process_->end();
    if (process_->stopped) throw ChildCrash(Fault::failure, {.what = "was stopped"});
    if (WIFSIGNALED(status))
      throw ChildCrash(Fault::failure, {.what = "crashed (" + std::string(::strsignal(WTERMSIG(status))) + ")"});
    if (!again || WEXITSTATUS(status) != 0)
      throw failure("ended with exit code " + std::to_string(WEXITSTATUS(status)));
  }
  throw failure("does not answer");
}

void ChildTalk::stop() { process_->kill(); }

std::optional<Message> next_question(std::chrono::seconds patience) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  const auto limit = static_cast<int>(std::chrono::milliseconds(patience).count());
  int ready = 0;
  while ((ready = ::poll(&input, 1, limit)) < 0 && errno == EINTR) {
  }
  return ready > 0 ? receive_message(STDIN_FILENO) : std::nullopt;
}

bool answer(const Message& message) { return send_message(STDIN_FILENO, message); }

#endif

}  // namespace orrery
