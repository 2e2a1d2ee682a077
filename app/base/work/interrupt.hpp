/// SIGINT (Ctrl+C), SIGTERM and SIGHUP: a person or the system wants the program to end.
///
/// Such a signal ends the process at once, with its last words (last_words.hpp). While an InterruptWatch lives, the
/// first one is only noted, for the work to end in order at the next place that asks.
#pragma once

#include <exception>
#include <string>

namespace orrery {

/// Once, at the start of the program. Under nohup SIGHUP stays ignored.
void end_in_order_by_signals();

/// One at a time; from any thread, for the whole process.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
};

/// Under an InterruptWatch: a signal has been noted. Any thread.
bool interrupted();

/// Thrown where work ends because of the noted signal; the process ends for that reason.
class Interrupted : public std::exception {
 public:
  /// `outcome` continues the line with where it ended, and what is left: " at step 40 of 100; …".
  explicit Interrupted(const std::string& outcome);
  const char* what() const noexcept override { return line_.c_str(); }
  /// 128 + the signal's number, as a shell tells it.
  int exit_code() const { return exit_code_; }

 private:
  std::string line_;
  int exit_code_;
};

}  // namespace orrery
