/// A child process, and our ends of its streams.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace orrery::platform {

/// How a child ended.
struct ChildStatus {
  bool crashed = false;
  int code = 0;            ///< its exit code, unless it crashed
  std::string crash = {};  ///< "Segmentation fault"

  bool well() const { return !crashed && code == 0; }
  /// "ended with exit code 3", "crashed (Segmentation fault)"; empty where it ended well.
  std::string fault() const;
};

struct ChildStart {
  enum class Input {
    nothing,
    pipe,    ///< is written by Child::write_some()
    channel  ///< is both ways: Child::send() and receive(), and send_to_parent() and receive_from_parent() there
  };
  enum class Output {
    nothing,
    ours,        ///< goes where that of this process goes
    pipe,        ///< is read by Child::read_output() or read_errors()
    with_output  ///< of the errors: into the pipe of the output
  };

  /// Without a folder, it is searched in the search path.
  std::filesystem::path program;
  std::vector<std::string> arguments;                                 ///< no shell sees them
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< variables besides those of this process
  Input input = Input::nothing;
  Output output = Output::nothing, errors = Output::nothing;
  bool apart_from_terminal = true;  ///< key presses in this program's terminal do not reach it
};

/// One thread at a time, but request_end() and kill() while another one waits in receive(). A child that runs still
/// goes on without its owner.
class Child {
 public:
  /// Throws std::runtime_error with the reason.
  explicit Child(const ChildStart& start);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// How it ended, if it has. Does not wait.
  std::optional<ChildStatus> poll();
  /// Waits for its end.
  ChildStatus wait();
  /// Asks it to end, where the system has such a request; else ends it.
  void request_end();
  void kill();
  /// Its end is of interest to the system alone.
  void forget();

  enum class Taken { some, none, closed };
  /// Writes as much to its input as has room now, and takes that off `bytes`. Throws std::runtime_error.
  Taken write_some(std::span<const std::uint8_t>& bytes);
  /// Nothing that write_some() has taken waits here for room.
  bool written();
  void close_input();
  /// Appends what it has said since the last call. Does not wait.
  void read_output(std::string& text);
  void read_errors(std::string& text);
  /// Waits until its input has room or it has said something, but no longer than this.
  void wait_for_streams(std::chrono::milliseconds most);

  /// Through the channel, all of it; waits. False if the other end is closed.
  bool send(const void* bytes, std::size_t size);
  bool receive(void* bytes, std::size_t size);

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

/// In a child whose input is a channel. Waits; false if the parent is gone.
bool send_to_parent(const void* bytes, std::size_t size);
bool receive_from_parent(void* bytes, std::size_t size);
/// The parent has sent something, within this time.
bool parent_has_sent(std::chrono::milliseconds within);

}  // namespace orrery::platform
