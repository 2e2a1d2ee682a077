#include "shell/tools/ceilings_keeper.hpp"

#include <chrono>
#include <thread>

#include "base/files/path.hpp"
#include "compute/measure/ceilings.hpp"
#include "compute/measure/ceilings_store.hpp"

namespace orrery::shell {
namespace {

struct MeasuringCancelled {};

std::string identity_of(const DeviceInfo& device) {
  return device.platform + "\n" + device.name + "\n" + device.driver + "\n" + std::to_string(device.parts);
}

// Short runs with rests between them hardly delay a frame. There are many of them, because the scene computes as well
// and only the shortest run counts.
const CeilingsPace beside_a_scene{
    .long_enough = 1e-3, .patience = 0.4, .most_bytes = std::size_t{256} << 20, .rest = {}};
constexpr std::chrono::milliseconds rest_between_launches{10};

}  // namespace

void CeilingsKeeper::follow(const DeviceInfo& device) {
  if (of_ == identity_of(device)) return;
  of_ = identity_of(device);
  known_ = kept_ceilings(ceilings_path(), device);
}

void CeilingsKeeper::measure(const Device& device) {
  if (measuring()) return;
  work_.start([device, stop = stop_]() -> Measured {
    CeilingsPace pace = beside_a_scene;
    pace.rest = [stop] {
      if (*stop) throw MeasuringCancelled();
      std::this_thread::sleep_for(rest_between_launches);
    };
    try {
      ProgramLibrary programs(device, kernel_folder(), cache_folder());  // without the user's edits
      const Ceilings ceilings = measure_ceilings(programs, pace);
      keep_ceilings(ceilings_path(), device.info(), ceilings);
      return {identity_of(device.info()), ceilings};
    } catch (const MeasuringCancelled&) {
      return {};
    }
  });
}

void CeilingsKeeper::poll() {
  const auto done = work_.poll();
  if (done && done->ceilings && done->of == of_) known_ = done->ceilings;
}

}  // namespace orrery::shell
