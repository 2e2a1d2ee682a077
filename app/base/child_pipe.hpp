/// Another program that is fed through its standard input.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace orrery {

/// Where the search path has a program of that name.
std::optional<std::filesystem::path> find_program(const std::string& name);

class ChildPipe {
 public:
  /// Starts it with those arguments, without a shell. Throws Error.
  ChildPipe(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  /// Ends it, if finish() was not called.
  ~ChildPipe();
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;

  /// Throws Error when the program does not take it.
  void write(std::span<const std::uint8_t> bytes);
  /// Ends its input and waits for its end. Throws Error unless its exit code is 0.
  void finish();

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

}  // namespace orrery
