#include "base/crash_report.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <string>

#if __has_include(<execinfo.h>) && __has_include(<unistd.h>)
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>
#define ORRERY_REPORTS_CRASHES 1
#endif

namespace orrery {

#ifdef ORRERY_REPORTS_CRASHES
namespace {

// All that the handler uses is here before anything goes wrong: in a handler no memory may be asked for.
std::array<char, 4096> report_path{};
std::array<char, 1 << 16> handler_stack{};

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV: an address that is not the program's";
    case SIGBUS:
      return "SIGBUS: an address that does not exist";
    case SIGFPE:
      return "SIGFPE: arithmetic without a result";
    case SIGILL:
      return "SIGILL: no instruction of this processor";
    case SIGABRT:
      return "SIGABRT: given up, by the program or a library";
  }
  return "a signal";
}

void put(int file, const char* text) {
  if (::write(file, text, std::strlen(text)) < 0) return;  // nobody is left to tell
}

// What comes next is the system's way with such a signal: the handler has been reset.
void report(int signal) {
  const int file = ::open(report_path.data(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file >= 0) {
    put(file, "Orrery " ORRERY_VERSION " ended by ");
    put(file, name_of(signal));
    put(file, "\n");
    std::array<void*, 64> calls{};
    ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), static_cast<int>(calls.size())), file);
    ::close(file);
  }
  ::raise(signal);
}

}  // namespace

void report_crashes_to(const std::filesystem::path& file) {
  const std::string path = file.string();
  if (path.size() + 1 > report_path.size()) return;
  std::memcpy(report_path.data(), path.c_str(), path.size() + 1);
  std::array<void*, 1> first{};
  ::backtrace(first.data(), 1);  // loads what it needs, while that may still be done
  stack_t stack{};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  ::sigaltstack(&stack, nullptr);  // a stack that has overflown is no place for a handler
  struct sigaction action {};
  action.sa_handler = report;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}
#else
void report_crashes_to(const std::filesystem::path&) {}
#endif

}  // namespace orrery
