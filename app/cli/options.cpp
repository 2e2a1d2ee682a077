#include "cli/options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/kept_file.hpp"
#include "base/log.hpp"
#include "base/platform/signals.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "compute/device/driver_check.hpp"

namespace orrery::cli {
namespace {

constexpr std::string_view program = "orrery";
bool progress_as_lines = false;

// The window's app has the program's name.
std::string advice(const CLI::App& app) {
  const std::string command = app.get_name() == program ? std::string() : app.get_name() + " ";
  return "see orrery " + command + "--help";
}

Error blank(const CLI::App& app, const std::string& name) { return usage_error(name + " is empty", {}, advice(app)); }

// Refuses blank values: CLI11 would take the argument after "--out=" as its value, and options as values.
void refuse_blanks(CLI::App& app, const Arguments& arguments) {
  for (const std::string& argument : arguments)
    if (argument.starts_with("--") && argument.ends_with('=') && argument.find('=') + 1 == argument.size())
      throw blank(app, argument.substr(0, argument.size() - 1));
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a switch
    const auto check = [&app, name = option->get_name()](const std::string& value) {
      if (is_blank(value)) throw blank(app, name);
      if (value.starts_with('-') && app.get_option_no_throw(value.substr(0, value.find('='))) != nullptr)
        throw usage_error(name + " needs a value, and " + in_quotes(value) + " is an option", {}, advice(app));
      return std::string();
    };
    option->check(CLI::Validator(check, ""));
  }
}

// Stands for a character that names of CLI11's options cannot have.
constexpr char unnamed = '\x7f';

// Replaces --minimize=on by --minimize and removes --minimize=off, so that scripts need not know switches; and flags of
// laws by those that are registered.
Arguments for_parser(const CLI::App& app, const Arguments& arguments) {
  Arguments plain;
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.starts_with("--") && name.find('/') != std::string::npos) {
      plain.push_back(registered(name) + argument.substr(name.size()));
      continue;
    }
    const CLI::Option* option =
        name.size() < argument.size() && name.starts_with("--") ? app.get_option_no_throw(name) : nullptr;
    if (option == nullptr || option->get_items_expected_max() != 0) {
      plain.push_back(argument);
      continue;
    }
    const std::string value = argument.substr(name.size() + 1);
    if (value != "on" && value != "off") throw usage_error(name, value, "on, off or no value");
    if (value == "on") plain.push_back(name);
  }
  return plain;
}

// CLI11's message about a wrong number of values, as a sentence. The message begins with the option's name.
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

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

/// Lays out --help: "orrery COMMAND" in the usage line, descriptions wrapped in a column of their own.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    if (name == program) return "\n";  // main.cpp prints the usage of the program
    std::string text = "\nUsage: orrery " + name;
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); }))
      text += " " + option->get_type_name();
    return text + " [options]\n\n";
  }

  std::string make_description(const CLI::App* app) const override {
    return wrapped({}, 0, app->get_description()) + "\n";
  }

  std::string make_group(std::string heading, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string text = is_positional ? std::string() : heading + ":\n";
    for (const CLI::Option* option : options)
      text += row(is_positional ? option->get_type_name() : option->get_name() + value_of(*option),
                  option->get_description());
    return is_positional ? text + "\n" : text;
  }

 private:
  static std::string value_of(const CLI::Option& option) {
    const bool is_switch = option.get_items_expected_max() == 0;
    return is_switch || option.get_type_name().empty() ? std::string() : " " + option.get_type_name();
  }

  static std::string row(const std::string& option, const std::string& description) {
    constexpr std::size_t column = 28;
    std::string text = "  " + option;
    const std::size_t width = width_of(text);
    text += width + 2 > column ? "\n" + std::string(column, ' ') : std::string(column - width, ' ');
    return wrapped(std::move(text), column, description) + "\n";
  }

  /// Appends the words of `description` to `text`, in lines that begin at `column`.
  static std::string wrapped(std::string text, std::size_t column, const std::string& description) {
    constexpr std::size_t line = 100;
    std::size_t at = column;
    std::istringstream words(description);
    for (std::string word; words >> word;) {
      if (at > column && at + 1 + width_of(word) > line) {
        text += "\n" + std::string(column, ' ');
        at = column;
      }
      if (at > column) text += ' ', ++at;
      text += word;
      at += width_of(word);
    }
    return text;
  }
};

}  // namespace

