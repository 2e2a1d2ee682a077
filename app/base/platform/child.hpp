/// A child process and this process's ends of its streams.
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
  /// "ended with exit code 3", "crashed (Segmentation fault)"; empty for success.
  std::string fault() const;
};

struct ChildStart {
  enum class Input {
    nothing,
    pipe,    ///< written by Child::write_some()
    channel  ///< both ways: Child::send() and receive(); in the child, send_to_parent() and receive_from_parent()
  };
  enum class Output {
    nothing,
    ours,        ///< shares this process's stream
    pipe,        ///< read by Child::read_output() or read_errors()
    with_output  ///< errors only: joined with the output
  };

  /// Searched in the search path if it has no folder.
  std::filesystem::path program;
  std::vector<std::string> arguments;                                 ///< passed without a shell
  std::vector<std::pair<std::string, std::string>> environment = {};  ///< added to this process's variables
  Input input = Input::nothing;
  Output output = Output::nothing, errors = Output::nothing;
  bool apart_from_terminal = true;  ///< key presses in this program's terminal do not reach it
};

/// One thread at a time, except request_end() and kill() while another one waits in receive(). The destructor lets a
/// running child continue.
class Child {
 public:
  /// Throws std::runtime_error with the reason.
  explicit Child(const ChildStart& start);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Its status if it has ended. Does not wait.
  std::optional<ChildStatus> poll();
  /// Waits for its end.
  ChildStatus wait();
  /// Asks it to end, if the system supports that; else ends it.
  void request_end();
  void kill();
  /// Leaves its end to the system.
  void forget();

  enum class Taken { some, none, closed };
  /// Writes as much to its input as fits now, and removes it from `bytes`. Throws std::runtime_error.
  Taken write_some(std::span<const std::uint8_t>& bytes);
  /// True if all bytes taken by write_some() have been written.
  bool written();
  void close_input();
  /// Appends its output since the last call. Does not wait.
  void read_output(std::string& text);
  void read_errors(std::string& text);
  /// Waits until its input has room or it has output, for at most this time.
  void wait_for_streams(std::chrono::milliseconds most);

  /// Sends everything through the channel; waits. False if the other end is closed.
  bool send(const void* bytes, std::size_t size);
  bool receive(void* bytes, std::size_t size);

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

/// For a child whose input is a channel. Waits; false if the parent is gone.
bool send_to_parent(const void* bytes, std::size_t size);
bool receive_from_parent(void* bytes, std::size_t size);
/// True if the parent has sent data within this time.
bool parent_has_sent(std::chrono::milliseconds within);

}  // namespace orrery::platform
