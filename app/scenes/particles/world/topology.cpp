// Consequences of bonds: exclusions, angles, torsions.
#include <set>

#include "base/error.hpp"
#include "base/text.hpp"
#include "scenes/particles/world/fill.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery::particles {
namespace {

std::vector<std::vector<std::uint32_t>> neighbours_of(const World& world) {
  std::vector<std::vector<std::uint32_t>> near(world.particles.size());
  for (const auto& [a, b] : world.bonds) {
    if (a >= near.size() || b >= near.size()) continue;  // check() refuses such bonds
    near[a].push_back(b);
    near[b].push_back(a);
  }
  return near;
}

// Checks the count before memory is allocated: angles grow with the square of a particle's bonds.
void check_joined(double count, const char* what) {
  if (count > static_cast<double>(most_joined))
    throw usage_error(std::string("the number of ") + what + " that the bonds make", brief(count),
                      "at most " + std::to_string(most_joined));
}

double size_of(const std::vector<std::uint32_t>& members) { return static_cast<double>(members.size()); }

}  // namespace

std::vector<std::array<std::uint32_t, 3>> angles_of(const World& world) {
  const auto near = neighbours_of(world);
  double count = 0;
  for (const auto& around : near) count += size_of(around) * (size_of(around) - 1) / 2;
  check_joined(count, "angles");
  std::vector<std::array<std::uint32_t, 3>> angles;
  for (std::uint32_t middle = 0; middle < near.size(); ++middle)
    for (std::size_t a = 0; a < near[middle].size(); ++a)
      for (std::size_t b = a + 1; b < near[middle].size(); ++b)
        angles.push_back({near[middle][a], middle, near[middle][b]});
  return angles;
}

std::vector<std::array<std::uint32_t, 4>> torsions_of(const World& world) {
  const auto near = neighbours_of(world);
  double count = 0;
  for (const auto& [b, c] : world.bonds)
    if (b < near.size() && c < near.size()) count += (size_of(near[b]) - 1) * (size_of(near[c]) - 1);
  check_joined(count, "torsions");
  std::vector<std::array<std::uint32_t, 4>> torsions;
  for (const auto& [b, c] : world.bonds) {
    if (b >= near.size() || c >= near.size()) continue;
    for (const std::uint32_t a : near[b])
      for (const std::uint32_t d : near[c])
        if (a != c && d != b && a != d) torsions.push_back({a, b, c, d});
  }
  return torsions;
}

std::vector<Bond> exclusions_of(const World& world) {
  std::vector<std::vector<std::uint32_t>> near(world.particles.size());
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    near[a].push_back(b);
    near[b].push_back(a);
  };
  std::vector<Bond> pairs;
  if (world.excluded_bonds > 0) {
    for (const auto& [a, b] : world.bonds) join(a, b);
    for (const Constraint& c : world.constraints) join(c.first, c.second);
  }
  std::set<std::uint32_t> reached, edge;
  for (std::uint32_t i = 0; i < near.size(); ++i) {
    if (near[i].empty()) continue;
    reached = {i};
    edge = {i};
    for (int step = 0; step < world.excluded_bonds; ++step) {
      std::set<std::uint32_t> next;
      for (const std::uint32_t from : edge)
        for (const std::uint32_t to : near[from])
          if (reached.insert(to).second) next.insert(to);
      edge = std::move(next);
    }
    for (const std::uint32_t other : reached)
      if (other > i) pairs.push_back({i, other});
    check_joined(static_cast<double>(pairs.size()), "pairs that they exclude");
  }
  return pairs;
}

}  // namespace orrery::particles
