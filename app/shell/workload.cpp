#include "shell/workload.hpp"

#include <algorithm>

namespace orrery::shell {

void Workload::attach(OpenDevices& devices) {
  const Device& device = devices.context().device;
  devices.queue().profiler().trace_into(QueueTrace(timeline_, device.info().name, device));
  for (const auto& scene : scenes_) scene->attach(devices.context());
}

// Calls every scene, so that all copies begin.
HostCopy Workload::copy_to_host() {
  HostCopy copy = editor_.building() ? HostCopy::complete : HostCopy::released;  // release() would wait for the build
  for (const auto& scene : scenes_)
    if (!scene->leave(Leaving::in_order))
      copy = std::min(copy, scene->status().on_host ? HostCopy::complete : HostCopy::under_way);
  return copy;
}

void Workload::release() {
  tidier_.note_litter();
  editor_.leave();
  tuner_.leave();
  for (const auto& scene : scenes_) (void)scene->leave(Leaving::at_once);
}

void Workload::abandon() {
  for (const auto& scene : scenes_) (void)scene->leave(Leaving::unanswered);
  tuner_.abandon();
  editor_.abandon();
}

bool Workload::compiling() const {
  return std::ranges::any_of(scenes_, [](const auto& scene) { return scene->status().compiling; });
}

}  // namespace orrery::shell
