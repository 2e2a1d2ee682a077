// One body in full, and the body that pulls it most.
//
//   -D WORK_GROUP=n  work-items per group
#include "reduce.clh"

// The content of the rows of four; the host uses the same names.
enum { POSITION, VELOCITY, ACCELERATION, FIRST_PULL };

static real distance_of(real4 a, real4 b) {
  real4 r = a - b;
  r.w = 0;  // the masses
  return length(r);
}

// m·r / (r² + ε²)^{3/2}
static real pull_of(real4 source, real4 x, real softening2) {
  const real distance = distance_of(source, x);
  const real softened = sqrt(distance * distance + softening2);
  return softened > 0 ? source.w * distance / (softened * softened * softened) : (real)0;
}

typedef struct {
  real strength;
  uint source;
} pull_t;
static pull_t stronger(pull_t a, pull_t b) { return b.strength > a.strength ? b : a; }
GROUP_REDUCTION(strongest_of_group, pull_t, stronger)

// A row (strength, distance, index) of the strongest pull for each group; the host chooses the strongest of them. An
// index is below 2²⁴, so that a float holds it.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void observe(
    global const real4* positions, global const real4* velocities, global const real4* accelerations, uint bodies,
    uint body, real softening2, global real* rows) {
  local pull_t scratch[WORK_GROUP];
  if (bodies == 0) return;
  const real4 x = positions[body];
  pull_t strongest = {0, body};
  for (uint i = get_global_id(0); i < bodies; i += get_global_size(0)) {
    const pull_t pull = {i != body ? pull_of(positions[i], x, softening2) : (real)0, i};
    strongest = stronger(strongest, pull);
  }
  strongest = strongest_of_group(strongest, scratch);
  if (get_local_id(0) == 0) {
    global real* row = rows + 4 * (FIRST_PULL + get_group_id(0));
    row[0] = strongest.strength;
    row[1] = distance_of(positions[strongest.source], x);
    row[2] = strongest.source;
    row[3] = 0;
  }
  if (get_global_id(0) > 0) return;
  vstore4(x, POSITION, rows);
  vstore4(velocities[body], VELOCITY, rows);
  vstore4(accelerations[body], ACCELERATION, rows);
}
