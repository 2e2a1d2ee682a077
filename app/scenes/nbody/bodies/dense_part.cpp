#include "scenes/nbody/bodies/dense_part.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace orrery {
namespace {

constexpr double shrinks = 0.85;        // factor of the sphere's radius per round
constexpr std::size_t most_left = 100;  // bodies in the last sphere, or a hundredth of all
constexpr std::size_t cells = 16;       // cells of the grid along an axis
constexpr std::size_t most_looked_at = 200'000;

double squared_distance(const Body& b, const std::array<double, 3>& from) {
  const double x = b.x - from[0], y = b.y - from[1], z = b.z - from[2];
  return x * x + y * y + z * z;
}

// If no body has mass, all count equally.
DensePart centre_of(const Bodies& bodies) {
  double mass = 0;
  for (const Body& b : bodies) mass += b.mass;
  DensePart sum;
  for (const Body& b : bodies) {
    const double share = mass > 0 ? b.mass / mass : 1 / static_cast<double>(bodies.size());
    sum.place[0] += share * b.x, sum.place[1] += share * b.y, sum.place[2] += share * b.z;
    sum.velocity[0] += share * b.vx, sum.velocity[1] += share * b.vy, sum.velocity[2] += share * b.vz;
  }
  return sum;
}

// Keeps only the `count` nearest bodies, and returns the radius of their sphere.
double keep_nearest(Bodies& bodies, const std::array<double, 3>& to, std::size_t count) {
  count = std::clamp<std::size_t>(count, 1, bodies.size());
  const auto last = bodies.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::ranges::nth_element(bodies, last, {}, [&](const Body& b) { return squared_distance(b, to); });
  bodies.resize(count);
  return std::sqrt(squared_distance(bodies.back(), to));
}

// The bodies around the heaviest cell of a grid over the nearer nine tenths of all.
Bodies around_heaviest_cell(const Bodies& bodies) {
  Bodies inner = bodies;
  const std::array<double, 3> middle = centre_of(bodies).place;
  const double extent = keep_nearest(inner, middle, bodies.size() * 9 / 10 + 1), width = 2 * extent / cells;
  if (!(width > 0)) return inner;
  std::vector<double> mass(cells * cells * cells);
  const auto cell = [&](double x, std::size_t axis) {
    const double at = (x - middle[axis] + extent) / width;
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(cells) - 1));
  };
  for (const Body& b : inner) mass[(cell(b.x, 0) * cells + cell(b.y, 1)) * cells + cell(b.z, 2)] += b.mass;
  const auto heaviest = static_cast<std::size_t>(std::ranges::max_element(mass) - mass.begin());
  const std::array index{heaviest / (cells * cells), heaviest / cells % cells, heaviest % cells};
  std::array<double, 3> place{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    place[axis] = middle[axis] - extent + (static_cast<double>(index[axis]) + 0.5) * width;
  Bodies found;
  for (const Body& b : inner)
    if (squared_distance(b, place) <= width * width) found.push_back(b);
  return found.empty() ? inner : found;
}

}  // namespace

std::optional<DensePart> densest_part(const Bodies& bodies, const std::optional<std::array<double, 3>>& around) {
  Bodies inside;
  for (std::size_t i = 0; i < bodies.size(); i += bodies.size() / most_looked_at + 1)
    if (std::isfinite(squared_distance(bodies[i], {}))) inside.push_back(bodies[i]);
  if (inside.empty()) return std::nullopt;
  const std::size_t all = inside.size(), last = std::min(most_left, all / 100 + 1);
  if (!around) inside = around_heaviest_cell(inside);
  DensePart part = around ? DensePart{*around, {}} : centre_of(inside);
  double radius = keep_nearest(inside, part.place, around ? all / 2 + 1 : inside.size());
  while (inside.size() > last && radius > 0) {
    part = centre_of(inside);
    radius *= shrinks;
    Bodies nearer;
    for (const Body& b : inside)
      if (squared_distance(b, part.place) <= radius * radius) nearer.push_back(b);
    if (nearer.size() < last) keep_nearest(nearer = inside, part.place, last);
    inside = std::move(nearer);
  }
  return centre_of(inside);
}

}  // namespace orrery
