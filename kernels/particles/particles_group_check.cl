// A law of groups on some groups, and the exact derivative of its energy.
#include "particles.clh"
#include "particles_law_numbers.clh"
#include "particles_law_frame.clh"
#include "particles_group_law_checked.clh"

// `results`, for each sample: the energy, then for each coordinate of each member the force and the exact force.
kernel void check_group_law(global const real4* positions, global const real* columns, global const real* values,
                            constant real* sliders, uint samples, global real* results) {
  const uint i = get_global_id(0);
  if (i >= samples) return;
  real4 position[MEMBERS], force[MEMBERS], exact[MEMBERS];
  uint body[MEMBERS];
  real column[MEMBERS * MEMBER_COLUMNS + 1], value[GROUP_COLUMNS + 1];
  for (uint k = 0; k < MEMBERS; ++k) {
    position[k] = positions[i * MEMBERS + k];
    force[k] = exact[k] = (real4)(0);
    body[k] = k;
  }
  for (uint c = 0; c < MEMBERS * MEMBER_COLUMNS; ++c) column[c] = columns[i * MEMBERS * MEMBER_COLUMNS + c];
  for (uint c = 0; c < GROUP_COLUMNS; ++c) value[c] = values[i * GROUP_COLUMNS + c];
  const uint row = i * (1 + 6 * MEMBERS);
  results[row] = group_law(position, body, column, value, sliders, force, exact);
  for (uint k = 0; k < MEMBERS; ++k) {
    const real found[3] = {force[k].x, force[k].y, force[k].z}, wanted[3] = {exact[k].x, exact[k].y, exact[k].z};
    for (uint axis = 0; axis < 3; ++axis) {
      results[row + 1 + 2 * (3 * k + axis)] = found[axis];
      results[row + 2 + 2 * (3 * k + axis)] = wanted[axis];
    }
  }
}
