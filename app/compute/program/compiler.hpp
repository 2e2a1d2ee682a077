/// Compiles programs in a separate process, for a window: some drivers block every other call during compilation
/// (NVIDIA's for half a second and more), and a compiler that crashes ends its process (as LLVM 18 does in PoCL 6.0).
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/work/child_pipe.hpp"
#include "compute/device/device_info.hpp"

namespace orrery {

struct Compiled {
  std::vector<unsigned char> binary;
  std::string log;  ///< warnings
};

/// Any thread; compiles two programs at a time, each in its own process, because NVIDIA's driver compiles in sequence
/// in one.
class Compiler {
 public:
  /// The processes are `program` with `arguments`; by default this program itself.
  Compiler();
  Compiler(const std::filesystem::path& program, const std::vector<std::string>& arguments)
      : seats_{Seat{program, arguments}, Seat{program, arguments}} {}

  /// Waits. `source` includes all its files; `name` is for messages. Throws an Error with the compiler's log or its
  /// crash; returns nothing if no other process can be used.
  std::optional<Compiled> compile(const DeviceInfo& device, const std::string& name, const std::string& options,
                                  const std::string& source);
  /// Cancels all compilations: compile() throws. Any thread; never waits.
  void stop() {
    for (Seat& seat : seats_) seat.child.stop();
  }

 private:
  struct Seat {
    Seat(const std::filesystem::path& program, const std::vector<std::string>& arguments) : child(program, arguments) {}
    std::mutex mutex;
    ChildTalk child;  // started by its first question
  };
  std::array<Seat, 2> seats_;
};

/// Makes every ProgramLibrary use this compiler, if ORRERY_COMPILER and the device allow it. Null: compiles in this
/// process.
void use_compiler(std::shared_ptr<Compiler> compiler);
/// Null if programs for the device are compiled in this process: for parts of a device; with ORRERY_COMPILER=here; and,
/// without ORRERY_COMPILER=child, unedited programs for a driver that compiles all of them without fault.
std::shared_ptr<Compiler> compiler_for(const DeviceInfo& device, bool edited);

/// The arguments that start a child.
inline constexpr const char* compiling_command = "compile-programs";
/// The main function of the child: answers questions until there are no more. Returns the exit code.
int serve_as_compiler();

}  // namespace orrery
