#include "shell/tools/comparer.hpp"

#include <chrono>
#include <thread>

namespace orrery::shell {
namespace {

struct ComparisonCancelled {};

constexpr std::chrono::milliseconds rest_after_slice{4};  // for the scene

}  // namespace

void Comparer::start(std::array<DeviceInfo, 2> devices, ComparisonJob job) {
  if (busy()) return;
  run_ = std::make_shared<Run>();
  work_.start([run = run_, devices = std::move(devices), job = std::move(job)]() -> std::optional<Comparison> {
    try {
      ProgramLibrary first{Device(devices[0])}, second{Device(devices[1])};
      return job({&first, &second}, [&run](double done) {
        if (run->stop) throw ComparisonCancelled();
        run->done = done;
        std::this_thread::sleep_for(rest_after_slice);
      });
    } catch (const ComparisonCancelled&) {
      return {};
    }
  });
}

void Comparer::poll() {
  if (auto done = work_.poll(); done && *done) result_ = std::move(*done);
}

}  // namespace orrery::shell
