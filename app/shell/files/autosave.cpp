#include "shell/files/autosave.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/files/archive.hpp"
#include "base/files/file.hpp"
#include "base/files/path.hpp"
#include "base/files/unfinished_file.hpp"
#include "base/platform/process.hpp"
#include "base/text.hpp"
#include "base/work/crash_report.hpp"

namespace orrery::shell {
namespace fs = std::filesystem;
namespace {

// Seconds between two saves, so that a crash loses at most ten. Slow saves take at most half of the time.
constexpr double save_interval = 4;

constexpr const char* last_name = "last.toml";
constexpr const char* left_extension = ".left";  // precedes .toml: the process no longer runs

fs::path left_behind(fs::path state) { return state.replace_extension(std::string(left_extension) + ".toml"); }

constexpr std::string_view report_extension = ".crash.txt";

fs::path report_of(fs::path state) { return state.replace_extension(report_extension); }

bool is_report(const fs::path& file) { return file.filename().string().ends_with(report_extension); }

fs::path state_of(const fs::path& report) {
  const std::string path = report.string();
  return path.substr(0, path.size() - report_extension.size()) + ".toml";
}

// True for "7.toml", "7.left.toml", "7.crash.txt" and "7.left.crash.txt" of an ended process.
bool is_left(const fs::path& file) {
  const fs::path owner = is_report(file) ? state_of(file).stem() : file.stem();
  const auto process = parse_integer(owner.string());
  return owner.extension() == left_extension || (process && !platform::is_running(*process));
}

std::string time_of(const fs::path& file) {
  std::error_code ignored;
  const auto written = fs::last_write_time(file, ignored);
  const std::time_t time =
      std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(
          written - fs::file_time_type::clock::now() + std::chrono::system_clock::now()));
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%H:%M, %d %B", std::localtime(&time));
  return text.data();
}

std::string first_line(const fs::path& file) {
  try {
    const std::string text = read_file(file, {"a report of a crash", 1 << 20});
    return text.substr(0, text.find('\n'));
  } catch (const Error&) {
    return {};
  }
}

void drop(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
}

}  // namespace

fs::path autosave_folder() {
  const fs::path folder = state_folder();
  return folder.empty() ? folder : folder / "sessions";
}

fs::path last_session() {
  const fs::path file = autosave_folder() / last_name;
  std::error_code ignored;
  return file.has_parent_path() && fs::is_regular_file(file, ignored) ? file : fs::path();
}

Autosave::Autosave(fs::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  own_ = folder_ / (std::to_string(platform::process_number()) + ".toml");
  set_namesakes_aside();
  look_for_left();
  std::error_code ignored;
  fs::create_directories(folder_, ignored);
  report_crashes_to(report_of(own_));
}

fs::path Autosave::for_successor() const { return folder_.empty() ? folder_ : left_behind(own_); }

// Renames files of an earlier process with the same number, usual in containers.
void Autosave::set_namesakes_aside() {
  std::error_code ignored;
  for (const auto& [file, name] : {std::pair{own_, left_behind(own_)}, {report_of(own_), report_of(left_behind(own_))}})
    if (fs::exists(file, ignored)) fs::rename(file, name, ignored);
}

void Autosave::look_for_left() {
  remove_debris_in(folder_);
  std::vector<fs::path> reports;  // reports without a state
  std::error_code error;
  fs::file_time_type newest{};
  const auto take_if_newest = [&](const fs::path& file, const fs::path& state, const fs::path& report) {
    std::error_code ignored;
    const auto written = fs::last_write_time(file, ignored);
    if (left_ && written <= newest) return;
    newest = written;
    left_ = Left{state, report, time_of(file), first_line(report)};
  };
  for (fs::directory_iterator entry(folder_, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& file = entry->path();
    if (!is_left(file)) continue;
    if (file.extension() == ".toml") take_if_newest(file, file, report_of(file));
    if (is_report(file) && !fs::exists(state_of(file))) reports.push_back(file);
  }
  for (const fs::path& report : reports) take_if_newest(report, {}, report);
  for (const fs::path& report : reports)  // only the newest is offered
    if (!left_ || left_->report_file != report) drop(report);
}

void Autosave::remove(std::optional<Left>& left) {
  if (!left) return;
  if (!left->state.empty()) drop(left->state);
  drop(left->report_file);
  left.reset();
}

void Autosave::discard_left() { remove(left_); }

void Autosave::continue_from_left() { restored_ = std::exchange(left_, std::nullopt); }

bool Autosave::due(double now) const {
  return !own_.empty() && !writing_.busy() && now - written_ > std::max(save_interval, 2 * seconds_);
}

void Autosave::save(double now, std::function<StateTables()> state) {
  written_ = now;
  report_crashes_to(report_of(own_));  // again: a driver may have installed handlers since
  writing_.start([file = own_, state = std::move(state)]() -> std::string {
    try {
      write_session(file, state());
      return {};
    } catch (const std::exception& error) {
      return error.what();
    }
  });
}

bool Autosave::wrote_archive() const {
  try {
    return !own_.empty() && read_beginning(own_, archive_signature.size()) == archive_signature;
  } catch (const Error&) {
    return false;
  }
}

std::optional<std::string> Autosave::poll() {
  const std::optional<std::string> fault = writing_.poll();
  if (!fault) return {};
  seconds_ = now_seconds() - written_;
  if (fault->empty()) remove(restored_);
  if (fault->empty() || std::exchange(warned_, true)) return {};
  return fault;
}

void Autosave::continue_from_last() {
  std::error_code ignored;  // another process may have taken it
  if (!own_.empty()) fs::rename(folder_ / last_name, own_, ignored);
}

void Autosave::leave(const StateSource& state) {
  writing_ = {};  // waits for the save in progress
  if (own_.empty()) return;
  std::exception_ptr fault;
  try {
    if (state) write_session(own_, state());
  } catch (const Error&) {
    fault = std::current_exception();
  }
  std::error_code error;
  if (state) fs::rename(own_, folder_ / last_name, error);
  if (!state) drop(own_);  // if renaming failed, the next start offers it
  if (!fault) remove(restored_);
  if (fault) std::rethrow_exception(fault);
}

}  // namespace orrery::shell
