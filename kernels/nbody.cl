// All-pairs softened gravity, and the time steps made of it.
//
// A burst of n steps is one open_step, n − 1 next_steps and one close_step: n force evaluations, and the state between two
// bursts is a whole one (positions, velocities, accelerations of the same moment). The half kicks of leapfrog are never
// merged, so that the same bodies come out for any burst.
//
//   -D WORK_GROUP=n  work-items of a group; each holds LANES bodies
//   -D TILE=n        sources that a group copies to local memory at a time
//   -D UNROLL=n      of the loop over a tile
//   -D TUTORIAL=1    x += v·dt + ½·a·dt², v += a·dt with a(t); else leapfrog as kick–drift–kick
#include "precision.clh"

// a_i = Σ_j m_j r_ij / (r² + ε²)^{3/2}, G = 1, one source. Coincident bodies do not attract each other, even with ε = 0;
// the body itself is its own source in φ and is taken out at the end.
static void attract(reals* ax, reals* ay, reals* az, reals* potential, real4 source, reals x, reals y, reals z,
                    real softening2) {
  const reals dx = source.x - x;
  const reals dy = source.y - y;
  const reals dz = source.z - z;
  const reals r2 = multiply_add(dx, dx, multiply_add(dy, dy, multiply_add(dz, dz, (reals)softening2)));
  const reals inverse = r2 > 0 ? rsqrt(r2) : (reals)0;
  const reals over_r = source.w * inverse;
  const reals over_r3 = over_r * inverse * inverse;
  *ax = multiply_add(over_r3, dx, *ax);
  *ay = multiply_add(over_r3, dy, *ay);
  *az = multiply_add(over_r3, dz, *az);
  *potential -= over_r;
}

static real4 along(real4 from, real4 direction, real amount) {
  return (real4)(multiply_add(direction.x, amount, from.x), multiply_add(direction.y, amount, from.y),
                 multiply_add(direction.z, amount, from.z), from.w);
}

// The part of a step between two force evaluations, in two halves: what the acceleration `a` at the end of a step still
// has to do, and what it does at the beginning of the next.
static real4 closed_velocity(real4 v, real4 a, real dt) {
#ifdef TUTORIAL
  return v;
#else
  return along(v, a, dt / 2);
#endif
}

static real4 opened_velocity(real4 v, real4 a, real dt) {
#ifdef TUTORIAL
  return along(v, a, dt);
#else
  return along(v, a, dt / 2);
#endif
}

// `v` is the velocity before its opening, `opened` the one after.
static real4 opened_position(real4 x, real4 v, real4 opened, real4 a, real dt) {
#ifdef TUTORIAL
  return along(along(x, v, dt), a, dt * dt / 2);
#else
  return along(x, opened, dt);
#endif
}

kernel void open_step(global const real4* old_positions, global real4* positions, global real4* velocities,
                      global const real4* accelerations, uint bodies, real dt) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 a = accelerations[i];
  const real4 v = velocities[i];
  const real4 opened = opened_velocity(v, a, dt);
  positions[i] = opened_position(old_positions[i], v, opened, a, dt);
  velocities[i] = opened;
}

// Lane k of a work-item; `first` is where this launch begins when a step is cut into several.
static uint body_of(uint first, uint lane) {
  return first + (get_group_id(0) * LANES + lane) * WORK_GROUP + get_local_id(0);
}

// Accelerations, and potentials in w, of this item's bodies, of which those from `end` on are nobody's.
//
// Every source in index order, tile by tile through local memory. Beyond the last one stand bodies without mass, which
// add nothing, so that the sum has the same bits for any tile, work-group size and number of lanes.
static void gravity(real4* result, global const real4* positions, uint bodies, uint first, uint end, real softening2,
                    local real4* tile) {
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
  reals ax = 0, ay = 0, az = 0, potential = 0;
  for (uint base = 0; base < bodies; base += TILE) {
    for (uint k = get_local_id(0); k < TILE; k += WORK_GROUP)
      tile[k] = base + k < bodies ? positions[base + k] : (real4)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
    for (uint k = 0; k < TILE; ++k) attract(&ax, &ay, &az, &potential, tile[k], at_x, at_y, at_z, softening2);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  reals_to(ax, x);
  reals_to(ay, y);
  reals_to(az, z);
  reals_to(potential, w);
  const real self = softening2 > 0 ? rsqrt(softening2) : (real)0;
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = body_of(first, k);
    const real mass = i < end ? positions[i].w : (real)0;
    result[k] = (real4)(x[k], y[k], z[k], multiply_add(mass, self, w[k]));
  }
}

// Closes one step and opens the next, for the bodies [first, end).
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void next_step(
    global const real4* old_positions, global real4* positions, global real4* velocities, uint bodies, uint first,
    uint end, real dt, real softening2) {
  local real4 tile[TILE];
  real4 a[LANES];
  gravity(a, old_positions, bodies, first, end, softening2, tile);
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = body_of(first, k);
    if (i >= end) continue;
    const real4 v = closed_velocity(velocities[i], a[k], dt);
    const real4 opened = opened_velocity(v, a[k], dt);
    positions[i] = opened_position(old_positions[i], v, opened, a[k], dt);
    velocities[i] = opened;
  }
}

// Closes the last step of a burst. With dt = 0 it evaluates the field and changes nothing else.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void close_step(
    global const real4* positions, global real4* velocities, global real4* accelerations, uint bodies, uint first,
    uint end, real dt, real softening2) {
  local real4 tile[TILE];
  real4 a[LANES];
  gravity(a, positions, bodies, first, end, softening2, tile);
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = body_of(first, k);
    if (i >= end) continue;
    velocities[i] = closed_velocity(velocities[i], a[k], dt);
    accelerations[i] = a[k];
  }
}
