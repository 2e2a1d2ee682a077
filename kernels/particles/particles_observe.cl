// Measurements of particles, and their values for drawing.
//
//   -D WORK_GROUP=n  a power of two: for the kernels that sum
#include "particles.clh"
#include "reduce.clh"

#define BINS 128

#ifdef SUM_DOUBLE
#define sum_from(x) ((sum_t)(x))
#else
#define sum_from(x) sum_of((real)(x))
#endif

// The order of a row; MotionSum on the host.
enum { KINETIC, MASS, MOMENTUM, BROKEN = MOMENTUM + 3, MOTION_SUMS };

static void add(sum_t* to, sum_t value) { *to = plus(*to, value); }

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void measure_motion(
    global const wide4* positions, global const wide4* velocities, uint particles, global sum_t* rows) {
  local sum_t scratch[WORK_GROUP];
  sum_t sums[MOTION_SUMS];
  for (uint k = 0; k < MOTION_SUMS; ++k) sums[k] = sum_of(0);
  for (uint i = get_global_id(0); i < particles; i += get_global_size(0)) {
    const wide4 v = velocities[i], p = positions[i];
    if (v.w > 0) {
      const sum_t m = sum_from(1 / v.w), x = sum_from(v.x), y = sum_from(v.y), z = sum_from(v.z);
      add(&sums[KINETIC], times(times(m, sum_from((real)0.5)), plus(times(x, x), plus(times(y, y), times(z, z)))));
      add(&sums[MASS], m);
      add(&sums[MOMENTUM], times(m, x));
      add(&sums[MOMENTUM + 1], times(m, y));
      add(&sums[MOMENTUM + 2], times(m, z));
    }
    const wide all = p.x + p.y + p.z + v.x + v.y + v.z;
    if (!isfinite((float)all)) add(&sums[BROKEN], sum_of(1));
  }
  for (uint k = 0; k < MOTION_SUMS; ++k) {
    const sum_t total = group_sum(sums[k], scratch);
    if (get_local_id(0) == 0) rows[get_group_id(0) * MOTION_SUMS + k] = total;
  }
}

// A sum of `count` values from `first` on, one entry of a row per group.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void sum_values(global const real* values, uint first,
                                                                               uint count, global sum_t* sums,
                                                                               uint first_sum) {
  local sum_t scratch[WORK_GROUP];
  sum_t sum = sum_of(0);
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) add(&sum, sum_from(values[first + i]));
  const sum_t total = group_sum(sum, scratch);
  if (get_local_id(0) == 0) sums[first_sum + get_group_id(0)] = total;
}

// Counts are whole numbers: the order does not matter.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void count_speeds(global const wide4* velocities,
                                                                                 uint particles, float over_width,
                                                                                 global uint* bins) {
  local uint own[BINS];
  for (uint k = get_local_id(0); k < BINS; k += WORK_GROUP) own[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < particles; i += get_global_size(0)) {
    const wide4 v = velocities[i];
    const float bin = (float)sqrt(v.x * v.x + v.y * v.y + v.z * v.z) * over_width;
    if (v.w > 0 && bin < BINS) atomic_inc(&own[(uint)bin]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_id(0); k < BINS; k += WORK_GROUP)
    if (own[k] > 0) atomic_add(&bins[k], own[k]);
}

static void count_distance(real4 from, real4 to, box_t box, float over_width, local uint* own) {
  const real4 delta = nearest_images(to - from, box);
  const float bin = (float)sqrt(delta.x * delta.x + delta.y * delta.y + delta.z * delta.z) * over_width;
  if (bin < BINS) atomic_inc(&own[(uint)bin]);
}

// Distances from every `stride`-th team to its listed neighbours, masked ones included, without a particle to itself.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void count_distances(
    global const real4* positions, uint particles, global const uint* plain, uint capacity, global const uint2* masked,
    uint masked_capacity, global const uint2* counts, constant wide4* space, uint team_size, uint stride,
    float over_width, global uint* bins) {
  local uint own[BINS];
  for (uint k = get_local_id(0); k < BINS; k += WORK_GROUP) own[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const box_t box = box_of(space);
  for (uint i = get_global_id(0);; i += get_global_size(0)) {
    const uint team = i / team_size * stride, slot = team * team_size + i % team_size;
    if (team * team_size >= particles) break;
    if (slot >= particles) continue;
    const real4 from = positions[slot];
    const uint2 count = counts[team];
    for (uint n = 0; n < count.x; ++n)
      count_distance(from, positions[plain[(size_t)team * capacity + n]], box, over_width, own);
    for (uint n = 0; n < count.y; ++n) {
      const uint other = masked[(size_t)team * masked_capacity + n].x;
      if (other != slot) count_distance(from, positions[other], box, over_width, own);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_id(0); k < BINS; k += WORK_GROUP)
    if (own[k] > 0) atomic_add(&bins[k], own[k]);
}

// Two blocks with a float4 for each particle: (x, y, z, radius) inside the box, then (speed, charge, energy, kind). Where
// there are groups, the shares that belong to a particle are at `places`, from starts[i] to starts[i + 1].
kernel void publish(global const wide4* positions, global const wide4* velocities, global const float4* looks,
                    global const real* energies, uint laws, global const real* shares, global const uint* starts,
                    global const uint* places, uint grouped, uint particles, constant wide4* box, global float4* surface) {
  const uint i = get_global_id(0);
  if (i >= particles) return;
  const wide4 v = velocities[i];
  wide4 p = positions[i];
  p -= box[0] * rint(p * box[1]);
  const float4 look = looks[i];  // radius, charge, kind
  real energy = 0;
  for (uint law = 0; law < laws; ++law) energy += energies[law * particles + i];
  if (grouped)
    for (uint place = starts[i]; place < starts[i + 1]; ++place) energy += shares[places[place]];
  surface[i] = (float4)((float)p.x, (float)p.y, (float)p.z, look.x);
  surface[particles + i] = (float4)((float)sqrt(v.x * v.x + v.y * v.y + v.z * v.z), look.y, (float)energy, look.z);
}
