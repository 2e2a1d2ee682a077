/// Another process that is asked questions, one at a time: what may crash, or never answer, does so there.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace orrery {

/// What either side says: texts or bytes.
using Message = std::vector<std::string>;

/// It crashed, or was stopped: what it was asked is to blame.
class ChildCrash : public Error {
 public:
  using Error::Error;
};

/// One thread at a time, but for stop().
class ChildTalk {
 public:
  /// The child is `program` with `arguments`, started when there is something to ask.
  ChildTalk(std::filesystem::path program, std::vector<std::string> arguments);
  /// Ends the child.
  ~ChildTalk();
  ChildTalk(const ChildTalk&) = delete;
  ChildTalk& operator=(const ChildTalk&) = delete;

  /// Waits for the answer. Throws Error when there is none: a ChildCrash ("crashed (Segmentation fault)"), or another
  /// when the child cannot be started or does not know what to say. The next question starts another one.
  Message ask(const Message& question);
  /// Ends the child, whatever it is doing. Any thread.
  void stop();

 private:
  struct Process;
  std::filesystem::path program_;
  std::vector<std::string> arguments_;
  std::unique_ptr<Process> process_;
};

/// The child's side: the next question; nothing when there will be none, or none came for so long.
std::optional<Message> next_question(std::chrono::seconds patience);
/// False when nobody listens any more.
bool answer(const Message& message);

}  // namespace orrery
