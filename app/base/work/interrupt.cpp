#include "base/work/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "base/work/last_words.hpp"

namespace orrery {
namespace {

constexpr std::pair<int, const char*> signals[] = {{SIGINT, "SIGINT"},
                                                   {SIGTERM, "SIGTERM"},
#ifdef SIGHUP
                                                   {SIGHUP, "SIGHUP"}
#endif
};

std::atomic<bool> watched = false;
std::atomic<int> noted = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

const char* signal_name(int signal) {
  for (const auto& [number, name] : signals)
    if (number == signal) return name;
  return "a signal";
}

// The exit code with which a shell reports a signal.
int exit_code_of(int signal) { return 128 + signal; }

void note_or_end(int signal) {
  int none = 0;
  if (watched && noted.compare_exchange_strong(none, signal)) {
#ifdef _WIN32
    std::signal(signal, note_or_end);
#endif
    return;
  }
  say_last_words(signal_name(signal));
  std::_Exit(exit_code_of(signal));
}

}  // namespace

void end_in_order_by_signals() {
  for (const auto& [signal, name] : signals) {
#ifdef _WIN32
    std::signal(signal, note_or_end);
#else
    struct sigaction present {};
    if (signal == SIGHUP && ::sigaction(signal, nullptr, &present) == 0 && present.sa_handler == SIG_IGN) continue;
    struct sigaction action {};
    action.sa_handler = note_or_end;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
#endif
  }
}

InterruptWatch::InterruptWatch() {
  noted = 0;
  watched = true;
}

InterruptWatch::~InterruptWatch() { watched = false; }

bool interrupted() { return noted != 0; }

Interrupted::Interrupted(const std::string& outcome)
    : line_(std::string("ended by ") + signal_name(noted) + outcome), exit_code_(exit_code_of(noted)) {}

}  // namespace orrery
