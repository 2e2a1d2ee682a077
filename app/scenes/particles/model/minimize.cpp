#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "scenes/particles/model/engine_state.hpp"
#include "scenes/particles/world/near_search.hpp"

namespace orrery::particles {
namespace {

constexpr double overlap = 0.3;       // in usual distances of neighbours: a closer pair overlaps
constexpr double coincidence = 1e-3;  // likewise: a closer pair has no direction of a force
constexpr double first_step = 0.02, smallest_step = 1e-7, longest_step = 0.1;  // likewise
constexpr double faster = 1.2, slower = 0.3;
constexpr double cold = 1e-3;  // share of the largest initial force, if there is no temperature

struct Overlaps {
  std::size_t count = 0;
  double closest = 0;
  std::vector<std::uint32_t> coincident;
};

double usual_distance(const World& world, const std::vector<Vector>& at) {
  double volume = world.box.volume();
  if (!world.box.periodic()) {
    Vector low = at.front(), high = at.front();
    for (const Vector& p : at)
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], p[k]);
        high[k] = std::max(high[k], p[k]);
      }
    double longest = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    if (longest == 0) longest = 1;  // all at one point: any length will do
    volume = 1;
    for (std::size_t k = 0; k < 3; ++k) volume *= std::max(high[k] - low[k], longest / static_cast<double>(at.size()));
  }
  return std::cbrt(volume / static_cast<double>(at.size()));
}

/// Pairs that are not excluded and closer than `near`.
Overlaps overlaps_of(const World& world, const std::vector<Vector>& at, double near, double usual) {
  NearSearch search(world.box, near);
  for (const Vector& one : at) search.add(one);
  const std::vector<Bond> excluded = exclusions_of(world);
  Overlaps result;
  for (std::uint32_t i = 0; i < at.size(); ++i)
    search.around(at[i], [&](std::uint32_t j, double distance2) {
      if (j <= i || std::ranges::binary_search(excluded, Bond{i, j})) return;
      const double r = std::sqrt(distance2);
      result.closest = result.count++ == 0 ? r : std::min(result.closest, r);
      if (r < coincidence * usual) result.coincident.push_back(j);
    });
  return result;
}

}  // namespace

// The method of GROMACS: moves along the forces by at most a length that grows while the energy falls, and shrinks when
// it rises.
Minimized Engine::minimize(Queue& queue, double thermal_forces, std::int64_t most_steps,
                           const std::function<void(const MinimizeProgress&)>& progress) {
  State& s = *state_;
  Minimized result;
  Snapshot start = snapshot_blocking(queue);
  const double usual = usual_distance(s.world, start.position);
  if (!s.world.pairs.empty()) {
    const Overlaps overlaps = overlaps_of(s.world, start.position, overlap * usual, usual);
    result.overlapping = overlaps.count;
    result.closest = overlaps.closest;
    Random random(s.world.seed);
    for (const std::uint32_t i : overlaps.coincident)
      for (double& x : start.position[i]) x += usual * 0.05 * random.uniform(-1, 1);
    if (!overlaps.coincident.empty()) restore(queue, start);
  }
  const std::size_t bytes = s.particles.count * s.particles.bytes_of_wide4();
  const cl::Buffer kept = s.particles.device.buffer(bytes);
  double energy = observe_blocking(*this, queue).potential;
  result.before = energy;
  double largest = s.stepper.largest_force_blocking(queue, s.particles);
  const double kT = s.world.boltzmann * s.world.ensemble.temperature;
  const double force = thermal_forces * (kT > 0 ? kT / usual : cold * largest);
  for (double step = first_step; result.steps < most_steps && largest > force && step > smallest_step; ++result.steps) {
    queue.copy(s.particles.positions, kept, bytes);
    s.stepper.descend(queue, s.world, s.particles, s.forces.neighbours(), step * usual, largest);
    s.forces_known = s.energies_known = false;
    bool better = false;
    try {
      const double next = observe_blocking(*this, queue).potential;
      better = next < energy;
      if (better) energy = next;
    } catch (const Error&) {  // a law gave NaN or infinity there: the step failed
    }
    if (better) {
      step = std::min(step * faster, longest_step);
      largest = s.stepper.largest_force_blocking(queue, s.particles);
    } else {
      queue.copy(kept, s.particles.positions, bytes);
      s.particles.set_status(queue, Status::moved_far, 1);
      s.forces_known = s.energies_known = false;
      run_burst(*this, queue, {0, true});
      step *= slower;
    }
    if (progress) progress({result.steps + 1, most_steps, largest, force});
  }
  result.after = energy;
  result.largest_force = largest;
  return result;
}

}  // namespace orrery::particles
