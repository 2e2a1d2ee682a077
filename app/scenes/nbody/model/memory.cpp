#include "scenes/nbody/model/memory.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "compute/device/refusal.hpp"
#include "scenes/nbody/model/kernels.hpp"
#include "scenes/nbody/model/parts.hpp"
#include "scenes/nbody/model/publisher.hpp"
#include "scenes/nbody/model/tree.hpp"

namespace orrery {
namespace {

// Positions twice, velocities, accelerations; in mixed precision also the corrections of positions and velocities.
std::size_t rows_of_state(Precision precision) { return precision == Precision::mixed ? 7 : 4; }

struct Need {
  std::size_t all = 0, largest_buffer = 0;
};

std::size_t bytes_of_pictures(std::size_t bodies) { return 2 * bodies * published_bytes; }

Need need_of(const DeviceInfo& device, const NbodyStorage& storage, std::size_t bodies) {
  const std::size_t row = bodies * bytes_of_real4(storage.precision), surface = bodies * published_bytes;
  const bool by_tree = storage.forces == Forces::tree;
  const std::size_t parts = (by_tree ? 1 : parts_of(bodies).count) * row;
  std::size_t others = by_tree ? NbodyTree::bytes(device, bodies) : 0;
  if (storage.contacts) others += NbodyContacts::bytes(bodies);
  if (storage.individual) others += NbodyBlocks::bytes(bodies);
  return {parts + others + rows_of_state(storage.precision) * row + bytes_of_pictures(bodies),
          std::max(parts, surface)};
}

bool fits(const DeviceInfo& device, const Need& need) {
  return need.largest_buffer <= device.allocation_bytes && need.all <= device.global_bytes;
}

std::string most(const DeviceInfo& device, const NbodyStorage& storage) {
  return std::to_string(most_bodies(device, storage)) + " in " + std::string(name_of(storage.precision)) + " precision";
}

std::string text_of(std::size_t bytes) { return bytes_text(static_cast<double>(bytes)); }

}  // namespace

NbodyStorage::NbodyStorage(const NbodySettings& settings, Precision of_precision)
    : precision(of_precision),
      forces(forces_of(settings)),
      contacts(contact_of(settings) != Contact::pass),
      individual(takes_individual_steps(settings)) {}

std::size_t bytes_of_simulation(const DeviceInfo& device, const NbodyStorage& storage, std::size_t bodies) {
  return need_of(device, storage, bodies).all - bytes_of_pictures(bodies);
}

// Larger numbers of bodies are summed in fewer parts: a number may fit although a slightly smaller one does not.
std::size_t most_bodies(const DeviceInfo& device, const NbodyStorage& storage) {
  std::size_t bodies = 0;
  for (std::size_t step = std::size_t{1} << 40; step > 0; step /= 2)
    if (fits(device, need_of(device, storage, bodies + step))) bodies += step;
  return bodies;
}

void check_memory(const DeviceInfo& device, const NbodyStorage& storage, std::size_t bodies) {
  const Need need = need_of(device, storage, bodies);
  if (bodies == 0 || fits(device, need)) return;
  throw usage_error("--bodies", std::to_string(bodies),
                    "at most " + most(device, storage) + " (they need " + text_of(need.all) +
                        " of memory and the device has " + text_of(device.global_bytes) +
                        "; the largest buffer needs " + text_of(need.largest_buffer) + " of " +
                        text_of(device.allocation_bytes) + ")",
                    device.name);
}

Error with_most_bodies(const Error& error, const DeviceInfo& device, const NbodyStorage& storage, std::size_t bodies) {
  ErrorDetails details = error.details();
  details.what = "no room for " + std::to_string(bodies) + " bodies, which need " +
                 text_of(need_of(device, storage, bodies).all) + ": " + details.what;
  details.advice = "the device's " + text_of(device.global_bytes) + " hold up to " + most(device, storage) +
                   ", without other programs";
  return {error.fault(), std::move(details)};
}

}  // namespace orrery
