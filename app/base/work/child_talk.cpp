#include "base/work/child_talk.hpp"

#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "base/platform/child.hpp"

namespace orrery {
namespace {

using platform::Child;
using platform::ChildStart;
using platform::ChildStatus;

// The format: the number of texts, then the length and bytes of each.
constexpr std::uint64_t most_texts = 64, longest_text = std::uint64_t{1} << 31;

/// `send(bytes, size)` is false if the other end is closed.
bool send_message(const auto& send, const Message& message) {
  const std::uint64_t count = message.size();
  if (!send(&count, sizeof count)) return false;
  for (const std::string& text : message) {
    const std::uint64_t size = text.size();
    if (!send(&size, sizeof size) || !send(text.data(), text.size())) return false;
  }
  return true;
}

std::optional<Message> receive_message(const auto& receive) {
  std::uint64_t count = 0;
  if (!receive(&count, sizeof count) || count > most_texts) return std::nullopt;
  Message message;
  for (std::uint64_t k = 0; k < count; ++k) {
    std::uint64_t size = 0;
    if (!receive(&size, sizeof size) || size > longest_text) return std::nullopt;
    std::string& text = message.emplace_back(size, '\0');
    if (!receive(text.data(), text.size())) return std::nullopt;
  }
  return message;
}

}  // namespace

struct ChildTalk::Process {
  std::mutex mutex;  // guards the next two against stop()
  std::unique_ptr<Child> child;
  bool stopped = false;

  void start(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    const std::lock_guard lock(mutex);
    stopped = false;
    try {
      // Drivers may print, and compilers that are killed: it goes nowhere.
      child = std::make_unique<Child>(ChildStart{program,
                                                 arguments,
                                                 {},
                                                 ChildStart::Input::channel,
                                                 ChildStart::Output::nothing,
                                                 ChildStart::Output::nothing,
                                                 false});
    } catch (const std::runtime_error& error) {
      throw failure("cannot start " + program.string() + ": " + error.what());
    }
  }

  std::optional<Message> ask(const Message& question) {
    const auto send = [&](const void* bytes, std::size_t size) { return child->send(bytes, size); };
    const auto receive = [&](void* bytes, std::size_t size) { return child->receive(bytes, size); };
    return send_message(send, question) ? receive_message(receive) : std::nullopt;
  }

  /// Waits for the end, which is near.
  ChildStatus end() {
    const std::lock_guard lock(mutex);
    if (!child) return {};
    child->close_input();
    ChildStatus status = child->wait();
    child.reset();
    return status;
  }

  void kill() {
    const std::lock_guard lock(mutex);
    if (child) child->kill();
    stopped = child != nullptr;
  }
};

ChildTalk::ChildTalk(std::filesystem::path program, std::vector<std::string> arguments)
    : program_(std::move(program)), arguments_(std::move(arguments)), process_(std::make_unique<Process>()) {}

ChildTalk::~ChildTalk() {
  process_->kill();
  process_->end();
}

Message ChildTalk::ask(const Message& question) {
  // An idle child ends by itself after a while; the question goes to a new one.
  for (const bool again : {true, false}) {
    if (!process_->child) process_->start(program_, arguments_);
    if (auto found = process_->ask(question)) return std::move(*found);
    const ChildStatus status = process_->end();
    if (process_->stopped) throw ChildCrash(Fault::failure, {.what = "was stopped"});
    if (status.crashed) throw ChildCrash(Fault::failure, {.what = status.fault()});
    if (!again || status.code != 0) throw failure("ended with exit code " + std::to_string(status.code));
  }
  throw failure("does not answer");
}

void ChildTalk::stop() { process_->kill(); }

std::optional<Message> next_question(std::chrono::seconds patience) {
  if (!platform::parent_has_sent(patience)) return std::nullopt;
  return receive_message(platform::receive_from_parent);
}

bool answer(const Message& message) { return send_message(platform::send_to_parent, message); }

}  // namespace orrery
