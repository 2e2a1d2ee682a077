#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "model/nbody/random.hpp"
#include "model/particles/engine_state.hpp"

namespace orrery::particles {
namespace {

constexpr double overlap = 0.3;       // of the usual distance of neighbours: closer lies on top of each other
constexpr double coincidence = 1e-3;  // likewise: closer has no direction to be pushed in
constexpr double first_step = 0.02, smallest_step = 1e-7, longest_step = 0.1;  // likewise
constexpr double faster = 1.2, slower = 0.3;

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
    const double longest = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-6});
    volume = 1;
    for (std::size_t k = 0; k < 3; ++k) volume *= std::max(high[k] - low[k], longest / static_cast<double>(at.size()));
  }
  return std::cbrt(volume / static_cast<double>(at.size()));
}

/// Pairs that are not excluded and closer than `near`.
class OverlapSearch {
 public:
  OverlapSearch(const World& world, const std::vector<Vector>& at, double near)
      : world_(world), at_(at), near_(near), excluded_(exclusions_of(world)) {
    for (std::uint32_t i = 0; i < at.size(); ++i) cells_[cell_of(at[i])].push_back(i);
  }

  Overlaps found(double usual) const {
    Overlaps result;
    for (const auto& [cell, members] : cells_)
      for (const std::uint32_t i : members) look_around(cell, i, usual, result);
    return result;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  std::int64_t cells(std::size_t k) const {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>((*world_.box.lengths)[k] / near_));
  }
  Cell cell_of(const Vector& p) const {
    Cell cell{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double turns = world_.box.periodic() ? p[k] / (*world_.box.lengths)[k] + 0.5 : 0;
      cell[k] = world_.box.periodic()
                    ? static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(cells(k)))
                    : static_cast<std::int64_t>(std::floor(p[k] / near_));
    }
    return wrapped(cell);
  }
  Cell wrapped(Cell cell) const {
    if (world_.box.periodic())
      for (std::size_t k = 0; k < 3; ++k) cell[k] = (cell[k] % cells(k) + cells(k)) % cells(k);
    return cell;
  }

  void look_around(const Cell& cell, std::uint32_t i, double usual, Overlaps& result) const {
    std::vector<Cell> seen;
    for (int n = 0; n < 27; ++n) {
      const Cell other = wrapped({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
      const auto found = cells_.find(other);
      if (found == cells_.end() || std::ranges::find(seen, other) != seen.end()) continue;
      seen.push_back(other);
      for (const std::uint32_t j : found->second)
        if (j > i) compare(i, j, usual, result);
    }
  }

  void compare(std::uint32_t i, std::uint32_t j, double usual, Overlaps& result) const {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      double d = at_[j][k] - at_[i][k];
      if (world_.box.periodic()) d -= (*world_.box.lengths)[k] * std::rint(d / (*world_.box.lengths)[k]);
      sum += d * d;
    }
    const double r = std::sqrt(sum);
    if (r >= near_ || std::ranges::binary_search(excluded_, Bond{i, j})) return;
    result.closest = result.count++ == 0 ? r : std::min(result.closest, r);
    if (r < coincidence * usual) result.coincident.push_back(j);
  }

  const World& world_;
  const std::vector<Vector>& at_;
  double near_;
  std::vector<Bond> excluded_;
  std::map<Cell, std::vector<std::uint32_t>> cells_;
};

}  // namespace

// As GROMACS does it: along the forces by at most a length that grows while the energy falls, and shrinks when it does
// not.
Minimized Engine::minimize(Queue& queue, double force, std::int64_t most_steps,
                           const std::function<void(double)>& progress) {
  State& s = *state_;
  Minimized result;
  Snapshot start = snapshot_blocking(queue);
  const double usual = usual_distance(s.world, start.position);
  if (!s.world.pairs.empty()) {
    const Overlaps overlaps = OverlapSearch(s.world, start.position, overlap * usual).found(usual);
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
  for (double step = first_step; result.steps < most_steps && largest > force && step > smallest_step; ++result.steps) {
    queue.copy(s.particles.positions, kept, bytes);
    s.stepper.descend(queue, s.world, s.particles, s.forces.neighbours(), step * usual, largest);
    s.forces_known = s.energies_known = false;
    bool better = false;
    try {
      const double next = observe_blocking(*this, queue).potential;
      better = next < energy;
      if (better) energy = next;
    } catch (const Error&) {  // a law gave what is not a number there: that is no better
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
    if (progress) progress(static_cast<double>(result.steps) / static_cast<double>(most_steps));
  }
  result.after = energy;
  result.largest_force = largest;
  return result;
}

}  // namespace orrery::particles
