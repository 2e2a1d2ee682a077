#include "compute/program/compiler.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/platform/process.hpp"
#include "compute/device/device.hpp"
#include "compute/program/program.hpp"

namespace orrery {
namespace {

constexpr std::chrono::seconds patience{30};  // idle time limit, because a context occupies device memory
constexpr std::string_view built = "built", refused = "refused";

struct CompilerInUse {
  std::mutex mutex;
  std::shared_ptr<Compiler> compiler;
};

CompilerInUse& compiler_in_use() {
  static CompilerInUse compiler;
  return compiler;
}

// ---- the child's side

enum Question : std::size_t { platform, device_name, driver, place, name, options, source, questions };

std::optional<DeviceInfo> find_device(const Message& question) {
  for (const PlatformInfo& each : enumerate_devices())
    for (const DeviceInfo& info : each.devices)
      if (info.fault.empty() && info.platform == question[platform] && info.name == question[device_name] &&
          info.driver == question[driver] && text_of(info.id) == question[place])
        return info;
  return std::nullopt;
}

Message compiled(const Device& device, const Message& question) {
  try {
    const cl::Program program = compiled_here(device, question[name], question[options], question[source]);
    const std::vector<unsigned char> binary = binary_of(program);
    if (binary.empty()) throw failure("the driver returned no binary of " + question[name]);
    // Loaded as the parent will load it, so that the driver's cache is filled.
    cl::Program(device.context(), {device.handle()}, {binary}).build(device.handle(), question[options].c_str());
    return {std::string(built), std::string(binary.begin(), binary.end()), log_of(program, device, question[source])};
  } catch (const Error& error) {
    const ErrorDetails& details = error.details();
    return {std::string(refused), details.what, details.where, details.code, details.advice, details.log};
  } catch (const std::exception& error) {
    return {std::string(refused), error.what(), {}, {}, {}, {}};
  }
}

}  // namespace

int serve_as_compiler() {
  std::map<std::string, Device> devices;
  while (const auto question = next_question(patience)) {
    if (question->size() != questions) return 1;
    const std::string& where = (*question)[place];
    if (!devices.contains(where)) {
      const auto info = find_device(*question);
      if (!info) return 1;
      devices.emplace(where, Device(*info));
    }
    if (!answer(compiled(devices.at(where), *question))) return 0;
  }
  return 0;
}

// ---- the parent's side

Compiler::Compiler() : Compiler(platform::this_program(), {compiling_command}) {}

std::optional<Compiled> Compiler::compile(const DeviceInfo& device, const std::string& file, const std::string& flags,
                                          const std::string& text) {
  Seat* seat = &seats_.front();
  std::unique_lock lock(seat->mutex, std::defer_lock);
  for (Seat& each : seats_)
    if (std::unique_lock own(each.mutex, std::try_to_lock); own && !lock) lock = std::move(own), seat = &each;
  if (!lock) lock.lock();
  Message found;
  try {
    found = seat->child.ask({device.platform, device.name, device.driver, text_of(device.id), file, flags, text});
  } catch (const ChildCrash& crash) {
    throw failure("the compiler of " + device.name + " " + crash.details().what + " over " + file,
                  "the previous kernels keep running");
  } catch (const Error& error) {
    log(Level::info, "compiling in this process, because the compiler process " + error.details().what);
    return std::nullopt;
  }
  if (found.size() == 3 && found[0] == built) return Compiled{{found[1].begin(), found[1].end()}, std::move(found[2])};
  if (found.size() != 6) return std::nullopt;
  ErrorDetails details;
  details.what = found[1];
  details.where = found[2];
  details.code = found[3];
  details.advice = found[4];
  details.log = found[5];
  throw Error(Fault::failure, std::move(details));
}

void use_compiler(std::shared_ptr<Compiler> compiler) {
  const std::lock_guard lock(compiler_in_use().mutex);
  compiler_in_use().compiler = std::move(compiler);
}

namespace {

// True for Debian's PoCL 3.1, which compiles the programs of all tests. A binary for another process would contain
// unused generic variants of all kernels: a first start would take twice as long.
bool is_proved(const DeviceInfo& device) { return keeps_code_itself(device) && device.driver == "3.1+debian"; }

}  // namespace

// Null for parts of a device, which another process cannot name.
std::shared_ptr<Compiler> compiler_for(const DeviceInfo& device, bool edited) {
  const char* variable = std::getenv("ORRERY_COMPILER");
  const std::string_view wish = variable != nullptr ? variable : "";
  if (wish == "here" || device.parts > 1 || (wish != "child" && !edited && is_proved(device))) return nullptr;
  const std::lock_guard lock(compiler_in_use().mutex);
  return compiler_in_use().compiler;
}

}  // namespace orrery
