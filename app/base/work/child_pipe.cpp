#include "base/work/child_pipe.hpp"

#include <chrono>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/platform/child.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

using platform::Child;
using platform::ChildStart;

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

}  // namespace orrery