namespace {

std::string time_text(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::min(seconds, 1e9))), minutes = whole / 60;
  if (minutes == 0) return std::to_string(whole) + " s";
  if (minutes < 60) return std::to_string(minutes) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

}  // namespace

std::string placeholder(const ParameterInfo& info, const Value& value) {
  if (!info.placeholder.empty()) return std::string(info.placeholder);
  if (std::holds_alternative<bool>(value)) return "on|off";
  if (std::holds_alternative<std::int64_t>(value)) return "N";
  return std::holds_alternative<double>(value) ? "X" : "NAME";
}

void list_under(CLI::App& app, const char* heading, std::initializer_list<std::string_view> options) {
  for (const std::string_view name : options)
    if (CLI::Option* option = app.get_option_no_throw("--" + std::string(name))) option->group(heading);
}

std::string options_text(const CLI::App& app) { return HelpFormatter().make_groups(&app, CLI::AppFormatMode::Normal); }

// A default out of its range means "no value".
static bool is_within(const ParameterInfo& info, const Value& value) try {
  check_value(info, value, value);
  return true;
} catch (const Error&) {
  return false;
}

std::string help_text(const ParameterInfo& info, const Value& value) {
  std::string text(info.help);
  if (!info.unit.empty()) text += " [" + std::string(info.unit) + "]";
  const bool any_text = std::holds_alternative<std::string>(value) && info.choices.empty();
  if (!any_text) text += " (" + range_text(info) + ")";
  const std::string present = is_within(info, value) ? value_text(info, value) : "";
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
        ->type_name(placeholder(parameter.info(), parameter.value()));
  }
}

void add_device_option(CLI::App& app, std::string& spec) {
  app.add_option("--device", spec,
                 "device to use: P:D as `orrery devices` prints it, or a part of its name; default: the fastest")
      ->type_name("SPEC");
}

void add_device_options(CLI::App& app, DeviceChoice& choice) {
  app.add_option("--device", choice.spec,
                 "device to use: P:D as `orrery devices` prints it, or a part of its name; several separated by "
                 "commas; default: the fastest")
      ->type_name("SPEC");
  add_parameters(app, {{{.name = "split",
                         .label = "Split",
                         .help = "number of sub-devices into which one device is divided",
                         .minimum = 1,
                         .maximum = 4096},
                        &choice.split},
                       {{.name = "exchange",
                         .label = "Exchange",
                         .help = "path of data between devices: through pinned host memory, or directly from buffer to "
                                 "buffer",
                         .choices = {"host", "direct"}},
                        &choice.exchange}});
}

std::vector<DeviceInfo> open_choice(const DeviceChoice& choice) {
  return choose_devices(enumerate_trusting(), choice.spec, choice.split);
}

std::vector<std::string> comma_separated(const std::string& list) {
  const std::vector<std::string_view> parts = split_text(list, ',');
  return {parts.begin(), parts.end()};
}

std::vector<std::int64_t> whole_numbers(const std::string& flag, const std::string& list, std::int64_t least,
                                        std::int64_t most, Auto automatic) {
  std::vector<std::int64_t> numbers;
  for (const std::string& text : comma_separated(list)) {
    const bool is_auto = automatic == Auto::allowed && text == "auto";
    const auto number = is_auto ? std::optional<std::int64_t>(0) : parse_integer(text);
    const bool fits = number && *number >= least && *number <= most && !(text.size() > 1 && text.front() == '0');
    if (!is_auto && !fits)
      throw usage_error(
          flag, text,
          "whole numbers from " + std::to_string(least) + " to " + std::to_string(most) + ", separated by commas");
    numbers.push_back(*number);
  }
  return numbers;
}

std::string registered(std::string flag) {
  std::ranges::replace_if(
      flag, [](char c) { return std::string_view(" :{\n\t").find(c) != std::string_view::npos; }, unnamed);
  return flag;
}

