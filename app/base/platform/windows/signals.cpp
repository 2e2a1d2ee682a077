#include "base/platform/signals.hpp"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/platform/windows/system.hpp"

namespace orrery::platform {
namespace {

constexpr int hang_up = 1;  // SIGHUP's number elsewhere, for events that close the console
constexpr int standard_error = 2;

void (*end_handler)(int number) = nullptr;
void (*crash_handler)(const char* cause) = nullptr;

// Runs on a thread of the system. After a hang-up returns, the system ends the process, so this waits for the program's
// own end; the system allows five seconds.
BOOL WINAPI end_requested(DWORD event) {
  const bool interrupt = event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
  end_handler(interrupt ? SIGINT : hang_up);
  if (!interrupt) Sleep(INFINITE);
  return TRUE;
}

const char* crash_cause(DWORD code) {
  switch (code) {
    case EXCEPTION_ACCESS_VIOLATION:
      return "an access violation: invalid memory access";
    case EXCEPTION_IN_PAGE_ERROR:
      return "a page error: a mapped file that cannot be read";
    case EXCEPTION_STACK_OVERFLOW:
      return "a stack overflow";
    case EXCEPTION_ILLEGAL_INSTRUCTION:
      return "an illegal instruction";
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
    case EXCEPTION_FLT_DIVIDE_BY_ZERO:
      return "a division by zero";
  }
  return "an exception of the system";
}

LONG WINAPI crash(EXCEPTION_POINTERS* what) {
  crash_handler(crash_cause(what->ExceptionRecord->ExceptionCode));
  return EXCEPTION_CONTINUE_SEARCH;  // the system's own reaction follows
}

// The C library's own end follows.
void abort_signal(int) { crash_handler("an abort by the program or a library"); }

}  // namespace

void on_end_request(void (*handler)(int number)) {
  end_handler = handler;
  SetConsoleCtrlHandler(end_requested, TRUE);
}

const char* name_of_end_request(int number) {
  return number == SIGINT ? "Ctrl+C" : number == hang_up ? "the end of its console" : "a request";
}

// No other code has handlers to keep here.
void on_crash(void (*handler)(const char* cause), OtherHandlers) {
  crash_handler = handler;
  SetUnhandledExceptionFilter(crash);
  std::signal(SIGABRT, abort_signal);
}

void survive_size_limit() {}

void put(int descriptor, const char* text) {
  if (_write(descriptor, text, static_cast<unsigned>(std::strlen(text))) < 0) return;  // the failure cannot be reported
}

void put_on_standard_error(const char* text) { put(standard_error, text); }
bool standard_error_is_a_terminal() { return _isatty(standard_error) != 0; }

int open_report(const char* path) {
  return _wopen(wide(path).c_str(), _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

void close_report(int descriptor) { _close(descriptor); }

// Writes addresses in the program's file, for `addr2line` and debuggers.
void put_call_stack(int descriptor) {
  std::array<void*, 62> calls{};
  const USHORT count = CaptureStackBackTrace(0, static_cast<DWORD>(calls.size()), calls.data(), nullptr);
  const auto own = reinterpret_cast<std::uintptr_t>(GetModuleHandleW(nullptr));
  std::array<char, 64> line{};
  for (USHORT k = 0; k < count; ++k) {
    std::snprintf(line.data(), line.size(), "orrery.exe+0x%llx\n",
                  static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(calls[k]) - own));
    put(descriptor, line.data());
  }
}

void remove_file(const char* path) { DeleteFileW(wide(path).c_str()); }

}  // namespace orrery::platform
