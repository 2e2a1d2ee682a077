#include "base/work/interrupt.hpp"

#include <atomic>
#include <cstdlib>

#include "base/platform/signals.hpp"
#include "base/work/last_words.hpp"

namespace orrery {
namespace {

std::atomic<bool> watched = false;
std::atomic<int> noted = 0;
std::atomic<const char*> awaited = nullptr;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

// The exit code with which a shell reports a signal.
int exit_code_of(int signal) { return 128 + signal; }

void note_or_end(int signal) {
  int none = 0;
  if (watched && noted.compare_exchange_strong(none, signal)) {
    if (const char* last_work = awaited) promise_to_end(last_work);
    return;
  }
  say_last_words(platform::name_of_end_request(signal));
  std::_Exit(exit_code_of(signal));
}

}  // namespace

void end_in_order_by_signals() { platform::on_end_request(note_or_end); }

InterruptWatch::InterruptWatch(const char* last_work) {
  noted = 0;
  awaited = last_work;
  watched = true;
}

InterruptWatch::~InterruptWatch() { watched = false; }

bool interrupted() { return noted != 0; }

Interrupted::Interrupted(const std::string& outcome)
    : line_(std::string("ended by ") + platform::name_of_end_request(noted) + outcome),
      exit_code_(exit_code_of(noted)) {}

}  // namespace orrery
