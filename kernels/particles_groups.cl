// Forces of small groups of particles that belong together, an item a group. Where the device adds 64-bit numbers
// atomically they go to the forces at once; else to rows that gather_group_forces adds.
//
//   -D FIXED_ATOMICS=1
#include "particles.clh"
#ifdef FIXED_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#include "particles_law_numbers.clh"
#include "particles_group_law.clh"

// `members`: MEMBERS identities a group; `values`: GROUP_COLUMNS rows of `groups`; `columns`: rows of `padded`; `rows`: a
// force for each member, from first_row on; `energies`: of each group, then virials of each; `shares`: what each member has
// of its group's energy, in rows as well.
kernel void groups(global const wide4* positions, uint particles, global const uint* members, uint groups,
                   global const real* values, global const real* columns, uint padded, constant wide4* space,
                   constant real* sliders, global long* forces, global real4* rows, uint first_row, global real* energies,
                   global real* shares, uint observed, global int* status) {
  const uint group = get_global_id(0);
  if (group >= groups || status[FROZEN] != 0) return;
  real4 position[MEMBERS], force[MEMBERS];
  uint body[MEMBERS];
  real column[MEMBERS * MEMBER_COLUMNS + 1], value[GROUP_COLUMNS + 1];
  for (uint k = 0; k < MEMBERS; ++k) {
    body[k] = members[group * MEMBERS + k];
    force[k] = (real4)(0);
    for (uint c = 0; c < MEMBER_COLUMNS; ++c) column[k * MEMBER_COLUMNS + c] = columns[c * padded + body[k]];
  }
  for (uint c = 0; c < GROUP_COLUMNS; ++c) value[c] = values[c * groups + group];
  // Differences are taken before anything is rounded.
  const wide4 first = positions[body[0]];
  const wide4 home = first - space[0] * rint(first * space[1]);
  for (uint k = 0; k < MEMBERS; ++k) {
    wide4 delta = positions[body[k]] - first;
    delta -= space[0] * rint(delta * space[1]);
    position[k] = convert_real4(home + delta);
    position[k].w = 0;
  }
  const real energy = group_law(position, body, column, value, sliders, force);
  real sum = energy, virial = 0;
  for (uint k = 0; k < MEMBERS; ++k) {
    const real4 arm = position[k] - position[0];
    virial += force[k].x * arm.x + force[k].y * arm.y + force[k].z * arm.z;
    sum += force[k].x + force[k].y + force[k].z;
#ifdef FIXED_ATOMICS
    atom_add(&forces[body[k]], fixed_of(force[k].x));
    atom_add(&forces[particles + body[k]], fixed_of(force[k].y));
    atom_add(&forces[2 * particles + body[k]], fixed_of(force[k].z));
#else
    rows[first_row + group * MEMBERS + k] = force[k];
#endif
    if (observed) shares[first_row + group * MEMBERS + k] = energy / MEMBERS;
  }
  if (sum != sum) status[NOT_A_NUMBER] = 2;
  if (observed) {
    energies[group] = energy;
    energies[groups + group] = virial;
  }
}
