#include "base/work/child_run.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/platform/child.hpp"

namespace orrery {
namespace {

using platform::Child;
using platform::ChildStart;
using platform::ChildStatus;

/// The status of a child that ended within `seconds`.
std::optional<ChildStatus> wait_for(Child& child, double seconds, const std::function<void()>& meanwhile = {}) {
  for (const double began = now_seconds(); now_seconds() - began < seconds;) {
    if (auto status = child.poll()) return status;
    if (meanwhile) meanwhile();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return std::nullopt;
}

void keep_end(std::string& text) {
  constexpr std::size_t most = 1 << 16;
  if (text.size() > 2 * most) text.erase(0, text.size() - most);
}

}  // namespace

ChildEnd run_child(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                   const std::vector<std::pair<std::string, std::string>>& environment, double seconds,
                   const std::function<bool()>& go_on) {
  using enum ChildStart::Output;
  std::optional<Child> child;
  try {
    child.emplace(ChildStart{program, arguments, environment, {}, pipe, pipe});
  } catch (const std::runtime_error& error) {
    throw failure("cannot start " + program.string() + ": " + error.what());
  }
  ChildEnd result;
  // Without waiting for the end of the streams: a grandchild may keep them open.
  const auto collect = [&] {
    child->read_output(result.output);
    child->read_errors(result.errors);
    keep_end(result.output);
    keep_end(result.errors);
  };
  const auto status = wait_for(*child, seconds, [&] {
    collect();
    if (go_on && !go_on()) child->request_end();
  });
  collect();
  if (status) {
    result.fault = status->fault();
    return result;
  }
  child->kill();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  (void)child->poll();  // a child stuck in the kernel is left alone
  result.fault = "did not answer within " + std::to_string(static_cast<int>(seconds)) + " s";
  return result;
}

std::string start_program(const std::vector<std::string>& words, double seconds) {
  try {
    Child child(ChildStart{words.at(0), {words.begin() + 1, words.end()}});
    if (const auto status = wait_for(child, seconds)) return status->fault();
    child.forget();
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace orrery
