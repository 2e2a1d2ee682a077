/// SIGINT (Ctrl+C), SIGTERM and SIGHUP: requests to end the program.
///
/// Such a signal ends the process at once, after its last words (last_words.hpp). While an InterruptWatch exists, the
/// first signal is only recorded and answered, and the work ends in order at its next check.
#pragma once

#include <exception>
#include <string>

namespace orrery {

/// Call once, at the start. Under nohup, SIGHUP stays ignored.
void end_in_order_by_signals();

/// One at a time; any thread; for the whole process. The first signal is answered by a line on standard error that
/// names the last piece of work, "the current step"; an empty name gives no answer.
class InterruptWatch {
 public:
  explicit InterruptWatch(const char* last_work = nullptr);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
};

/// True after a recorded signal. Any thread.
bool interrupted();

/// Thrown by work that ends because of a recorded signal; the process then ends.
class Interrupted : public std::exception {
 public:
  /// `outcome` completes the message with the place and the results: " at step 40 of 100; …".
  explicit Interrupted(const std::string& outcome);
  const char* what() const noexcept override { return line_.c_str(); }
  /// 128 + the number of the signal, as a shell reports it.
  int exit_code() const { return exit_code_; }

 private:
  std::string line_;
  int exit_code_;
};

}  // namespace orrery
