// Each body gathers the pull of every source: each pair is computed twice.
//
//   -D WORK_GROUP=n  work-items per group; each holds LANES bodies
//   -D TILE=n        sources that a group copies to local memory at a time
//   -D UNROLL=n      of the loop over a tile
//   -D INDIVIDUAL=1  also kernels for the bodies whose individual steps end
#include "nbody_force.clh"

// Number of sources whose sum is added to the rest: short sums keep their digits.
#define RUN 1024

// Lane k of a work-item; `first` is the start of this launch if the bodies are cut into several.
static uint body_of(uint first, uint lane) {
  return first + (get_group_id(0) * LANES + lane) * WORK_GROUP + get_local_id(0);
}

static void add_run(field_t* field, global const real4* positions, uint from, uint to, reals x, reals y, reals z,
                    gravity_t gravity, local real4* tile) {
  field_t sum;
  clear(&sum);
  for (uint base = from; base < to; base += TILE) {
    // Bodies beyond the last source have no mass and add nothing.
    for (uint k = get_local_id(0); k < TILE; k += WORK_GROUP)
      tile[k] = base + k < to ? positions[base + k] : (real4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
    for (uint k = 0; k < TILE; ++k) attract(&sum, tile[k], x, y, z, gravity);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  add_field(field, &sum);
}

// `list`: indices of the bodies, or null if those of this launch are consecutive.
static void gather_part(global const real4* positions, global real4* parts, uint bodies, uint sources,
                        uint part_bodies, uint part_count, uint first_part, uint first, uint end, gravity_t gravity,
                        global const uint* list, local real4* tile) {
  const uint part = (first_part + get_group_id(1)) % part_count;
  const uint last = min(sources, (part + 1) * part_bodies);
  reals x, y, z, own;
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = body_of(first, k), number = i < end && list ? list[i] : i;
    const real4 body = i < end ? positions[number] : (real4)(0);
    lane_of(x, k) = body.x;
    lane_of(y, k) = body.y;
    lane_of(z, k) = body.z;
    lane_of(own, k) = number >= part * part_bodies && number < last ? body.w : (real)0;
  }
  field_t field;
  clear(&field);
  for (uint run = part * part_bodies; run < last; run += RUN)
    add_run(&field, positions, run, min(last, run + RUN), x, y, z, gravity, tile);
  const reals potential = potential_of(&field, own, gravity);
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = body_of(first, k);
    if (i < end) parts[(size_t)part * bodies + (list ? list[i] : i)] = (real4)(lane_of(field.x, k), lane_of(field.y, k), lane_of(field.z, k), lane_of(potential, k));
  }
}

// Second dimension: the parts of the `sources` from `first_part` on, cyclically; the bodies behind the sources have no
// mass. `parts`: a row of `bodies` for each. The bodies [first, end) of this launch.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void gather(
    global const real4* positions, global real4* parts, uint bodies, uint sources, uint part_bodies, uint part_count,
    uint first_part, uint first, uint end, real softening2, real least) {
  local real4 tile[TILE];
  const gravity_t gravity = {softening2, least, false, false};
  gather_part(positions, parts, bodies, sources, part_bodies, part_count, first_part, first, end, gravity, 0, tile);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void gather_with_potential(
    global const real4* positions, global real4* parts, uint bodies, uint sources, uint part_bodies, uint part_count,
    uint first_part, uint first, uint end, real softening2, real least) {
  local real4 tile[TILE];
  const gravity_t gravity = {softening2, least, true, false};
  gather_part(positions, parts, bodies, sources, part_bodies, part_count, first_part, first, end, gravity, 0, tile);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void gather_scaled(
    global const real4* positions, global real4* parts, uint bodies, uint sources, uint part_bodies, uint part_count,
    uint first_part, uint first, uint end, real softening2, real least) {
  local real4 tile[TILE];
  const gravity_t gravity = {softening2, least, true, true};
  gather_part(positions, parts, bodies, sources, part_bodies, part_count, first_part, first, end, gravity, 0, tile);
}

#ifdef INDIVIDUAL
#include "nbody_blocks.clh"

// Sums for the bodies [first, end) of `list`, limited to its length.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void gather_listed(
    global const real4* positions, global real4* parts, uint bodies, uint sources, uint part_bodies, uint part_count,
    uint first, uint end, global const uint* list, global const block_clock_t* clock, uint with_potential,
    real softening2, real least) {
  local real4 tile[TILE];
  end = min(end, clock->bodies);
  if (body_of(first, 0) - get_local_id(0) >= end) return;
  if (with_potential)
    gather_part(positions, parts, bodies, sources, part_bodies, part_count, 0, first, end,
                (gravity_t){softening2, least, true, false}, list, tile);
  else
    gather_part(positions, parts, bodies, sources, part_bodies, part_count, 0, first, end,
                (gravity_t){softening2, least, false, false}, list, tile);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void gather_listed_scaled(
    global const real4* positions, global real4* parts, uint bodies, uint sources, uint part_bodies, uint part_count,
    uint first, uint end, global const uint* list, global const block_clock_t* clock, uint with_potential,
    real softening2, real least) {
  local real4 tile[TILE];
  end = min(end, clock->bodies);
  if (body_of(first, 0) - get_local_id(0) >= end) return;
  gather_part(positions, parts, bodies, sources, part_bodies, part_count, 0, first, end,
              (gravity_t){softening2, least, true, true}, list, tile);
}
#endif
