// Each body gathers the pull of every source: all pairs, each seen twice.
//
//   -D WORK_GROUP=n  work-items of a group; each holds LANES bodies
//   -D TILE=n        sources that a group copies to local memory at a time
//   -D UNROLL=n      of the loop over a tile
#include "nbody_force.clh"

// Sources of which the sum is added to the rest: short sums keep their digits.
#define RUN 1024

// Lane k of a work-item; `first` is where this launch begins when the bodies are cut into several.
static uint body_of(uint first, uint lane) {
  return first + (get_group_id(0) * LANES + lane) * WORK_GROUP + get_local_id(0);
}

static field_t run_of(global const real4* positions, uint from, uint to, reals x, reals y, reals z, real softening2,
                      real least, local real4* tile, bool potential) {
  field_t sum = {0, 0, 0, 0};
  for (uint base = from; base < to; base += TILE) {
    // Beyond the last source stand bodies without mass, which add nothing.
    for (uint k = get_local_id(0); k < TILE; k += WORK_GROUP)
      tile[k] = base + k < to ? positions[base + k] : (real4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
    for (uint k = 0; k < TILE; ++k) attract(&sum, tile[k], x, y, z, softening2, least, potential);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return sum;
}

static void gather_part(global const real4* positions, global real4* parts, uint bodies, uint part_bodies, uint first,
                        uint end, real softening2, real least, local real4* tile, bool potential) {
  real x[LANES], y[LANES], z[LANES], w[LANES];
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = body_of(first, k);
    const real4 body = i < end ? positions[i] : (real4)(0);
    x[k] = body.x;
    y[k] = body.y;
    z[k] = body.z;
  }
  const reals at_x = reals_from(x), at_y = reals_from(y), at_z = reals_from(z);
  const uint part = get_group_id(1);
  const uint last = min(bodies, (part + 1) * part_bodies);
  field_t field = {0, 0, 0, 0};
  for (uint run = part * part_bodies; run < last; run += RUN) {
    const field_t sum = run_of(positions, run, min(last, run + RUN), at_x, at_y, at_z, softening2, least, tile, potential);
    add_field(&field, &sum);
  }
  reals_to(field.x, x);
  reals_to(field.y, y);
  reals_to(field.z, z);
  reals_to(field.potential, w);
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = body_of(first, k);
    if (i < end) parts[(size_t)part * bodies + i] = (real4)(x[k], y[k], z[k], w[k]);
  }
}

// Second dimension: the parts. `parts`: a row of `bodies` for each. The bodies [first, end) of this launch.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void gather(
    global const real4* positions, global real4* parts, uint bodies, uint part_bodies, uint first, uint end,
    real softening2, real least) {
  local real4 tile[TILE];
  gather_part(positions, parts, bodies, part_bodies, first, end, softening2, least, tile, false);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void gather_with_potential(
    global const real4* positions, global real4* parts, uint bodies, uint part_bodies, uint first, uint end,
    real softening2, real least) {
  local real4 tile[TILE];
  gather_part(positions, parts, bodies, part_bodies, first, end, softening2, least, tile, true);
}
