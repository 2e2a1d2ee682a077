#include "scenes/particles/files/particle_frame.hpp"

namespace orrery::particles {

PointFrame frame_of(const World& world, std::int64_t step, double time) {
  static_assert(sizeof(Vector) == 3 * sizeof(double));
  const Particles& p = world.particles;
  PointFrame frame{.count = p.size(), .step = step, .time = time, .box = world.box.lengths};
  for (std::size_t axis = 0; axis < 3; ++axis)
    frame.columns.push_back({std::string(1, "xyz"[axis]), p.position.front().data() + axis, 3});
  for (std::size_t axis = 0; axis < 3; ++axis)
    frame.columns.push_back({std::string("v") + "xyz"[axis], p.velocity.front().data() + axis, 3});
  frame.columns.push_back({"mass", p.mass.data()});
  frame.columns.push_back({"charge", p.charge.data()});
  frame.columns.push_back({.name = "kind", .kinds = p.kind.data()});
  for (const Column& column : p.columns) frame.columns.push_back({column.name, column.values.data()});
  for (const Kind& kind : world.kinds) frame.kind_names.push_back(kind.name);
  return frame;
}

}  // namespace orrery::particles
