// Orrery's composition root: picks the window or a headless command.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/printable.hpp"
#include "base/work/abandon.hpp"
#include "base/work/crash_report.hpp"
#include "base/work/heap.hpp"
#include "base/work/interrupt.hpp"
#include "base/work/last_words.hpp"
#include "base/work/threads.hpp"
#include "cli/commands.hpp"
#include "compute/device/device.hpp"
#include "compute/device/driver_cache.hpp"
#include "compute/device/driver_check.hpp"
#include "compute/program/compiler.hpp"
#include "compute/tuning/tuned.hpp"
#include "shell/devices/bench_interop.hpp"
#include "shell/devices/selftest_command.hpp"
#include "shell/window_command.hpp"

namespace {

using orrery::cli::Arguments;

constexpr std::string_view help = R"(Orrery: OpenCL kernels at work, seen live.

  orrery [options]         the window; its options are below
  orrery devices           every OpenCL device with its limits
  orrery nbody             bodies under gravity, headless
  orrery mandelbrot        a picture of z -> z^2 + c, headless
  orrery particles         particles under forces of your own, headless
  orrery tune              nbody | mandelbrot: finds the fastest variant of a kernel, checked, for "auto" to take
  orrery bench             nbody | mandelbrot | particles | reduce | interop | device: rates, checked and compared with
                           the device's limit
  orrery selftest          checks a device and its driver, every kernel against a reference; a report to share

  orrery COMMAND --help    the options of a command
  orrery --version

Exit codes: 0 done, 1 failed, 2 usage.

)";

int run(const Arguments& arguments, double launched) {
  static const std::map<std::string, int (*)(const Arguments&), std::less<>> commands = {
      {"devices", orrery::cli::run_devices},       {"nbody", orrery::cli::run_nbody},
      {"mandelbrot", orrery::cli::run_mandelbrot}, {"particles", orrery::cli::run_particles},
      {"bench", orrery::cli::run_bench},           {"tune", orrery::cli::run_tune},
      {"selftest", orrery::shell::run_selftest},
  };
  const std::string first = arguments.empty() ? std::string() : arguments.front();
  if (first == "--version") {
    if (arguments.size() > 1) throw orrery::usage_error("--version takes no value:", arguments[1], "see orrery --help");
    return std::puts("orrery " ORRERY_VERSION) < 0 ? 1 : 0;
  }
  orrery::give_drivers_a_cache();
  // What a parent process asks before it loads the drivers itself; a driver may end us here.
  if (first == orrery::listing_command) return orrery::list_devices_for_parent();
  if (first == orrery::compiling_command) return orrery::serve_as_compiler();
  orrery::end_in_order_by_signals();
  orrery::tell_of_crashes();
  orrery::use_stored_choices();
  if (first == "--help" || first == "-h") std::printf("%s", help.data());
  if (first.empty() || first.starts_with('-')) return orrery::shell::run_window(arguments, launched);
  // Of the commands, alone in need of OpenGL.
  if (first == "bench" && arguments.size() > 1 && arguments[1] == "interop")
    return orrery::shell::run_bench_interop({arguments.begin() + 2, arguments.end()});
  const auto command = commands.find(first);
  if (command == commands.end())
    throw orrery::usage_error(
        "no such command", first,
        "known: devices | nbody | mandelbrot | particles | bench | tune | selftest; see orrery --help");
  orrery::name_program("orrery " + first);
  return command->second({arguments.begin() + 1, arguments.end()});
}

// What a device that does not answer holds cannot be destroyed.
int left(int code) {
  if (!orrery::abandoned::any()) return code;
  orrery::remove_unfinished_files();
  std::fflush(nullptr);
  std::_Exit(code);
}

}  // namespace

int main(int argc, char** argv) {
  const double launched = orrery::now_seconds();
  orrery::return_large_blocks_at_once();
  orrery::make_stacks_large();
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond a limit is an error of its write, not the end of a session
#endif
  try {
    return left(run({argv + 1, argv + argc}, launched));
  } catch (const orrery::Interrupted& end) {
    std::fprintf(stderr, "orrery: %s\n", end.what());
    return left(end.exit_code());
  } catch (const std::bad_alloc&) {
    // The last resort, which asks for none: whoever knew more of what it was for has caught it before.
    const bool command = argc > 1 && argv[1][0] >= 'a' && argv[1][0] <= 'z';
    std::fprintf(stderr, "orrery: memory ran out in orrery%s%.20s; try something smaller\n", command ? " " : "",
                 command ? argv[1] : "");
    return left(1);
  } catch (const std::exception& thrown) {
    const orrery::Error error = orrery::as_error(thrown);
    std::fprintf(stderr, "orrery: %s\n", error.what());
    constexpr std::size_t most_of_log_line = 1000;
    std::istringstream log(error.details().log);
    for (std::string line; std::getline(log, line);)
      std::fprintf(stderr, "%s\n", orrery::printable(line, most_of_log_line).c_str());
    return left(static_cast<int>(error.fault()));
  }
}
