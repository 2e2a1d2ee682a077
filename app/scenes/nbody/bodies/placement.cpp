#include "scenes/nbody/bodies/placement.hpp"

#include <cmath>
#include <cstddef>

namespace orrery {

Vector turned(const Vector& v, double inclination, double node) {
  const double y = v[1] * std::cos(inclination) - v[2] * std::sin(inclination);
  const double z = v[1] * std::sin(inclination) + v[2] * std::cos(inclination);
  return {v[0] * std::cos(node) - y * std::sin(node), v[0] * std::sin(node) + y * std::cos(node), z};
}

void place(Bodies& bodies, const Placement& at) {
  for (Body& body : bodies) {
    Vector x = turned({body.x, body.y, body.z}, at.inclination, at.node);
    Vector v = turned({body.vx, body.vy, body.vz}, at.inclination, at.node);
    for (std::size_t k = 0; k < 3; ++k) {
      x[k] += at.position[k];
      v[k] += at.velocity[k];
    }
    body = body_at(body.mass, x, v);
  }
}

void centre(Bodies& bodies) {
  Body sum;
  for (const Body& b : bodies) {
    sum.mass += b.mass;
    sum.x += b.mass * b.x;
    sum.y += b.mass * b.y;
    sum.z += b.mass * b.z;
    sum.vx += b.mass * b.vx;
    sum.vy += b.mass * b.vy;
    sum.vz += b.mass * b.vz;
  }
  if (!(sum.mass > 0)) return;
  for (Body& b : bodies) {
    b.x -= sum.x / sum.mass;
    b.y -= sum.y / sum.mass;
    b.z -= sum.z / sum.mass;
    b.vx -= sum.vx / sum.mass;
    b.vy -= sum.vy / sum.mass;
    b.vz -= sum.vz / sum.mass;
  }
}

}  // namespace orrery
