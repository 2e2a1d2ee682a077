/// A child process that answers questions, one at a time: code that may crash or hang runs there.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace orrery {

/// A message in either direction: texts or bytes.
using Message = std::vector<std::string>;

/// The child crashed or was stopped while it worked on the question.
class ChildCrash : public Error {
 public:
  using Error::Error;
};

/// One thread at a time; stop() may be called by any thread.
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
