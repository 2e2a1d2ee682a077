/// What every headless command shares: flags from declared parameters, the device options, errors as exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "compute/device/device_list.hpp"

namespace orrery::cli {

/// The arguments after the command's name.
using Arguments = std::vector<std::string>;

/// Adds --NAME for each parameter, with its range and default in --help. Bad values throw a usage Error that names
/// value and range. The parameters' struct must outlive the parse.
void add_parameters(CLI::App& app, std::vector<Parameter> parameters);
/// What --help says of a parameter: help, unit, range and default.
std::string help_text(const ParameterInfo& info, const Value& value);
/// Adds --device SPEC.
void add_device_option(CLI::App& app, std::string& spec);
/// What --device, --split and --exchange say where several devices may compute together.
struct DeviceChoice {
  std::string spec;
  std::int64_t split = 1;
  std::string exchange = "host";
};
void add_device_options(CLI::App& app, DeviceChoice& choice);
/// The devices that it names; see choose_devices.
std::vector<DeviceInfo> open_choice(const DeviceChoice& choice);
/// Parses. Returns false when --help was asked for, and printed. Throws a usage Error for anything unknown, and for an
/// option whose value is empty or blank: a variable of a script that is not set must not silently mean the default.
bool parse(CLI::App& app, const Arguments& arguments);
/// Throws where a file that `flag` names cannot be written, before there is anything to write; "" is no file.
void check_output(const std::string& flag, const std::string& file);
/// For the end of a run by a signal: "; a.csv and b.csv hold what was computed until then". Empty names are no files.
std::string holding(const std::vector<std::string>& files);
/// The device that --device names; see choose_device.
DeviceInfo open_choice(const std::string& spec);

/// A line on standard error that is rewritten in place; silent when that is no terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  void show(double fraction, const std::string& detail = {});
  /// A line of its own: a warning.
  void say(const std::string& line) const;

 private:
  std::string what_;
  bool terminal_;
  double last_ = -1;
};

}  // namespace orrery::cli
