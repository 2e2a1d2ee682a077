/// Compiles programs in a separate process, for a window: some drivers block every other call during compilation
/// (NVIDIA's for half a second and more), and a compiler that crashes ends its process (as LLVM 18 does in PoCL 6.0).
#pragma once

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

/// Any thread; one program at a time.
class Compiler {
 public:
  /// The process is `program` with `arguments`; by default this program itself.
  Compiler();
  Compiler(std::filesystem::path program, std::vector<std::string> arguments)
      : child_(std::move(program), std::move(arguments)) {}

  /// Waits. `source` includes all its files; `name` is for messages. Throws an Error with the compiler's log or its
  /// crash; returns nothing if no other process can be used.
  std::optional<Compiled> compile(const DeviceInfo& device, const std::string& name, const std::string& options,
                                  const std::string& source);
  /// Cancels the compilation: compile() throws. Any thread; never waits.
  void stop() { child_.stop(); }

 private:
  std::mutex mutex_;
  ChildTalk child_;
};

/// Makes every ProgramLibrary compile there, for all devices but parts of one; with ORRERY_COMPILER=here for none.
/// Null: all compile in this process.
void use_compiler(std::shared_ptr<Compiler> compiler);
/// Null if programs for the device are compiled in this process.
std::shared_ptr<Compiler> compiler_for(const DeviceInfo& device);

/// The arguments that start a child.
inline constexpr const char* compiling_command = "compile-programs";
/// The main function of the child: answers questions until there are no more. Returns the exit code.
int serve_as_compiler();

}  // namespace orrery
