// What a law of groups says of some groups, and its energy with each coordinate a little less and a little more.
#include "particles.clh"
#include "particles_group_law.clh"

// `results`, for each sample: the energy, then for each coordinate of each member the force and the difference of the
// energies on both sides.
kernel void check_group_law(global const real4* positions, global const real* columns, global const real* values,
                            constant real* sliders, uint samples, global const real* steps, global real* results) {
  const uint i = get_global_id(0);
  if (i >= samples) return;
  real4 position[MEMBERS], force[MEMBERS], unused[MEMBERS];
  uint body[MEMBERS];
  real column[MEMBERS * MEMBER_COLUMNS + 1], value[GROUP_COLUMNS + 1];
  for (uint k = 0; k < MEMBERS; ++k) {
    position[k] = positions[i * MEMBERS + k];
    force[k] = unused[k] = (real4)(0);
    body[k] = k;
  }
  for (uint c = 0; c < MEMBERS * MEMBER_COLUMNS; ++c) column[c] = columns[i * MEMBERS * MEMBER_COLUMNS + c];
  for (uint c = 0; c < GROUP_COLUMNS; ++c) value[c] = values[i * GROUP_COLUMNS + c];
  const uint row = i * (1 + 6 * MEMBERS);
  results[row] = group_law(position, body, column, value, sliders, force);
  for (uint k = 0; k < MEMBERS; ++k)
    for (uint axis = 0; axis < 3; ++axis) {
      const real4 home = position[k];
      const real4 step = steps[i] * (real4)(axis == 0, axis == 1, axis == 2, 0);
      position[k] = home + step;
      const real above = group_law(position, body, column, value, sliders, unused);
      position[k] = home - step;
      const real below = group_law(position, body, column, value, sliders, unused);
      position[k] = home;
      const real of_axis = axis == 0 ? force[k].x : axis == 1 ? force[k].y : force[k].z;
      results[row + 1 + 2 * (3 * k + axis)] = of_axis;
      results[row + 2 + 2 * (3 * k + axis)] = above - below;
    }
}
