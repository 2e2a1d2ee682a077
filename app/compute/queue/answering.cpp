#include "compute/queue/answering.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/platform/threads.hpp"
#include "base/text.hpp"
#include "compute/device/call_watch.hpp"
#include "compute/queue/queue.hpp"

namespace orrery {
namespace {

enum class Answer { right, wrong, gone };

// Sets the answer before releasing objects, because a release in PoCL 6.0 waits for ended servers, even those of other
// objects.
void ask(const DeviceInfo& info, std::promise<Answer>& answer) {
  try {
    const Device device(info);
    check_available(device.handle(), info);
    Queue queue(device);
    const std::vector<std::uint32_t> sent{3, 1, 4, 1, 5, 9, 2, 6};
    const cl::Buffer buffer = device.buffer(sent.size() * sizeof(std::uint32_t));
    queue.write_blocking(buffer, std::span(sent));
    const cl::Buffer copy = device.buffer(sent.size() * sizeof(std::uint32_t));
    queue.copy(buffer, copy, sent.size() * sizeof(std::uint32_t));
    queue.finish();
    answer.set_value(queue.read_blocking<std::uint32_t>(copy, sent.size()) == sent ? Answer::right : Answer::wrong);
  } catch (const std::exception& thrown) {
    const Error error = as_error(thrown);
    log(Level::warning, error.what());
    const bool gone = is_remote(info) && error.details().code == code_name(CL_DEVICE_NOT_AVAILABLE);
    answer.set_value(gone ? Answer::gone : Answer::wrong);
  }
}

std::atomic<double> longest_silence = std::numeric_limits<double>::infinity();
std::function<void(const DeviceSilent&)> end_of_silence;  // set before waiting for devices

void wait(Queue& queue, double longest_sleep, const std::function<bool()>& ended) {
  constexpr double shortest_sleep = 20e-6;  // seconds
  const double limit = longest_silence;
  const auto compiles = [&](double seconds) {
    return queue.may_compile() && seconds < longest_build() &&
           !answering({&queue.device(), 1}, longest_answer()).empty();
  };
  const double began = now_seconds();
  double waited_for = limit;
  const auto has_ended = [&] {
    const DriverCall watched(queue.device());
    return ended();
  };
  for (double sleep = shortest_sleep; !has_ended(); sleep = std::min(1.2 * sleep, longest_sleep)) {
    const double seconds = now_seconds() - began;
    if (seconds > waited_for && !compiles(seconds)) {
      const DeviceSilent silent(queue.device(), waited_for);
      if (end_of_silence) end_of_silence(silent);
      throw silent;
    }
    if (seconds > waited_for) waited_for += limit;
    std::this_thread::sleep_for(std::chrono::duration<double>(sleep));
  }
}

}  // namespace

void limit_silence(double seconds, std::function<void(const DeviceSilent&)> end) {
  end_of_silence = std::move(end);
  longest_silence = seconds;
}

// clFinish() would block for ever on an event that never completes.
void wait_for_answer(Queue& queue) {
  if (std::isinf(longest_silence)) return;
  const cl::Event last = queue.marker();
  queue.flush();
  wait(queue, 1e-3, [&] { return is_complete(last); });
  queue.has_answered();
}

void wait_for_answer(Queue& queue, const std::function<bool()>& reached) {
  queue.flush();
  wait(queue, 50e-6, reached);
}

void check_available(const cl::Device& device, const DeviceInfo& info) {
  if (!is_remote(info)) return;
  const DriverCall watched(info);
  cl_bool available = CL_TRUE;
  const cl_int code =
      clGetDeviceInfo(device(), CL_DEVICE_AVAILABLE, sizeof available, static_cast<void*>(&available), nullptr);
  if (code == CL_SUCCESS && available == CL_TRUE) return;
  throw Error(Fault::failure, {"the server on the other machine has ended or cannot be reached",
                               {},
                               info.name + " (" + text_of(info.id) + ")",
                               code_name(CL_DEVICE_NOT_AVAILABLE),
                               "choose another device",
                               {}});
}

DeviceSilent::DeviceSilent(const DeviceInfo& device, double seconds)
    : Error(Fault::failure, {"the device has not answered for " + brief(seconds) + " s",
                             {},
                             device.name,
                             {},
                             "it may be running an endless kernel, or may be lost",
                             {}}),
      device_(device) {}

Answers answers_of(std::span<const DeviceInfo> devices, double seconds) {
  std::vector<std::future<Answer>> answers;
  for (const DeviceInfo& device : devices) {
    std::promise<Answer> promise;
    answers.push_back(promise.get_future());
    std::thread([device, promise = std::move(promise)]() mutable {
      give_signal_stack();
      ask(device, promise);
    }).detach();
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  Answers result;
  for (std::size_t k = 0; k < devices.size(); ++k) {
    if (answers[k].wait_until(until) != std::future_status::ready) continue;
    const Answer answer = answers[k].get();
    if (answer == Answer::right) result.right.push_back(devices[k]);
    if (answer == Answer::gone) result.gone.push_back(devices[k]);
  }
  return result;
}

std::vector<DeviceInfo> answering(std::span<const DeviceInfo> devices, double seconds) {
  return answers_of(devices, seconds).right;
}

}  // namespace orrery
