#include "scenes/nbody/window/preparation.hpp"

#include <algorithm>
#include <cmath>

#include "compute/device/refusal.hpp"
#include "scenes/nbody/bodies/initial.hpp"
#include "scenes/nbody/model/memory.hpp"

namespace orrery {
namespace {

template <class Quantity>
LogSpread spread_of(const Bodies& bodies, Quantity&& quantity) {
  std::vector<double> values(bodies.size());
  std::ranges::transform(bodies, values.begin(), quantity);
  return log_spread(values);
}

}  // namespace

Bodies fresh_bodies(const NbodySettings& settings, DeviceClass device_class) {
  return make_bodies(settings.initial, settings.bodies, automatic_bodies(settings.initial, device_class),
                     static_cast<std::uint64_t>(settings.seed));
}

namespace {

void allocate(PreparedNbody& prepared, std::span<ProgramLibrary* const> devices, Precision precision,
              const NbodyState& start) {
  ProgramLibrary& programs = *devices.front();
  const std::size_t count = start.bodies.size();
  try {
    prepared.simulation =
        std::make_unique<NbodySimulation>(nbody_simulation(devices, prepared.settings, start.bodies, start.clock));
    prepared.publisher = std::make_unique<NbodyPublisher>(programs, precision, count);
    prepared.error_sample = std::make_unique<ForceErrorSample>(programs, precision, count);
    prepared.error_map = std::make_unique<ForceErrorMap>(programs, precision, count);
    prepared.observer = std::make_unique<NbodyObserver>(programs, precision, count);
  } catch (const Error& error) {
    if (!is_memory_refusal(error)) throw;
    throw with_most_bodies(error, programs.device().info(), precision, count);
  }
}

}  // namespace

PreparedNbody prepare_nbody(std::span<ProgramLibrary* const> devices, const NbodySettings& settings, const Unset& unset,
                            const std::shared_ptr<const NbodyState>& state) {
  const DeviceInfo& first = devices.front()->device().info();
  const Precision precision = precision_of(settings, first);
  check_memory(first, precision, static_cast<std::size_t>(state ? 0 : settings.bodies));
  NbodyState fresh;
  if (!state) fresh.bodies = fresh_bodies(settings, first.device_class);
  const NbodyState& start = state ? *state : fresh;
  const std::size_t count = start.bodies.size();
  check_memory(first, precision, count);
  PreparedNbody prepared;
  prepared.settings = settings;
  take(prepared.settings, suggestion_of(settings.initial, start.bodies), unset);
  prepared.extent = extent_of(start.bodies);
  prepared.mass = spread_of(start.bodies, [](const Body& b) { return b.mass; });
  prepared.speed = spread_of(start.bodies, [](const Body& b) { return std::hypot(b.vx, b.vy, b.vz); });
  for (const Body& b : start.bodies) prepared.mean_mass += b.mass / static_cast<double>(count);
  allocate(prepared, devices, precision, start);
  return prepared;
}

}  // namespace orrery
