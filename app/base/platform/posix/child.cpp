#include "base/platform/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "base/platform/file.hpp"
#include "base/platform/process.hpp"

namespace orrery::platform {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> variables_with(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::vector<std::string> result = variables();
  for (const auto& [name, value] : changes) {
    const std::string beginning = name + "=";
    std::erase_if(result, [&](const std::string& entry) { return entry.starts_with(beginning); });
    result.push_back(beginning + value);
  }
  return result;
}

struct Ends {
  Descriptor ours, theirs;
};

Ends made_by(int result, const int (&ends)[2], int ours) {
  if (result != 0) throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno));
  return {Descriptor(ends[ours]), Descriptor(ends[1 - ours])};
}

// Our end never blocks. If the child ends early, write() fails, and this process must survive that.
Ends pipe_to_child() {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  Ends made = made_by(::pipe2(ends, O_CLOEXEC), ends, 1);
  ::fcntl(made.ours.number(), F_SETFL, O_NONBLOCK);
  return made;
}

Ends pipe_from_child() {
  int ends[2];
  Ends made = made_by(::pipe2(ends, O_CLOEXEC), ends, 0);
  ::fcntl(made.ours.number(), F_SETFL, O_NONBLOCK);
  return made;
}

Ends channel() {
  int ends[2];
  return made_by(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), ends, 0);
}

/// Settings for the start of the child.
struct Beginning {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;

  explicit Beginning(bool own_group) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
    sigset_t pipe_signal;
    ::sigemptyset(&pipe_signal);
    ::sigaddset(&pipe_signal, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &pipe_signal);
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    const int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (own_group ? POSIX_SPAWN_SETPGROUP : 0);
    ::posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
  }
  ~Beginning() {
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;

  void connect(int stream, const Descriptor& end) {
    ::posix_spawn_file_actions_adddup2(&actions, end.number(), stream);
  }
  void connect_to_nothing(int stream) { ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0); }
};

ChildStatus status_from(int status) {
  if (WIFEXITED(status)) return {.code = WEXITSTATUS(status)};
  return {.crashed = true, .crash = ::strsignal(WTERMSIG(status))};
}

void append_what_came(const Descriptor& from, std::string& text) {
  if (!from) return;
  std::array<char, 4096> bytes{};
  for (ssize_t count = 0; (count = ::read(from.number(), bytes.data(), bytes.size())) > 0;)
    text.append(bytes.data(), static_cast<std::size_t>(count));
}

bool send_all(int socket, const void* bytes, std::size_t size) {
  const char* next = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(socket, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* bytes, std::size_t size) {
  char* next = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t received = ::recv(socket, next, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    next += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

}  // namespace

struct Child::Process {
  pid_t id = -1;
  Descriptor input, output, errors;
};

Child::Child(const ChildStart& start) : process_(std::make_unique<Process>()) {
  using enum ChildStart::Output;
  Beginning beginning(start.apart_from_terminal);
  Ends input, output, errors;  // the child's ends are closed here after the start
  if (start.input == ChildStart::Input::nothing) {
    beginning.connect_to_nothing(STDIN_FILENO);
  } else {
    input = start.input == ChildStart::Input::pipe ? pipe_to_child() : channel();
    beginning.connect(STDIN_FILENO, input.theirs);
  }
  if (start.output == nothing) beginning.connect_to_nothing(STDOUT_FILENO);
  if (start.output == pipe) beginning.connect(STDOUT_FILENO, (output = pipe_from_child()).theirs);
  if (start.errors == nothing) beginning.connect_to_nothing(STDERR_FILENO);
  if (start.errors == pipe) beginning.connect(STDERR_FILENO, (errors = pipe_from_child()).theirs);
  if (start.errors == with_output) beginning.connect(STDERR_FILENO, output.theirs);
  std::vector<std::string> words{start.program.string()};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<std::string> environment = variables_with(start.environment);
  const int error = ::posix_spawnp(&process_->id, start.program.c_str(), &beginning.actions, &beginning.attributes,
                                   pointers_to(words).data(), pointers_to(environment).data());
  if (error != 0) throw std::runtime_error(std::strerror(error));
  process_->input = std::move(input.ours);
  process_->output = std::move(output.ours);
  process_->errors = std::move(errors.ours);
}

Child::~Child() = default;

std::optional<ChildStatus> Child::poll() {
  int status = 0;
  if (process_->id < 0 || ::waitpid(process_->id, &status, WNOHANG) != process_->id) return std::nullopt;
  process_->id = -1;
  return status_from(status);
}

ChildStatus Child::wait() {
  int status = 0;
  while (process_->id > 0 && ::waitpid(process_->id, &status, 0) < 0 && errno == EINTR) {
  }
  process_->id = -1;
  return status_from(status);
}

void Child::request_end() {
  if (process_->id > 0) ::kill(process_->id, SIGTERM);
}

void Child::kill() {
  if (process_->id > 0) ::kill(process_->id, SIGKILL);
}

void Child::forget() {
  if (process_->id > 0) std::thread([id = process_->id] { ::waitpid(id, nullptr, 0); }).detach();
  process_->id = -1;
}

Child::Taken Child::write_some(std::span<const std::uint8_t>& bytes) {
  const ssize_t taken = ::write(process_->input.number(), bytes.data(), bytes.size());
  if (taken > 0) {
    bytes = bytes.subspan(static_cast<std::size_t>(taken));
    return Taken::some;
  }
  if (errno == EPIPE) return Taken::closed;
  if (errno != EAGAIN && errno != EINTR) throw std::runtime_error(std::strerror(errno));
  return Taken::none;
}

bool Child::written() { return true; }
void Child::close_input() { process_->input.reset(); }
void Child::read_output(std::string& text) { append_what_came(process_->output, text); }
void Child::read_errors(std::string& text) { append_what_came(process_->errors, text); }

void Child::wait_for_streams(std::chrono::milliseconds most) {
  std::array<pollfd, 3> ends{{{process_->input.number(), POLLOUT, 0},
                              {process_->output.number(), POLLIN, 0},
                              {process_->errors.number(), POLLIN, 0}}};
  ::poll(ends.data(), ends.size(), static_cast<int>(most.count()));
  // A stream that the child has closed would end each wait at once.
  const auto ended = [](const pollfd& end) { return (end.revents & (POLLIN | POLLHUP)) == POLLHUP; };
  if (ended(ends[1])) process_->output.reset();
  if (ended(ends[2])) process_->errors.reset();
}

bool Child::send(const void* bytes, std::size_t size) { return send_all(process_->input.number(), bytes, size); }
bool Child::receive(void* bytes, std::size_t size) { return receive_all(process_->input.number(), bytes, size); }

bool send_to_parent(const void* bytes, std::size_t size) { return send_all(STDIN_FILENO, bytes, size); }
bool receive_from_parent(void* bytes, std::size_t size) { return receive_all(STDIN_FILENO, bytes, size); }

bool parent_has_sent(std::chrono::milliseconds within) {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&input, 1, static_cast<int>(within.count()))) < 0 && errno == EINTR) {
  }
  return ready > 0;
}

}  // namespace orrery::platform
