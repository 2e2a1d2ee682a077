#include "scenes/nbody/checks/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "base/clock.hpp"
#include "base/statistics.hpp"
#include "scenes/nbody/tuning/device_group.hpp"

namespace orrery {
namespace {

constexpr double slice_seconds = 0.004;
constexpr double round_seconds = 0.2;  // approximate, of the slower side
constexpr double wanted_seconds = 5;   // total for all rounds of both sides
constexpr int fewest_rounds = 2, most_rounds = 7;
constexpr double most_steps = 64;  // per round

struct Side {
  Side(ProgramLibrary& programs, const NbodySettings& settings, const Bodies& bodies)
      : device(programs.device()), queue(device), simulation(nbody_simulation(one(programs), settings, bodies)) {}

  void move(const Burst& burst, const std::function<void()>& between) {
    run_burst(simulation, queue, burst, between, slice_seconds);
  }

  const Device& device;
  Queue queue;
  ProgramLibrary* library = nullptr;
  NbodySimulation simulation;

 private:
  std::span<ProgramLibrary* const> one(ProgramLibrary& programs) {
    library = &programs;
    return {&library, 1};
  }
};

double timed(Side& side, const Burst& burst, const Rest& rest, const std::function<void()>& waited) {
  const double began = now_seconds(), rested = rest.seconds();
  side.move(burst, waited);
  return now_seconds() - began - (rest.seconds() - rested);
}

struct Apart {
  std::vector<double> positions, velocities;
};

Apart apart(const Bodies& a, const Bodies& b) {
  Apart result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result.positions.push_back(std::hypot(a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z));
    result.velocities.push_back(std::hypot(a[i].vx - b[i].vx, a[i].vy - b[i].vy, a[i].vz - b[i].vz));
  }
  return result;
}

double typical_speed(const Bodies& bodies) {
  std::vector<double> speeds;
  for (const Body& b : bodies) speeds.push_back(std::hypot(b.vx, b.vy, b.vz));
  const double typical = median(std::move(speeds));
  return typical > 0 ? typical : 1;
}

}  // namespace

Comparison compare_nbody(const std::array<ProgramLibrary*, 2>& sides, const std::array<NbodySettings, 2>& settings,
                         const Bodies& bodies, const BetweenSlices& between) {
  double done = 0, planned = 1;
  Rest rest(between);
  const auto waited = [&] { rest(std::min(0.99, done / planned)); };
  std::array<std::optional<Side>, 2> made;
  std::array<Burst, 2> bursts;
  double slower = 0, both = 0, steps = 0;
  for (std::size_t k = 0; k < 2; ++k) {
    Side& side = made[k].emplace(*sides[k], settings[k], bodies);
    bursts[k] = {.steps = 1,
                 .dt = settings[k].dt,
                 .softening = settings[k].softening,
                 .potential = false,
                 .gravity = gravity_of(settings[k])};
    timed(side, bursts[k], rest, waited);  // the first launches
    const double seconds = timed(side, bursts[k], rest, waited);
    slower = std::max(slower, seconds);
    both += seconds;
  }
  steps = 2;
  const double in_round = std::floor(std::clamp(round_seconds / slower, 1.0, most_steps));
  const int rounds = std::clamp(static_cast<int>(wanted_seconds / (both * in_round)), fewest_rounds, most_rounds);
  planned = 2.0 * rounds;
  Comparison comparison;
  std::array<ComparedSide, 2> timed_sides{ComparedSide{made[0]->queue, {}}, ComparedSide{made[1]->queue, {}}};
  for (std::size_t k = 0; k < 2; ++k) {
    bursts[k].steps = static_cast<std::int64_t>(in_round);
    timed_sides[k].round = [&, k] {
      made[k]->move(bursts[k], waited);
      ++done;
    };
  }
  time_side_by_side(timed_sides, rounds, in_round, rest, comparison);
  steps += rounds * in_round;

  const Bodies first = bodies_of(made[0]->device, made[0]->queue, made[0]->simulation);
  const Bodies second = bodies_of(made[1]->device, made[1]->queue, made[1]->simulation);
  const Apart distances = apart(first, second);
  const double extent = extent_of(bodies), speed = typical_speed(bodies);
  comparison.work =
      std::to_string(bodies.size()) + " bodies, " + std::to_string(static_cast<std::int64_t>(steps)) + " steps";
  comparison.unit = "step";
  comparison.same_bits = first == second;
  comparison.differences = {
      {"Positions, median", median(distances.positions) / extent, "relative to the extent of the bodies"},
      {"Positions, largest", std::ranges::max(distances.positions) / extent, "relative to the extent of the bodies"},
      {"Velocities, median", median(distances.velocities) / speed, "relative to the median speed"},
      {"Velocities, largest", std::ranges::max(distances.velocities) / speed, "relative to the median speed"}};
  return comparison;
}

}  // namespace orrery
