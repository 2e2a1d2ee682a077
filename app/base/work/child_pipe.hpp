/// Child processes connected by a pipe: ChildPipe receives data, ChildTalk answers questions.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace orrery {

/// Fed through its standard input. One thread. Key presses in this program's terminal do not reach the child, and its
/// output is discarded except for the reason of a failure.
class ChildPipe {
 public:
  /// Called several times a second while waiting; false cancels.
  using GoOn = std::function<bool()>;

  /// Starts the program with these arguments, without a shell. Throws Error.
  ChildPipe(const std::filesystem::path& program, const std::vector<std::string>& arguments);
  /// Ends the program if finish() was not called.
  ~ChildPipe();
  ChildPipe(const ChildPipe&) = delete;
  ChildPipe& operator=(const ChildPipe&) = delete;

  /// False after cancellation. Throws an Error if the program ends, or reads nothing for `patience` seconds.
  bool write(std::span<const std::uint8_t> bytes, double patience, const GoOn& go_on);
  /// Closes its input and waits for its end; false after cancellation. Throws an Error unless its exit code is 0.
  bool finish(double patience, const GoOn& go_on);

 private:
  struct Process;
  std::unique_ptr<Process> process_;
};

/// A message in either direction: texts or bytes.
using Message = std::vector<std::string>;

/// The child crashed or was stopped while it worked on the question.
class ChildCrash : public Error {
 public:
  using Error::Error;
};

/// Answers questions, one at a time: code that may crash or hang runs there. One thread at a time; stop() may be called
/// by any thread.
class ChildTalk {
 public:
  /// The child is `program` with `arguments`, started by the first question.
  ChildTalk(std::filesystem::path program, std::vector<std::string> arguments);
  /// Ends the child.
  ~ChildTalk();
  ChildTalk(const ChildTalk&) = delete;
  ChildTalk& operator=(const ChildTalk&) = delete;

  /// Waits for the answer. Throws a ChildCrash ("crashed (Segmentation fault)"), or another Error if the child cannot
  /// be started or cannot answer. The next question starts a new child.
  Message ask(const Message& question);
  /// Ends the child at once. Any thread.
  void stop();

 private:
  struct Process;
  std::filesystem::path program_;
  std::vector<std::string> arguments_;
  std::unique_ptr<Process> process_;
};

/// On the child's side: the next question; nothing at the end, or after `seconds` without one.
std::optional<Message> next_question(std::chrono::seconds patience);
/// False if the parent no longer listens.
bool answer(const Message& message);

}  // namespace orrery
