#include "base/platform/signals.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#if __has_include(<execinfo.h>)  // musl has none
#include <execinfo.h>
#define ORRERY_HAS_BACKTRACE 1
#endif

#include "base/platform/threads.hpp"

namespace orrery::platform {
namespace {

constexpr std::pair<int, const char*> end_requests[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}};

// Handlers cannot allocate.
void (*crash_handler)(const char* cause) = nullptr;

const char* crash_cause(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "SIGSEGV: invalid memory access";
    case SIGBUS:
      return "SIGBUS: access to a nonexistent address";
    case SIGFPE:
      return "SIGFPE: invalid arithmetic, such as a division by zero";
    case SIGILL:
      return "SIGILL: illegal instruction";
    case SIGABRT:
      return "SIGABRT: aborted by the program or a library";
  }
  return "a signal";
}

// The default action follows, because the handler was reset.
void crash(int signal) {
  crash_handler(crash_cause(signal));
  ::raise(signal);
}

// Ends the process by the default action of the signal.
void end_by(int signal) {
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, signal);
  std::signal(signal, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
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

}  // namespace

// One thread takes the signals and all others block them, because a compiler in this process (LLVM) replaces handlers
// by its own, which fail the compilation and swallow SIGQUIT.
void on_end_request(void (*handler)(int number)) {
  sigset_t taken;
  ::sigemptyset(&taken);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction present {};
    // A process started by nohup keeps ignoring the signal.
    const bool ignored = ::sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
    if (!ignored || signal == SIGINT || signal == SIGTERM) ::sigaddset(&taken, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &taken, nullptr);
  try {
    std::thread([taken, handler] {
      name_thread("signals");
      give_signal_stack();
      for (int signal = 0; ::sigwait(&taken, &signal) == 0;)
        if (signal == SIGQUIT)
          end_by(signal);
        else
          handler(signal);
    }).detach();
  } catch (const std::system_error&) {  // the signals end the process without a message
    ::pthread_sigmask(SIG_UNBLOCK, &taken, nullptr);
  }
}

const char* name_of_end_request(int number) {
  for (const auto& [signal, name] : end_requests)
    if (signal == number) return name;
  return "a signal";
}

void on_crash(void (*handler)(const char* cause), OtherHandlers others) {
  static const Handled by_others = handled_by_others();
  crash_handler = handler;
  give_signal_stack();
#ifdef ORRERY_HAS_BACKTRACE
  std::array<void*, 1> first{};
  ::backtrace(first.data(), 1);  // loads the library it needs while that is still possible
#endif
  struct sigaction action {};
  action.sa_handler = crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
  for (std::size_t k = 0; k < crashes.size(); ++k)
    if (others == OtherHandlers::replace || !by_others[k]) ::sigaction(crashes[k], &action, nullptr);
}

void survive_size_limit() { std::signal(SIGXFSZ, SIG_IGN); }

void put(int descriptor, const char* text) {
  if (::write(descriptor, text, std::strlen(text)) < 0) return;  // the failure cannot be reported
}

void put_on_standard_error(const char* text) { put(STDERR_FILENO, text); }
bool standard_error_is_a_terminal() { return ::isatty(STDERR_FILENO) == 1; }
int open_report(const char* path) { return ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0600); }
void close_report(int descriptor) { ::close(descriptor); }

void put_call_stack([[maybe_unused]] int descriptor) {
#ifdef ORRERY_HAS_BACKTRACE
  std::array<void*, 64> calls{};
  ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), static_cast<int>(calls.size())), descriptor);
#endif
}

void remove_file(const char* path) { ::unlink(path); }

}  // namespace orrery::platform
