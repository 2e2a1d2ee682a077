#include "base/work/child_pipe.hpp"

#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/platform/child.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

using platform::Child;
using platform::ChildStart;
using platform::ChildStatus;

constexpr std::chrono::milliseconds turn{100};  // between two checks

// The last line that is not empty.
std::string last_line(const std::string& text) {
  constexpr std::size_t longest = 200;
  std::string line;
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);)
    if (one.find_first_not_of(" \t\r") != std::string::npos) line = one;
  std::erase_if(line, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
  if (line.size() > longest) line.resize(longest);
  return line;
}

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

struct ChildPipe::Process {
  std::string name, said = {};
  Child child;
  bool ended = false;

  Process(const std::filesystem::path& program, const std::vector<std::string>& arguments)
      : name(program.string()),
        child(ChildStart{program,
                         arguments,
                         {},
                         ChildStart::Input::pipe,
                         ChildStart::Output::pipe,
                         ChildStart::Output::with_output}) {}

  ~Process() {
    if (ended) return;
    child.close_input();
    child.request_end();
    for (const double began = now_seconds(); now_seconds() - began < 1;) {
      if (child.poll()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    child.kill();
    child.wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void listen() {
    constexpr std::size_t most = 1 << 14;
    child.read_output(said);
    if (said.size() > most) said.erase(0, said.size() - most);
  }

  /// Waits a turn until its input has room, or only for its output.
  void wait_a_turn() {
    child.wait_for_streams(turn);
    listen();
  }

  Error failed(const std::string& how) {
    listen();
    const std::string reason = last_line(said);
    return failure(name + " " + how + (reason.empty() ? "" : ": " + reason));
  }
};

ChildPipe::ChildPipe(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
  try {
    process_ = std::make_unique<Process>(program, arguments);
  } catch (const std::runtime_error& error) {
    throw failure("cannot start " + program.string() + ": " + error.what());
  }
}

ChildPipe::~ChildPipe() = default;

bool ChildPipe::write(std::span<const std::uint8_t> bytes, double patience, const GoOn& go_on) {
  using Taken = Child::Taken;
  for (double taken_when = now_seconds(); !bytes.empty();) {
    Taken taken = Taken::none;
    try {
      taken = process_->child.write_some(bytes);
    } catch (const std::runtime_error& error) {
      throw process_->failed(std::string("takes nothing: ") + error.what());
    }
    if (taken == Taken::some) {
      taken_when = now_seconds();
      continue;
    }
    if (taken == Taken::closed) {  // it has ended, or is about to; its exit status tells why
      if (!finish(patience, go_on)) return false;
      throw process_->failed("ended before it had read all its input");
    }
    if (!go_on()) return false;
    if (now_seconds() - taken_when > patience)
      throw process_->failed("read nothing for " + brief(patience) + " s and was stopped");
    process_->wait_a_turn();
  }
  return go_on();
}

bool ChildPipe::finish(double patience, const GoOn& go_on) {
  for (const double began = now_seconds(); now_seconds() - began < patience;) {
    if (process_->child.written()) process_->child.close_input();
    if (const auto status = process_->child.poll()) {
      process_->ended = true;
      if (status->well()) return true;
      throw process_->failed(status->crashed ? status->fault()
                                             : "failed with exit code " + std::to_string(status->code));
    }
    if (!go_on()) return false;
    process_->wait_a_turn();
  }
  throw process_->failed("did not end within " + brief(patience) + " s and was stopped");
}

struct ChildTalk::Process {
  std::mutex mutex;  // guards the next two against stop()
  std::unique_ptr<Child> child;
  bool stopped = false;

  void start(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    const std::lock_guard lock(mutex);
    stopped = false;
    try {
      // Output of drivers and of killed compilers is discarded.
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
