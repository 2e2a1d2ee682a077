// The conserved quantities, reduced to one row of sums for each group; the host adds the rows.
//
//   -D WORK_GROUP=n  work-items per group
#include "reduce.clh"
#include "nbody_gone.clh"

// The order of a row; DiagnosticSum on the host.
enum {
  KINETIC,
  POTENTIAL,
  MASS,
  MOMENTUM,
  ANGULAR_MOMENTUM = MOMENTUM + 3,
  MASS_MOMENT = ANGULAR_MOMENTUM + 3,
  LOG_SPEED = MASS_MOMENT + 3,
  LOG_SPEED_SQUARED,
  MOVING,
  LOG_ACCELERATION,
  LOG_ACCELERATION_SQUARED,
  ACCELERATED,
  LOG_DEPTH,
  LOG_DEPTH_SQUARED,
  BOUND,
  LOG_MEASURED,
  LOG_MEASURED_SQUARED,
  MEASURED,
  BROKEN,
  GONE,
  LARGEST_RATE,  // not a sum: see rate_of
  SUMS
};

static void add(sum_t* to, sum_t value) { *to = plus(*to, value); }

static void add_vector(sum_t* to, sum_t x, sum_t y, sum_t z) {
  add(&to[0], x);
  add(&to[1], y);
  add(&to[2], z);
}

// a·b − c·d
static sum_t cross_term(sum_t a, sum_t b, sum_t c, sum_t d) { return plus(times(a, b), -times(c, d)); }

// Logarithms, because speeds and accelerations span decades: their mean and spread give a palette its range.
static void add_logarithm(sum_t* sums, uint at, real value) {
  if (!(value > 0)) return;
  const float logarithm = log((float)value);
  add(&sums[at], sum_of(logarithm));
  add(&sums[at + 1], sum_of(logarithm * logarithm));
  add(&sums[at + 2], sum_of(1));
}

// 1/√(r³/m) of a body that falls on a mass m at the distance r, whose field is m/r² and its potential −m/r.
static float rate_of(real4 acceleration) {
  const float field = length((float4)((float)acceleration.x, (float)acceleration.y, (float)acceleration.z, 0));
  return acceleration.w < 0 ? field / sqrt(-(float)acceleration.w) : 0;
}

GROUP_REDUCTION(group_largest, float, fmax)

static void add_body(sum_t* sums, real4 position, real4 velocity, real4 acceleration) {
  if (is_gone(position.w)) {
    add(&sums[GONE], sum_of(1));
    return;
  }
  const sum_t m = sum_of(position.w), half_m = times(m, sum_of((real)0.5));
  const sum_t x = sum_of(position.x), y = sum_of(position.y), z = sum_of(position.z);
  const sum_t vx = sum_of(velocity.x), vy = sum_of(velocity.y), vz = sum_of(velocity.z);
  const sum_t px = times(m, vx), py = times(m, vy), pz = times(m, vz);
  add(&sums[KINETIC], times(half_m, plus(times(vx, vx), plus(times(vy, vy), times(vz, vz)))));
  add(&sums[POTENTIAL], times(half_m, sum_of(acceleration.w)));
  add(&sums[MASS], m);
  add_vector(&sums[MOMENTUM], px, py, pz);
  add_vector(&sums[ANGULAR_MOMENTUM], cross_term(y, pz, z, py), cross_term(z, px, x, pz), cross_term(x, py, y, px));
  add_vector(&sums[MASS_MOMENT], times(m, x), times(m, y), times(m, z));
  add_logarithm(sums, LOG_SPEED, length((real4)(velocity.x, velocity.y, velocity.z, 0)));
  add_logarithm(sums, LOG_ACCELERATION, length((real4)(acceleration.x, acceleration.y, acceleration.z, 0)));
  add_logarithm(sums, LOG_DEPTH, -acceleration.w);
  const real all = position.x + position.y + position.z + velocity.x + velocity.y + velocity.z;
  if (!isfinite(all)) add(&sums[BROKEN], sum_of(1));
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void diagnose(
    global const real4* positions, global const real4* velocities, global const real4* accelerations, uint bodies,
    global const float* measured, uint measured_known, global sum_t* rows) {
  local sum_t scratch[WORK_GROUP];
  sum_t sums[SUMS];
  for (uint k = 0; k < SUMS; ++k) sums[k] = sum_of(0);
  local float rates[WORK_GROUP];
  float rate = 0;
  for (uint i = get_global_id(0); i < bodies; i += get_global_size(0)) {
    add_body(sums, positions[i], velocities[i], accelerations[i]);
    if (is_gone(positions[i].w)) continue;
    if (measured_known) add_logarithm(sums, LOG_MEASURED, measured[i]);
    rate = fmax(rate, rate_of(accelerations[i]));
  }
  rate = group_largest(rate, rates);
  if (get_local_id(0) == 0) rows[get_group_id(0) * SUMS + LARGEST_RATE] = sum_of(rate);
  for (uint k = 0; k < LARGEST_RATE; ++k) {
    const sum_t total = group_sum(sums[k], scratch);
    if (get_local_id(0) == 0) rows[get_group_id(0) * SUMS + k] = total;
  }
}
