#include "scenes/nbody/bodies/placement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/platform/parallel.hpp"

namespace orrery {
namespace {

// Bodies per task. Each task has its own sums, so that the bits do not depend on the number of threads.
constexpr std::size_t block = std::size_t{1} << 20;

template <class Work>
void in_parallel_where_many(std::size_t count, const Work& work) {
  if (count <= block) return work(std::size_t{0}, count);
  in_parallel(count, work);
}

void add(Body& sum, const Body& b) {
  sum.mass += b.mass;
  sum.x += b.x;
  sum.y += b.y;
  sum.z += b.z;
  sum.vx += b.vx;
  sum.vy += b.vy;
  sum.vz += b.vz;
}

// The total mass, and the sums of mass times position and of mass times velocity.
Body moments(std::span<const Body> bodies) {
  std::vector<Body> sums((bodies.size() + block - 1) / block);
  in_parallel(sums.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      for (const Body& b : bodies.subspan(k * block, std::min(block, bodies.size() - k * block)))
        add(sums[k], {b.mass, b.mass * b.x, b.mass * b.y, b.mass * b.z, b.mass * b.vx, b.mass * b.vy, b.mass * b.vz});
  });
  Body total;
  for (const Body& sum : sums) add(total, sum);
  return total;
}

}  // namespace

Vector turned(const Vector& v, double inclination, double node) {
  const double y = v[1] * std::cos(inclination) - v[2] * std::sin(inclination);
  const double z = v[1] * std::sin(inclination) + v[2] * std::cos(inclination);
  return {v[0] * std::cos(node) - y * std::sin(node), v[0] * std::sin(node) + y * std::cos(node), z};
}

void scale(std::span<Body> bodies, const BodyScale& by) {
  for (Body& b : bodies) {
    b.mass *= by.mass;
    for (double Body::*of : {&Body::x, &Body::y, &Body::z}) b.*of *= by.length;
    for (double Body::*of : {&Body::vx, &Body::vy, &Body::vz}) b.*of *= by.speed;
  }
}

void place(std::span<Body> bodies, const Placement& at) {
  in_parallel_where_many(bodies.size(), [&](std::size_t begin, std::size_t end) {
    for (Body& body : bodies.subspan(begin, end - begin)) {
      Vector x = turned({body.x, body.y, body.z}, at.inclination, at.node);
      Vector v = turned({body.vx, body.vy, body.vz}, at.inclination, at.node);
      for (std::size_t k = 0; k < 3; ++k) {
        x[k] += at.position[k];
        v[k] += at.velocity[k];
      }
      body = body_at(body.mass, x, v);
    }
  });
}

void centre(std::span<Body> bodies) {
  const Body sum = moments(bodies);
  if (!(sum.mass > 0)) return;
  in_parallel_where_many(bodies.size(), [&](std::size_t begin, std::size_t end) {
    for (Body& b : bodies.subspan(begin, end - begin)) {
      b.x -= sum.x / sum.mass;
      b.y -= sum.y / sum.mass;
      b.z -= sum.z / sum.mass;
      b.vx -= sum.vx / sum.mass;
      b.vy -= sum.vy / sum.mass;
      b.vz -= sum.vz / sum.mass;
    }
  });
}

}  // namespace orrery
