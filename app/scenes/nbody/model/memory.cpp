#include "scenes/nbody/model/memory.hpp"

#include <algorithm>
#include <bit>

#include "base/text.hpp"
#include "compute/device/refusal.hpp"
#include "scenes/nbody/model/kernels.hpp"
#include "scenes/nbody/model/parts.hpp"
#include "scenes/nbody/model/publisher.hpp"

namespace orrery {
namespace {

// Positions twice, velocities, accelerations; in mixed precision also the corrections of positions and velocities.
std::size_t rows_of_state(Precision precision) { return precision == Precision::mixed ? 7 : 4; }

bool fits(const DeviceInfo& device, Precision precision, std::size_t bodies) {
  const std::size_t row = bodies * bytes_of_real4(precision), parts = parts_of(bodies).count * row;
  const std::size_t surfaces = 2 * bodies * published_bytes;
  return std::max(parts, bodies * published_bytes) <= device.allocation_bytes &&
         parts + rows_of_state(precision) * row + surfaces <= device.global_bytes;
}

std::string most(const DeviceInfo& device, Precision precision) {
  return std::to_string(most_bodies(device, precision)) + " in " +
         std::string(precision == Precision::double_ ? "double"
                     : precision == Precision::mixed ? "mixed"
                                                     : "single") +
         " precision";
}

}  // namespace

// Larger numbers of bodies are summed in fewer parts: a number may fit although a slightly smaller one does not.
std::size_t most_bodies(const DeviceInfo& device, Precision precision) {
  std::size_t bodies = 0;
  for (std::size_t step = std::size_t{1} << 40; step > 0; step /= 2)
    if (fits(device, precision, bodies + step)) bodies += step;
  return bodies;
}

void check_memory(const DeviceInfo& device, Precision precision, std::size_t bodies) {
  if (bodies == 0 || fits(device, precision, bodies)) return;
  const auto text = [](std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); };
  throw usage_error("--bodies", std::to_string(bodies),
                    "at most " + most(device, precision) + " (the device has " + text(device.global_bytes) +
                        " of memory, " + text(device.allocation_bytes) + " in one buffer)",
                    device.name);
}

Error with_most_bodies(const Error& error, const DeviceInfo& device, Precision precision, std::size_t bodies) {
  ErrorDetails details = error.details();
  details.what = "no room for " + std::to_string(bodies) + " bodies: " + details.what;
  details.advice = "the device's " + bytes_text(static_cast<double>(device.global_bytes)) + " hold up to " +
                   most(device, precision) + ", without other programs";
  return {error.fault(), std::move(details)};
}

}  // namespace orrery
