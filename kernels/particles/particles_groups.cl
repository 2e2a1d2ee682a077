// Forces of small groups of particles, an item per group. Where the device adds 64-bit numbers
// atomically they are added to the forces at once; else they go to rows that gather_group_forces adds.
//
//   -D FIXED_ATOMICS=1
#include "particles.clh"
#ifdef FIXED_ATOMICS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#include "particles_law_numbers.clh"
#include "particles_law_frame.clh"

// The law of a few particles is cheap, and small differences count in it: it uses the precision of the motion.
#if defined(WIDE_IS_DOUBLE) && !defined(DOUBLE)
#define real double
#define real4 double4
#undef law_fast
#define law_fast(function) function
#endif
#include "particles_group_law.clh"
#undef real
#undef real4

// `members`: MEMBERS identities per group; `values`: GROUP_COLUMNS rows of `groups`; `columns`: rows of `padded`;
// `rows`: a force per member, from first_row on; `energies`: of each group, then virials; `shares`: each member's share
// of its group's energy, also in rows; `sharing`: the bits of the largest number of groups per particle; `law`: the index
// of the law among those of groups.
kernel void groups(global const wide4* positions, uint particles, global const uint* members, uint groups,
                   global const wide* values, global const wide* columns, uint padded, global const int* exponents,
                   int sharing, constant wide4* space,
                   constant wide* sliders, global long* forces, global real4* rows, uint first_row, global real* energies,
                   global real* shares, uint observed, int law, global int* status) {
  const uint group = get_global_id(0);
  if (group >= groups || stopped(status)) return;
  wide4 position[MEMBERS], force[MEMBERS];
  uint body[MEMBERS];
  wide column[MEMBERS * MEMBER_COLUMNS + 1], value[GROUP_COLUMNS + 1];
  for (uint k = 0; k < MEMBERS; ++k) {
    body[k] = members[group * MEMBERS + k];
    force[k] = (wide4)(0);
    for (uint c = 0; c < MEMBER_COLUMNS; ++c) column[k * MEMBER_COLUMNS + c] = columns[c * padded + body[k]];
  }
  for (uint c = 0; c < GROUP_COLUMNS; ++c) value[c] = values[c * groups + group];
  // Differences are taken before anything is rounded.
  const wide4 first = positions[body[0]];
  const wide4 home = first - space[0] * rint(first * space[1]);
  for (uint k = 0; k < MEMBERS; ++k) {
    wide4 delta = positions[body[k]] - first;
    delta -= space[0] * rint(delta * space[1]);
    position[k] = home + delta;
    position[k].w = 0;
  }
  const wide energy = group_law(position, body, column, value, sliders, force);
  wide sum = fabs(energy), virial = 0;
  int most = INT_MIN;
  for (uint k = 0; k < MEMBERS; ++k) {
    const wide4 arm = position[k] - position[0];
    const real4 rounded_force = convert_real4(force[k]);
    virial += force[k].x * arm.x + force[k].y * arm.y + force[k].z * arm.z;
    const real size = fabs(rounded_force.x) + fabs(rounded_force.y) + fabs(rounded_force.z);
    const int exponent = status[FORCE_EXPONENT] + exponents[body[k]];
    sum += size;
    if (size > 0) most = max(most, bits_of(size) - exponent);
#ifdef FIXED_ATOMICS
    const scale_t scale = scale_of(-exponent);
    const real4 units = rounded_force * scale.first * scale.second;
    atom_add(&forces[body[k]], fixed_of(units.x));
    atom_add(&forces[particles + body[k]], fixed_of(units.y));
    atom_add(&forces[2 * particles + body[k]], fixed_of(units.z));
#ifdef DOUBLE
    atom_add(&forces[3 * particles + body[k]], fine_of(units.x));
    atom_add(&forces[4 * particles + body[k]], fine_of(units.y));
    atom_add(&forces[5 * particles + body[k]], fine_of(units.z));
#endif
#else
    rows[first_row + group * MEMBERS + k] = rounded_force;
#endif
    if (observed) shares[first_row + group * MEMBERS + k] = (real)(energy / MEMBERS);
  }
  if (most > INT_MIN) watch_range(most + sharing, status);
  if (!(sum < INFINITY)) status[NOT_A_NUMBER] = 2 + law;
  if (observed) {
    energies[group] = (real)energy;
    energies[groups + group] = (real)virial;
  }
}
