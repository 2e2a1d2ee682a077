#include "scenes/particles/model/maxwell.hpp"

#include <algorithm>
#include <cmath>

#include "compute/device/kernel_limits.hpp"
#include "compute/queue/queue.hpp"

namespace orrery::particles {

ProgramSpec maxwell_program() { return {"random.cl", {}}; }

std::vector<Vector> maxwell_velocities(ProgramLibrary& programs, const World& world, double temperature,
                                       std::size_t work_group) {
  const Device& device = programs.device();
  check_work_group(work_group, device.info());
  const std::size_t count = world.particles.size();
  if (count == 0) return {};
  std::vector<float> spreads;
  for (const double mass : world.particles.mass)
    spreads.push_back(mass > 0 ? static_cast<float>(std::sqrt(world.boltzmann * temperature / mass)) : 0.0F);
  const cl::Buffer spread_buffer = device.read_only<float>(spreads);
  const cl::Buffer velocities = device.buffer(count * sizeof(cl_float4));
  cl::Kernel kernel = programs.build(maxwell_program())->kernel("maxwell_velocities");
  kernel.setArg(0, velocities);
  kernel.setArg(1, spread_buffer);
  kernel.setArg(2, static_cast<cl_ulong>(world.seed));
  kernel.setArg(3, static_cast<cl_uint>(count));
  Queue queue(device);
  const std::size_t group = work_group > 0 ? work_group : std::min<std::size_t>(64, device.info().max_work_group);
  queue.launch("velocities", kernel, {cl::NDRange(round_up(count, group)), cl::NDRange(group)});
  std::vector<Vector> drawn;
  drawn.reserve(count);
  for (const cl_float4& v : queue.read_blocking<cl_float4>(velocities, count))
    drawn.push_back({static_cast<double>(v.s[0]), static_cast<double>(v.s[1]), static_cast<double>(v.s[2])});
  take_drift(world, drawn);
  return drawn;
}

bool is_ideal_gas(const World& world) {
  return world.pairs.empty() && world.groups.empty() && world.constraints.empty() &&
         world.ensemble.thermostat == Thermostat::none && world.particles.size() > 0;
}

}  // namespace orrery::particles
