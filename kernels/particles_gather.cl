// The forces of groups where 64-bit numbers cannot be added atomically: `places` are the rows that belong to a particle,
// from starts[i] to starts[i + 1].
#include "particles.clh"

kernel void gather_group_forces(global const uint* starts, global const uint* places, global const real4* rows,
                                uint particles, global long* forces, global const int* status) {
  const uint i = get_global_id(0);
  if (i >= particles || status[FROZEN] != 0) return;
  long x = 0, y = 0, z = 0;
  for (uint p = starts[i]; p < starts[i + 1]; ++p) {
    const real4 force = rows[places[p]];
    x += fixed_of(force.x);
    y += fixed_of(force.y);
    z += fixed_of(force.z);
  }
  forces[i] += x;
  forces[particles + i] += y;
  forces[2 * particles + i] += z;
}
