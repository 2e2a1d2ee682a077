// The conserved quantities, reduced to one row of sums for each group; the host adds the rows.
//
//   -D WORK_GROUP=n  a power of two
#include "reduce.clh"

// The order of a row; the host knows it as DiagnosticSum.
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
  BROKEN,
  SUMS
};

static sum_t minus(sum_t a, sum_t b) { return plus(a, -b); }

static void add(sum_t* to, sum_t value) { *to = plus(*to, value); }

// Logarithms, because speeds and accelerations span decades: their mean and spread give a palette its range.
static void add_logarithm(sum_t* sums, uint at, real value) {
  if (!(value > 0)) return;
  const float logarithm = log((float)value);
  add(&sums[at], sum_of(logarithm));
  add(&sums[at + 1], sum_of(logarithm * logarithm));
  add(&sums[at + 2], sum_of(1));
}

static void add_body(sum_t* sums, real4 x, real4 v, real4 a) {
  const sum_t m = sum_of(x.w);
  const sum_t r[3] = {sum_of(x.x), sum_of(x.y), sum_of(x.z)};
  const sum_t p[3] = {times(m, sum_of(v.x)), times(m, sum_of(v.y)), times(m, sum_of(v.z))};
  const sum_t half_of = sum_of((real)0.5);
  const sum_t p_v = plus(times(p[0], sum_of(v.x)), plus(times(p[1], sum_of(v.y)), times(p[2], sum_of(v.z))));
  add(&sums[KINETIC], times(half_of, p_v));
  add(&sums[POTENTIAL], times(half_of, times(m, sum_of(a.w))));
  add(&sums[MASS], m);
  for (uint k = 0; k < 3; ++k) {
    const uint next = (k + 1) % 3, last = (k + 2) % 3;
    add(&sums[MOMENTUM + k], p[k]);
    add(&sums[ANGULAR_MOMENTUM + k], minus(times(r[next], p[last]), times(r[last], p[next])));
    add(&sums[MASS_MOMENT + k], times(m, r[k]));
  }
  add_logarithm(sums, LOG_SPEED, sqrt(v.x * v.x + v.y * v.y + v.z * v.z));
  add_logarithm(sums, LOG_ACCELERATION, sqrt(a.x * a.x + a.y * a.y + a.z * a.z));
  if (!isfinite(x.x + x.y + x.z + v.x + v.y + v.z)) add(&sums[BROKEN], sum_of(1));
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void diagnose(
    global const real4* positions, global const real4* velocities, global const real4* accelerations, uint bodies,
    global sum_t* rows) {
  local sum_t scratch[WORK_GROUP];
  sum_t sums[SUMS];
  for (uint k = 0; k < SUMS; ++k) sums[k] = sum_of(0);
  for (uint i = get_global_id(0); i < bodies; i += get_global_size(0))
    add_body(sums, positions[i], velocities[i], accelerations[i]);
  for (uint k = 0; k < SUMS; ++k) {
    const sum_t total = group_sum(sums[k], scratch);
    if (get_local_id(0) == 0) rows[get_group_id(0) * SUMS + k] = total;
  }
}
