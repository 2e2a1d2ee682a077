// Orrery's composition root: starts the window or a headless command.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/manual.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/log.hpp"
#include "base/platform/heap.hpp"
#include "base/platform/process.hpp"
#include "base/platform/signals.hpp"
#include "base/platform/threads.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/work/abandon.hpp"
#include "base/work/crash_report.hpp"
#include "base/work/interrupt.hpp"
#include "base/work/last_words.hpp"
#include "base/work/ranks.hpp"
#include "cli/commands.hpp"
#include "compute/device/device.hpp"
#include "compute/device/driver_cache.hpp"
#include "compute/device/driver_check.hpp"
#include "compute/program/compiler.hpp"
#include "compute/tuning/tuned.hpp"
#include "scene/scene_kind.hpp"
#include "shell/devices/device_commands.hpp"
#include "shell/offline/commands.hpp"
#include "shell/window_command.hpp"

namespace {

using orrery::SceneKind;
using orrery::SceneKinds;
using orrery::cli::Arguments;

/// "  orrery nbody            simulates bodies under gravity"; further lines of the text begin below its first one.
std::string help_line(const std::string& command, const std::string& text) {
  constexpr std::size_t left = 27, right = 120;
  std::string line = "  orrery " + command;
  line.resize(std::max(left, line.size() + 1), ' ');
  std::istringstream words(text);
  std::string lines;
  for (std::string word; words >> word; line += word + " ") {
    if (line.size() + word.size() <= right) continue;
    lines += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    line = std::string(left, ' ');
  }
  return lines + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string help_text(SceneKinds kinds) {
  std::string text = "Orrery: watch OpenCL kernels run.\n\n";
  text += help_line("[options]", "opens the window; orrery --help lists its options");
  text += help_line("FILE [options]", "opens the window with that file, as --open does");
  text += help_line("devices", "lists the OpenCL devices and their limits");
  for (const SceneKind* kind : kinds)
    if (kind->run != nullptr) text += help_line(std::string(kind->name), std::string(kind->about));
  text += help_line("picture STATE", "saves a picture of what the window would show, of any size");
  text += help_line("film STATE", "makes a film of it by simulated time, or of a guided tour");
  text += help_line("film join FOLDER", "joins the frames of several runs to a film");
  text += help_line("bench NAME",
                    "measures " + names_of(kinds, &SceneKind::bench) + " | reduce | sort | interop | device | window");
  text += help_line("tune NAME", "finds the fastest variant of a kernel of " + names_of(kinds, &SceneKind::tuning));
  text += help_line("selftest", "checks a device and its driver, and writes a report to share");
  text += "\n";
  text += help_line("COMMAND --help", "lists the options of a command");
  text += help_line("help [TOPIC]", "prints a page of the manual, or lists the pages");
  text += help_line("--version, -V", "prints the version");
  text += help_line("COMMAND -q", "prints no warnings and no progress; -v: prints notes as well");
  text += help_line("COMMAND --progress", "prints progress as lines on standard error, for programs that read them");
  text += "\nExit codes: 0 success, 1 failure, 2 wrong usage.\n\n";
  return text;
}

int run_command(SceneKinds kinds, const std::string& name, const Arguments& rest) {
  if (name == "devices") return orrery::cli::run_devices(rest);
  if (name == "picture") return orrery::shell::run_picture(kinds, rest);
  if (name == "film" && !rest.empty() && rest.front() == "join")
    return orrery::cli::run_film_join({rest.begin() + 1, rest.end()});
  if (name == "film") return orrery::shell::run_film(kinds, rest);
  // This benchmark alone needs OpenGL.
  if (name == "bench" && !rest.empty() && rest.front() == "interop")
    return orrery::shell::run_bench_interop({rest.begin() + 1, rest.end()});
  if (name == "bench") return orrery::cli::run_bench(kinds, rest);
  if (name == "tune") return orrery::cli::run_tune(kinds, rest);
  if (name == "selftest") return orrery::shell::run_selftest(kinds, rest);
  return find_kind(kinds, name)->run(rest);
}

int run_window(SceneKinds kinds, const Arguments& arguments, double launched) {
  orrery::silence_other_ranks();
  const bool asks = std::ranges::any_of(arguments, [](const std::string& a) { return a == "--help" || a == "-h"; });
  if (const auto place = orrery::rank_place(); place && !asks) {
    throw orrery::usage_error(
        "the window is one process, and " + place->launcher + " has started " + std::to_string(place->ranks), {},
        "start it without " + place->launcher +
            "; commands that run on many machines: " + names_of(kinds, &SceneKind::on_many_machines));
  }
  return orrery::shell::run_window(kinds, arguments, launched);
}

bool is_command(SceneKinds kinds, const std::string& name) {
  constexpr std::array<std::string_view, 6> others{"devices", "picture", "film", "bench", "tune", "selftest"};
  const SceneKind* kind = find_kind(kinds, name);
  return (kind != nullptr && kind->run != nullptr) || std::ranges::find(others, name) != others.end();
}

// "help COMMAND" asks as "COMMAND --help" does.
Arguments without_help(SceneKinds kinds, Arguments arguments) {
  if (arguments.size() < 2 || arguments.front() != "help") return arguments;
  if (!is_command(kinds, arguments[1]) && !arguments[1].starts_with('-')) return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

// Removes and applies options of every command, which may be anywhere before "--".
Arguments without_verbosity(Arguments arguments) {
  const auto take = [&](std::initializer_list<std::string_view> names) {
    const auto end = std::ranges::find(arguments, std::string("--"));
    const auto given = std::remove_if(arguments.begin(), end, [&](const std::string& argument) {
      return std::ranges::find(names, argument) != names.end();
    });
    const bool is_given = given != end;
    arguments.erase(given, end);
    return is_given;
  };
  if (take({"-v", "--verbose"})) orrery::print_from(orrery::Level::info);
  if (take({"-q", "--quiet"})) orrery::print_from(orrery::Level::error);
  if (take({"--progress"})) orrery::cli::print_progress_as_lines();
  return arguments;
}

// Prints a page of the manual, or lists the commands and the pages.
int run_help(SceneKinds kinds, const Arguments& topics) {
  constexpr std::size_t terminal = 80, column = 18;
  orrery::silence_other_ranks();
  if (topics.size() > 1)
    throw orrery::usage_error("unknown argument " + orrery::in_quotes(topics[1]), {}, "see orrery help");
  const std::string topic = topics.empty() ? std::string() : topics.front();
  std::string list = help_text(kinds) + "Topics of the manual:\n", near, all;
  for (const orrery::ManualPage& page : orrery::manual_pages()) {
    if (page.name == topic) return std::printf("%s", plain_text(page.content, terminal).c_str()), 0;
    if (orrery::is_misspelt(topic, page.name)) near = page.name + " (see orrery help)";
    all += page.name + " | ";
    list += "  " + page.name + std::string(std::max(column, page.name.size() + 2) - page.name.size(), ' ') +
            page.title + "\n";
  }
  if (topics.empty()) return std::printf("%s", list.c_str()), 0;
  throw orrery::usage_error("the topic", topic, near.empty() ? all + "a command" : near);
}

int run(SceneKinds kinds, const Arguments& arguments, double launched) {
  const std::string first = arguments.empty() ? std::string() : arguments.front();
  if (first == "--version" || first == "-V") {
    if (arguments.size() > 1) throw orrery::usage_error(first, arguments[1], "no value");
    std::puts("orrery " ORRERY_VERSION);
    return 0;
  }
  if (first == "help") return run_help(kinds, {arguments.begin() + 1, arguments.end()});
  orrery::give_drivers_a_cache();
  // Two helper commands of a parent process; a driver may end this process here without harm to the parent.
  if (first == orrery::listing_command || first == orrery::compiling_command) orrery::platform::end_with_parent();
  if (first == orrery::listing_command) return orrery::list_devices_for_parent();
  if (first == orrery::compiling_command) return orrery::serve_as_compiler();
  orrery::end_in_order_by_signals();
  orrery::tell_of_crashes();
  orrery::use_stored_choices();
  if (first == "--help" || first == "-h") orrery::silence_other_ranks(), std::printf("%s", help_text(kinds).c_str());
  if (first.empty() || first.starts_with('-')) return run_window(kinds, arguments, launched);
  if (!is_command(kinds, first)) {
    if (std::error_code none; std::filesystem::is_regular_file(first, none)) {
      Arguments opening{"--open=" + first};
      opening.insert(opening.end(), arguments.begin() + 1, arguments.end());
      return run_window(kinds, opening, launched);
    }
    throw orrery::usage_error("the command", first,
                              "devices | " + names_of(kinds, &SceneKind::run) +
                                  " | picture | film | bench | tune | selftest, or a file to open (see orrery --help)");
  }
  const Arguments rest{arguments.begin() + 1, arguments.end()};
  const SceneKind* kind = find_kind(kinds, first);
  if (kind != nullptr && kind->on_many_machines) orrery::silence_other_ranks();
  orrery::name_program("orrery " + first);
  return run_command(kinds, first, rest);
}

// Throws if printed text was lost, for example on a full disk.
void require_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw orrery::failure(std::string("cannot write to standard output: ") +
                        (errno != 0 ? std::strerror(errno) : "the output is incomplete"));
}

// Objects of an unresponsive device cannot be destroyed.
int left(int code) {
  if (!orrery::abandoned::any()) return code;
  orrery::remove_unfinished_files();
  std::fflush(stdout);  // no other file: see Application::run()
  std::_Exit(code);
}

}  // namespace

int main(int argc, char** argv) {
  const double launched = orrery::now_seconds();
  orrery::platform::begin_process();
  orrery::return_large_blocks_at_once();
  orrery::make_stacks_large();
  orrery::platform::survive_size_limit();
  try {
    const Arguments arguments = without_verbosity({argv + 1, argv + argc});
    const int code = run(orrery::scene_kinds(), without_help(orrery::scene_kinds(), arguments), launched);
    if (code == 0) require_output();
    return left(code);
  } catch (const orrery::Interrupted& end) {
    orrery::let_first_rank_speak();
    std::fprintf(stderr, "orrery: %s\n", end.what());
    return left(end.exit_code());
  } catch (const std::bad_alloc&) {
    // The last resort, which allocates nothing; code that knows the purpose of the memory catches bad_alloc itself.
    orrery::let_first_rank_speak();
    const bool command = argc > 1 && argv[1][0] >= 'a' && argv[1][0] <= 'z';
    std::fprintf(stderr, "orrery: out of memory in orrery%s%.20s; try a smaller problem\n", command ? " " : "",
                 command ? argv[1] : "");
    return left(1);
  } catch (const std::exception& thrown) {
    orrery::let_first_rank_speak();
    const orrery::Error error = orrery::as_error(thrown);
    std::fprintf(stderr, "orrery: %s\n", error.what());
    constexpr std::size_t most_of_log_line = 1000;
    std::istringstream log(error.details().log);
    for (std::string line; std::getline(log, line);)
      std::fprintf(stderr, "%s\n", orrery::printable(line, most_of_log_line).c_str());
    return left(static_cast<int>(error.fault()));
  }
}
