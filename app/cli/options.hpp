/// Shared by all commands: options from declared parameters, the device options, the layout of --help.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parameter.hpp"
#include "compute/device/device_list.hpp"

namespace orrery::cli {

/// The arguments after the command's name.
using Arguments = std::vector<std::string>;

/// Adds --NAME for each parameter, with its range and default in --help. Bad values throw a usage Error that shows the
/// value and the range. The parameters' struct must outlive the parse.
void add_parameters(CLI::App& app, std::vector<Parameter> parameters);
/// A parameter's line in --help: help, unit, range and default.
std::string help_text(const ParameterInfo& info, const Value& value);
/// The placeholder of an option's value in --help: its own, or N, X, NAME or on|off.
std::string placeholder(const ParameterInfo& info, const Value& value);
/// Lists these options, given without dashes, under a heading in --help.
void list_under(CLI::App& app, const char* heading, std::initializer_list<std::string_view> options);
/// The options of an app, as --help lists them.
std::string options_text(const CLI::App& app);
/// Adds --device SPEC.
void add_device_option(CLI::App& app, std::string& spec);
/// The values of --device, --split and --exchange, for commands that can use several devices at once.
struct DeviceChoice {
  std::string spec;
  std::int64_t split = 1;
  std::string exchange = "host";
};
void add_device_options(CLI::App& app, DeviceChoice& choice);
/// The devices that the options name; see choose_devices().
std::vector<DeviceInfo> open_choice(const DeviceChoice& choice);
/// The entries of a comma-separated list, including empty ones.
std::vector<std::string> comma_separated(const std::string& list);
enum class Auto { refused, allowed };
/// A list of whole numbers from `least` to `most`; "auto" is 0, if allowed. Throws a usage Error that names the flag,
/// also for "1,024", which would be 1 and 24.
std::vector<std::int64_t> whole_numbers(const std::string& flag, const std::string& list, std::int64_t least,
                                        std::int64_t most, Auto automatic = Auto::refused);
/// The flag as CLI11 accepts it: it knows no blanks, colons and braces in names, which laws may have. parse() replaces
/// the flags of its arguments in the same way.
std::string registered(std::string flag);
/// Parses. Returns false after printing --help. Throws a usage Error for unknown arguments and for blank values: an
/// unset variable of a script must not silently mean the default.
bool parse(CLI::App& app, const Arguments& arguments);
/// Throws before any work starts if the file named by `flag` cannot be written; "" is no file.
void check_output(const std::string& flag, const std::string& file);
/// A flag and the file that it names; "" is no file.
using NamedOutput = std::pair<std::string, std::string>;
/// Throws a usage Error if two of them are one file, which would hold the later one only.
void check_distinct(const std::vector<NamedOutput>& outputs);
/// Part of the message after a signal: "; a.csv and b.csv hold the results so far". Empty names are no files.
std::string holding(const std::vector<std::string>& files);
/// The device that --device names; see choose_device().
DeviceInfo open_choice(const std::string& spec);

/// Prints progress as lines "progress 0.1250 n-body: step 125 of 1000", for programs that start this one. Call once, at
/// the start.
void print_progress_as_lines();

/// A progress line on standard error with the time left, rewritten in place; silent if standard error is not a
/// terminal, unless print_progress_as_lines() was called. Before the first share, it shows the preparation: kernels are
/// compiled.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  void show(double fraction, const std::string& detail = {});
  /// Prints a warning on a line of its own.
  void say(const std::string& line) const;

 private:
  std::string what_;
  bool terminal_;
  double first_ = 0, last_ = -1;  // fractions
  double began_ = 0;              // time of the first, in seconds
};

}  // namespace orrery::cli
