// Adds the forces of groups where 64-bit numbers cannot be added atomically: `places` are the rows that belong to a
// particle, from starts[i] to starts[i + 1].
#include "particles.clh"

kernel void gather_group_forces(global const uint* starts, global const uint* places, global const real4* rows,
                                uint particles, global const int* exponents, global long* forces,
                                global const int* status) {
  const uint i = get_global_id(0);
  if (i >= particles || stopped(status)) return;
  const scale_t scale = scale_of(-status[FORCE_EXPONENT] - exponents[i]);
  long sum[FORCE_ROWS];
  for (uint k = 0; k < FORCE_ROWS; ++k) sum[k] = 0;
  for (uint p = starts[i]; p < starts[i + 1]; ++p) {
    const real4 units = rows[places[p]] * scale.first * scale.second;
    sum[0] += fixed_of(units.x);
    sum[1] += fixed_of(units.y);
    sum[2] += fixed_of(units.z);
#ifdef DOUBLE
    sum[3] += fine_of(units.x);
    sum[4] += fine_of(units.y);
    sum[5] += fine_of(units.z);
#endif
  }
  for (uint k = 0; k < FORCE_ROWS; ++k) forces[k * particles + i] += sum[k];
}
