#include "base/work/crash_report.hpp"

#include <array>
#include <cstring>
#include <string>

#include "base/platform/signals.hpp"
#include "base/work/last_words.hpp"

namespace orrery {
namespace {

// Everything the handler needs is prepared here: it cannot allocate.
std::array<char, 4096> report_path{};

void write_report(const char* cause) {
  const int file = platform::open_report(report_path.data());
  if (file < 0) return;
  for (const char* text : {"Orrery " ORRERY_VERSION " ended by ", cause, "\n"}) platform::put(file, text);
  platform::put_call_stack(file);
  platform::close_report(file);
}

void report(const char* cause) {
  say_last_words(cause);
  if (report_path.front() != '\0') write_report(cause);
}

}  // namespace

void tell_of_crashes() { platform::on_crash(report, platform::OtherHandlers::keep); }

void report_crashes_to(const std::filesystem::path& file) {
  const std::string path = file.string();
  if (path.size() + 1 > report_path.size()) return;
  std::memcpy(report_path.data(), path.c_str(), path.size() + 1);
  platform::on_crash(report, platform::OtherHandlers::replace);
}

}  // namespace orrery
