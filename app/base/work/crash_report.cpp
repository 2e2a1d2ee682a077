#include "base/work/crash_report.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <string>

#include "base/work/last_words.hpp"
#include "base/work/threads.hpp"

#if __has_include(<execinfo.h>) && __has_include(<unistd.h>)
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>
#define ORRERY_REPORTS_CRASHES 1
#endif

namespace orrery {

#ifdef ORRERY_REPORTS_CRASHES
namespace {

// Everything the handler needs is prepared here: a signal handler cannot allocate.
std::array<char, 4096> report_path{};

const char* crash_cause(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV: access to memory that is not the program's";
    case SIGBUS:
      return "SIGBUS: access to an address that does not exist";
    case SIGFPE:
      return "SIGFPE: arithmetic without a result";
    case SIGILL:
      return "SIGILL: an instruction that the processor does not have";
    case SIGABRT:
      return "SIGABRT: aborted by the program or a library";
  }
  return "a signal";
}

void put(int file, const char* text) {
  if (::write(file, text, std::strlen(text)) < 0) return;  // there is no one left to tell
}

void write_report(const char* name) {
  const int file = ::open(report_path.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0600);
  if (file < 0) return;
  put(file, "Orrery " ORRERY_VERSION " ended by ");
  put(file, name);
  put(file, "\n");
  std::array<void*, 64> calls{};
  ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), static_cast<int>(calls.size())), file);
  ::close(file);
}

// The system's own reaction follows: the handler was reset.
void report(int signal) {
  say_last_words(crash_cause(signal));
  if (report_path.front() != '\0') write_report(crash_cause(signal));
  ::raise(signal);
}

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
using Handled = std::array<bool, crashes.size()>;

Handled handled_by_others() {
  Handled result{};
  for (std::size_t k = 0; k < crashes.size(); ++k) {
    struct sigaction present {};
    result[k] = ::sigaction(crashes[k], nullptr, &present) == 0 &&
                ((present.sa_flags & SA_SIGINFO) != 0 || present.sa_handler != SIG_DFL);
  }
  return result;
}

void handle(const Handled& by_others) {
  give_signal_stack();
  std::array<void*, 1> first{};
  ::backtrace(first.data(), 1);  // loads the library it needs while that is still possible
  struct sigaction action {};
  action.sa_handler = report;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
  for (std::size_t k = 0; k < crashes.size(); ++k)
    if (!by_others[k]) ::sigaction(crashes[k], &action, nullptr);
}

}  // namespace

void tell_of_crashes() {
  static const Handled by_others = handled_by_others();
  handle(by_others);
}

void report_crashes_to(const std::filesystem::path& file) {
  const std::string path = file.string();
  if (path.size() + 1 > report_path.size()) return;
  std::memcpy(report_path.data(), path.c_str(), path.size() + 1);
  handle({});
}
#else
void tell_of_crashes() {}
void report_crashes_to(const std::filesystem::path&) {}
#endif

}  // namespace orrery
