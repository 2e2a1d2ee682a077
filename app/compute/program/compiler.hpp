/// Compiles programs in a process of their own, for a window: some drivers keep every other call waiting while they
/// compile (NVIDIA's for half a second and more), and a compiler that crashes takes its process along.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/work/child_talk.hpp"
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

  /// Waits. `source` with everything that it includes, `name` for messages. Throws Error with the compiler's log, or
  /// with how the compiler crashed; nothing where no other process can be asked.
  std::optional<Compiled> compile(const DeviceInfo& device, const std::string& name, const std::string& options,
                                  const std::string& source);
  /// What is being compiled is given up: compile() throws. Any thread; never waits.
  void stop() { child_.stop(); }

 private:
  std::mutex mutex_;
  ChildTalk child_;
};

/// From now on every ProgramLibrary compiles there for the devices that are worth it: GPUs; with ORRERY_COMPILER=child
/// in the environment all, with ORRERY_COMPILER=here none. Null: all compile in this process.
void use_compiler(std::shared_ptr<Compiler> compiler);
/// Null where programs for the device are compiled in this process.
std::shared_ptr<Compiler> compiler_for(const DeviceInfo& device);

/// What a child is started with.
inline constexpr const char* compiling_command = "compile-programs";
/// The child's life: answers questions until there are no more. Returns its exit code.
int serve_as_compiler();

}  // namespace orrery