bool parse(CLI::App& app, const Arguments& arguments) {
  app.formatter(std::make_shared<HelpFormatter>());
  if (app.get_help_ptr() != nullptr) app.get_help_ptr()->group("");
  refuse_blanks(app, arguments);
  Arguments reversed = for_parser(app, arguments);
  std::ranges::reverse(reversed);  // the order that CLI11 expects
  try {
    app.parse(reversed);
    return true;
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return false;
  } catch (const CLI::ExtrasError&) {
    std::string first = app.remaining().empty() ? std::string() : app.remaining().front();
    std::ranges::replace(first, unnamed, ' ');
    throw usage_error(is_blank(first) ? "an argument is empty" : "unknown argument " + in_quotes(first), {},
                      advice(app));
  } catch (const CLI::RequiredError& error) {
    const std::string_view message = error.what();
    throw usage_error("the argument " + std::string(message.substr(0, message.find(' '))), "",
                      "a value (" + advice(app) + ")");
  } catch (const CLI::ArgumentMismatch& error) {
    std::string text = mismatch(app, error.what());
    std::ranges::replace(text, unnamed, ' ');
    throw usage_error(text, {}, advice(app));
  } catch (const CLI::ParseError& error) {
    throw usage_error(error.what(), {}, advice(app));
  }
}

void check_output(const std::string& flag, const std::string& file) {
  if (file.empty()) return;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw usage_error(
        flag + ": cannot write " + in_quotes(file) + ": the folder " + in_quotes(folder.string()) + " does not exist",
        {}, {});
  check_can_write(file);
}

void check_distinct(const std::vector<NamedOutput>& outputs) {
  namespace fs = std::filesystem;
  std::map<fs::path, std::string> flags;
  for (const auto& [flag, file] : outputs) {
    if (file.empty()) continue;
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(fs::absolute(file, ignored), ignored);
    if (fs::exists(whole, ignored) && !fs::is_regular_file(whole, ignored)) continue;  // /dev/null
    const auto [other, is_new] = flags.try_emplace(whole, flag);
    if (!is_new) throw usage_error(flag, file, "another file than that of " + other->second);
  }
}

std::string holding(const std::vector<std::string>& files) {
  std::vector<std::string> named;
  std::ranges::copy_if(files, std::back_inserter(named), [](const std::string& file) { return !file.empty(); });
  if (named.empty()) return "; no results were saved";
  std::string text = "; " + named.front();
  for (std::size_t k = 1; k < named.size(); ++k) text += " and " + named[k];
  return text + (named.size() == 1 ? " holds" : " hold") + " the results so far";
}

DeviceInfo open_choice(const std::string& spec) { return choose_device(enumerate_trusting(), spec); }

void print_progress_as_lines() { progress_as_lines = true; }

Progress::Progress(std::string what)
    : what_(std::move(what)),
      terminal_(!progress_as_lines && platform::standard_error_is_a_terminal() && prints(Level::warning)) {
  if (terminal_) std::fprintf(stderr, "\r\033[K%s: preparing", what_.c_str());
}

Progress::~Progress() {
  if (terminal_) std::fprintf(stderr, "\r\033[K");
}

void Progress::say(const std::string& line) const {
  if (terminal_) std::fprintf(stderr, "\r\033[K");
  log(Level::warning, line);
}

void Progress::show(double fraction, const std::string& detail) {
  if (!(terminal_ || progress_as_lines) || fraction - last_ < 0.002) return;
  if (last_ < 0) {
    first_ = fraction;
    began_ = now_seconds();
  }
  last_ = fraction;
  if (progress_as_lines) {
    std::fprintf(stderr, "progress %.4f %s%s%s\n", fraction, what_.c_str(), detail.empty() ? "" : ": ", detail.c_str());
    return;
  }
  const double elapsed = now_seconds() - began_;
  std::string left;
  if (elapsed > 1 && fraction > first_)
    left = ", " + time_text(elapsed * (1 - fraction) / (fraction - first_)) + " left";
  std::fprintf(stderr, "\r\033[K%s %3.0f %%%s %s", what_.c_str(), 100 * fraction, left.c_str(), detail.c_str());
}

}  // namespace orrery::cli
