#include "scenes/nbody/bodies/body.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {

double extent_of(const Bodies& bodies) {
  std::vector<double> radii;
  radii.reserve(bodies.size());
  for (const Body& b : bodies) radii.push_back(std::hypot(b.x, b.y, b.z));
  const auto ninth_tenth = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() * 9 / 10);
  std::nth_element(radii.begin(), ninth_tenth, radii.end());
  return std::max(*ninth_tenth, 1e-3);
}

}  // namespace orrery
