#include "cli/options.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

#include "base/error.hpp"
#include "base/files/kept_file.hpp"
#include "base/log.hpp"
#include "base/printable.hpp"
#include "compute/device/driver_check.hpp"

namespace orrery::cli {
namespace {

bool standard_error_is_a_terminal() {
#ifdef _WIN32
  return _isatty(_fileno(stderr)) != 0;
#else
  return isatty(STDERR_FILENO) == 1;
#endif
}

// The window's app has the program's name.
std::string advice(const CLI::App& app) {
  constexpr std::string_view program = "orrery";
  const std::string command = app.get_name() == program ? std::string() : app.get_name() + " ";
  return "see orrery " + command + "--help";
}

Error blank(const CLI::App& app, const std::string& name) {
  return usage_error(name + " cannot be empty", {}, advice(app));
}

// "--out=" would take the next argument for its value.
void refuse_blanks(CLI::App& app, const Arguments& arguments) {
  for (const std::string& argument : arguments)
    if (argument.starts_with("--") && argument.ends_with('=') && argument.find('=') + 1 == argument.size())
      throw blank(app, argument.substr(0, argument.size() - 1));
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a switch
    const auto check = [&app, name = option->get_name()](const std::string& value) {
      if (is_blank(value)) throw blank(app, name);
      return std::string();
    };
    option->check(CLI::Validator(check, ""));
  }
}

// What CLI11 says of a number of values, as a sentence. It begins with the option's name.
std::string mismatch(const CLI::App& app, const std::string& message) {
  const std::string name = message.substr(0, message.find_first_of(": "));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (option == nullptr) return message;
  if (option->get_items_expected_max() == 0) return name + " takes no value";
  if (option->count() > static_cast<std::size_t>(option->get_items_expected_max())) return name + " is given twice";
  const int fewest = option->get_items_expected_min(), most = option->get_items_expected_max();
  if (most == 1) return name + " needs a value";
  return name + " needs " + std::to_string(fewest) + (most > fewest ? " or " + std::to_string(most) : "") + " values";
}

}  // namespace

std::string help_text(const ParameterInfo& info, const Value& value) {
  std::string text(info.help);
  if (!info.unit.empty()) text += " [" + std::string(info.unit) + "]";
  const bool any_text = std::holds_alternative<std::string>(value) && info.choices.empty();
  if (!any_text) text += " (" + range_text(info) + ")";
  const std::string present = value_text(info, value);
  return present.empty() ? text : text + "; default " + present;
}

void add_parameters(CLI::App& app, std::vector<Parameter> parameters) {
  for (Parameter& parameter : parameters) {
    const std::string flag = "--" + std::string(parameter.info().name);
    const std::string help = help_text(parameter.info(), parameter.value());
    app.add_option_function<std::string>(
           flag,
           [shared = std::make_shared<Parameter>(parameter)](const std::string& text) { shared->assign_text(text); },
           help)
        ->type_name("");
  }
}

void add_device_option(CLI::App& app, std::string& spec) {
  app.add_option("--device", spec,
                 "P:D as `orrery devices` prints it, or a part of the device's name; default: the fastest")
      ->type_name("SPEC");
}

void add_device_options(CLI::App& app, DeviceChoice& choice) {
  app.add_option("--device", choice.spec,
                 "P:D as `orrery devices` prints it, or a part of the device's name; several with commas; default: the "
                 "fastest")
      ->type_name("SPEC");
  add_parameters(app, {{{.name = "split",
                         .label = "Split",
                         .help = "sub-devices of the one device that share its work",
                         .minimum = 1,
                         .maximum = 4096},
                        &choice.split},
                       {{.name = "exchange",
                         .label = "Exchange",
                         .help = "what several devices tell each other goes through pinned host memory, or directly "
                                 "from buffer to buffer",
                         .choices = {"host", "direct"}},
                        &choice.exchange}});
}

std::vector<DeviceInfo> open_choice(const DeviceChoice& choice) {
  return choose_devices(enumerate_trusting(), choice.spec, choice.split);
}

bool parse(CLI::App& app, const Arguments& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  refuse_blanks(app, arguments);
  try {
    app.parse(reversed);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ExtrasError&) {
    const std::string first = app.remaining().empty() ? std::string() : app.remaining().front();
    throw usage_error(is_blank(first) ? "there is an empty argument" : "unknown argument", first, advice(app));
  } catch (const CLI::ArgumentMismatch& error) {
    throw usage_error(mismatch(app, error.what()), {}, advice(app));
  } catch (const CLI::ParseError& error) {
    throw usage_error(error.what(), {}, advice(app));
  }
}

void check_output(const std::string& flag, const std::string& file) {
  if (file.empty()) return;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw usage_error(flag + " cannot be written to", file, "the folder " + folder.string() + " does not exist");
  check_can_write(file);
}

std::string holding(const std::vector<std::string>& files) {
  std::vector<std::string> named;
  std::ranges::copy_if(files, std::back_inserter(named), [](const std::string& file) { return !file.empty(); });
  if (named.empty()) return "; no file was asked for";
  std::string text = "; " + named.front();
  for (std::size_t k = 1; k < named.size(); ++k) text += " and " + named[k];
  return text + (named.size() == 1 ? " holds" : " hold") + " what was computed until then";
}

DeviceInfo open_choice(const std::string& spec) { return choose_device(enumerate_trusting(), spec); }

Progress::Progress(std::string what) : what_(std::move(what)), terminal_(standard_error_is_a_terminal()) {}

Progress::~Progress() {
  if (terminal_ && last_ >= 0) std::fprintf(stderr, "\r\033[K");
}

void Progress::say(const std::string& line) const {
  if (terminal_ && last_ >= 0) std::fprintf(stderr, "\r\033[K");
  log(Level::warning, line);
}

void Progress::show(double fraction, const std::string& detail) {
  if (!terminal_ || fraction - last_ < 0.002) return;
  last_ = fraction;
  std::fprintf(stderr, "\r\033[K%s %3.0f %% %s", what_.c_str(), 100 * fraction, detail.c_str());
}

}  // namespace orrery::cli
