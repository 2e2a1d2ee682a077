/// A child process that is fed through its standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// One thread. Key presses in this program's terminal do not reach the child, and its output is discarded except for
/// the reason of a failure.
class ChildPipe {
 public:
  /// Called several times a second while waiting; false cancels.
  using GoOn = std::function<bool()>;

  /// Starts the program with these arguments, without a shell. Throws Error.
  ChildPipe(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  /// Ends the program if finish() was not called.
  ~ChildPipe();
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;

  /// False after cancellation. Throws an Error if the program ends, or reads nothing for `patience` seconds.
  bool write(std::span<const std::uint8_t> bytes, double patience, const GoOn& go_on);
  /// Closes its input and waits for its end; false after cancellation. Throws an Error unless its exit code is 0.
  bool finish(double patience, const GoOn& go_on);

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

}  // namespace orrery
