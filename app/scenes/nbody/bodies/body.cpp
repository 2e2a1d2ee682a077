#include "scenes/nbody/bodies/body.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {

bool is_gone(const Body& body) { return body.mass == 0 && std::signbit(body.mass); }

bool pulls(const Body& body) { return body.mass != 0 || (is_gone(body) && std::signbit(body.vx)); }

std::size_t sources_of(const Bodies& bodies) {
  const auto last = std::ranges::find_if(bodies.rbegin(), bodies.rend(), pulls);
  return std::max<std::size_t>(static_cast<std::size_t>(bodies.rend() - last), 1);
}

double extent_of(const Bodies& bodies) {
  std::vector<double> radii;
  radii.reserve(bodies.size());
  for (const Body& b : bodies) radii.push_back(std::hypot(b.x, b.y, b.z));
  const auto ninth_tenth = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() * 9 / 10);
  std::nth_element(radii.begin(), ninth_tenth, radii.end());
  return std::max(*ninth_tenth, 1e-3);
}

}  // namespace orrery
