/// Another program that is fed through its standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// Where the search path has a program of that name.
std::optional<std::filesystem::path> find_program(const std::string& name);

/// One thread. Keys in this program's terminal are none of the other's business, and what it prints is not seen, but
/// for the reason of its failure.
class ChildPipe {
 public:
  /// Asked several times a second while the program is waited for; false gives it up.
  using GoOn = std::function<bool()>;

  /// Starts it with those arguments, without a shell. Throws Error.
  ChildPipe(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  /// Ends it, if finish() was not called.
  ~ChildPipe();
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;

  /// False when it was given up. Throws Error when the program ends, or takes nothing for `patience` seconds.
  bool write(std::span<const std::uint8_t> bytes, double patience, const GoOn& go_on);
  /// Ends its input and waits for its end; false when it was given up. Throws Error unless its exit code is 0.
  bool finish(double patience, const GoOn& go_on);

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

}  // namespace orrery
