// Lets bodies that touch merge or bounce, between the last drift of a step and the field at its end.
//
// An encounter is a pair of a body and the nearest of those heavier bodies that it touches (of the same mass, the one
// with the lower index is the heavier). Where encounters share a body, the closest one counts. Thus a body is part of
// at most one, and the result does not depend on the order of work-items.
//
// Bodies have the same density. They lie in cells of 8 … 16 radii of their own, by levels of the radius, so that a few
// large bodies do not make the cells of small ones large. Cells are lists in a hash table; a list's order has no effect.
//
//   -D BOUNCE=1      they bounce; else they merge
#include "nbody_wide.clh"

#define NONE 0xffffffffu
#define LEVELS 256  // a power of two each
#define LEVEL_WORDS (LEVELS / 32)  // a bit for each level that has bodies; then the largest radius of each level
#define UNIT_LEVEL 128  // cells of this level have an edge of 1
#define LEAST_LEVEL 8  // cells of these levels have edges that are normal numbers, as their inverse is
#define MOST_LEVEL 250

// All are NONE between two steps, unless there was an encounter.
typedef struct {
  uint other;  // the heavier body of this body's encounter
  uint least;  // squared distance of the closest encounter, as the lighter or the heavier body …
  uint owner;  // … and the lowest index of a lighter body with this distance
} meeting_t;

// Halley's iteration, because the bits of cbrt may depend on the width of vectors. The first value is right to 5 %, and
// an error e becomes ⅔·e³.
static real cube_root(real x) {
  real root = as_float(as_uint((float)x) / 3 + 709921077u);
  for (int k = 0; k < 2; ++k) {
    const real cube = root * root * root;
    root *= (cube + 2 * x) / (2 * cube + x);
  }
  return root;
}

static real radius_of(real mass, real unit_radius) { return mass > 0 ? unit_radius * cube_root(mass) : 0; }

// The edge of a cell is above eight radii, and at most sixteen.
static uint level_of(real radius) {
  const int exponent = (int)(as_uint((float)radius) >> 23) - 127;
  return (uint)clamp(exponent + 4 + UNIT_LEVEL, LEAST_LEVEL, MOST_LEVEL);
}

static real inverse_edge_of(uint level) { return as_float((UNIT_LEVEL - level + 127) << 23); }

static int cell_of(real cells) {
  const real farthest = 1 << 30;
  return (int)clamp(floor(cells), -farthest, farthest);
}

// Blocks of 4³ cells lie together in memory. Teschner et al., Proc. VMV 2003; the bits are mixed once more.
static uint bucket_of(uint level, int x, int y, int z, uint buckets) {
  const uint within = (x & 3) | (y & 3) << 2 | (z & 3) << 4;
  uint mixed = (uint)(x >> 2) * 73856093u ^ (uint)(y >> 2) * 19349663u ^ (uint)(z >> 2) * 83492791u ^ level * 2654435761u;
  mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6du;
  return (mixed ^ mixed >> 12) << 6 & (buckets - 1) | within;
}

static real dot_of(real4 a, real4 b) { return multiply_add(a.x, b.x, multiply_add(a.y, b.y, a.z * b.z)); }

// The squared distance as bits, whose order is the same.
static uint closeness(real4 a, real4 b) {
  const real4 d = a - b;
  return as_uint((float)dot_of(d, d));
}

// The radius of a body that gets a place in the cells, else 0.
static float put_body(real4 p, uint i, real unit_radius, global uint* heads, uint buckets, global uint* next) {
  if (!(p.w > 0) || !isfinite(p.x + p.y + p.z)) return 0;
  const float radius = (float)radius_of(p.w, unit_radius);
  const uint level = level_of(radius);
  const real4 cells = p * inverse_edge_of(level);
  next[i] = atomic_xchg(&heads[bucket_of(level, cell_of(cells.x), cell_of(cells.y), cell_of(cells.z), buckets)], i);
  return radius;
}

// `buckets`, a power of two of 64 or more, are empty, and no level is occupied.
kernel void put_into_cells(global const real4* positions, uint bodies, real unit_radius, global uint* heads, uint buckets,
                           global uint* next, global meeting_t* meetings, global uint* levels) {
  local uint largest[LEVELS];  // the order of floats that are not negative is that of their bits
  for (uint level = get_local_id(0); level < LEVELS; level += get_local_size(0)) largest[level] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint i = get_global_id(0);
  if (i < bodies) {
    const meeting_t nothing = {NONE, NONE, NONE};
    if (meetings[i].least != NONE) meetings[i] = nothing;
    const float radius = put_body(positions[i], i, unit_radius, heads, buckets, next);
    if (radius > 0) atomic_max(&largest[level_of(radius)], as_uint(radius));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint level = get_local_id(0); level < LEVELS; level += get_local_size(0)) {
    if (largest[level] == 0) continue;
    atomic_or(&levels[level / 32], 1u << level % 32);
    atomic_max(&levels[LEVEL_WORDS + level], largest[level]);
  }
}

typedef struct {
  global const real4* positions;
  global const real4* velocities;
  global const uint* heads;
  global const uint* next;  // the lists of the buckets
  uint buckets;
  real unit_radius, direction;
  uint i;  // the body that looks for an encounter
  real4 own;
  real radius;
} search_t;

typedef struct {
  uint other, least;
} nearest_t;

static bool is_heavier(const search_t* search, uint j, real4 other) {
  return other.w > search->own.w || (other.w == search->own.w && other.w > 0 && j < search->i);
}

static bool touches(const search_t* search, uint j, real4 other) {
  const real4 d = other - search->own;
  const real reach = search->radius + radius_of(other.w, search->unit_radius);
  if (!(dot_of(d, d) <= reach * reach)) return false;
#ifdef BOUNCE
  return dot_of(search->velocities[j] - search->velocities[search->i], d) * search->direction < 0;
#else
  return true;
#endif
}

// Touching bodies of the cell lie within `reach`; the bucket may also have bodies of other cells.
static void look_into(const search_t* search, uint bucket, real reach, nearest_t* found) {
  for (uint j = search->heads[bucket]; j != NONE; j = search->next[j]) {
    const real4 other = search->positions[j], d = other - search->own;
    if (!(dot_of(d, d) <= reach * reach)) continue;
    if (!is_heavier(search, j, other) || !touches(search, j, other)) continue;
    const uint least = closeness(search->own, other);
    if (least > found->least || (least == found->least && j > found->other)) continue;
    found->least = least;
    found->other = j;
  }
}

// The first and the last cell within `reach` of a place, all in edges; the reach is below ½.
typedef struct {
  int first, last;
} cells_t;
static cells_t cells_within(real place, real reach) {
  const int middle = cell_of(place);
  const real inside = place - middle;
  const cells_t cells = {middle - (inside < reach), middle + (inside + reach >= 1)};
  return cells;
}

// Searches among bodies of that level, whose radii are at most `largest`.
static void look_among(const search_t* search, uint level, real largest, nearest_t* found) {
  const real inverse = inverse_edge_of(level), reach = (real)1.0001 * (search->radius + largest);
  const real4 place = search->own * inverse;
  const cells_t xs = cells_within(place.x, reach * inverse), ys = cells_within(place.y, reach * inverse),
                zs = cells_within(place.z, reach * inverse);
  for (int z = zs.first; z <= zs.last; ++z)
    for (int y = ys.first; y <= ys.last; ++y)
      for (int x = xs.first; x <= xs.last; ++x)
        look_into(search, bucket_of(level, x, y, z, search->buckets), reach, found);
}

// `direction`: 1, or −1 where time runs backwards.
kernel void find_encounters(global const real4* positions, global const real4* velocities, uint bodies,
                            real unit_radius, real direction, global const uint* heads, uint buckets, global const uint* next,
                            global meeting_t* meetings, global const uint* levels) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 own = positions[i];
  if (is_gone(own.w) || !isfinite(own.x + own.y + own.z)) return;
  const real radius = radius_of(own.w, unit_radius);
  const uint own_level = own.w > 0 ? level_of(radius) : 0;
  const search_t search = {positions, velocities, heads, next, buckets, unit_radius, direction, i, own, radius};
  nearest_t found = {NONE, NONE};
  for (uint word = own_level / 32; word < LEVEL_WORDS; ++word)
    for (uint left = levels[word]; left != 0; left &= left - 1) {
      const uint level = 32 * word + 31 - clz(left & -left);
      if (level >= own_level) look_among(&search, level, as_float(levels[LEVEL_WORDS + level]), &found);
    }
  if (found.other == NONE) return;
  meetings[i].other = found.other;
  atomic_min(&meetings[i].least, found.least);
  atomic_min(&meetings[found.other].least, found.least);
}

// The lowest index decides between equally close encounters.
kernel void settle_encounters(global const real4* positions, uint bodies, global meeting_t* meetings) {
  const uint i = get_global_id(0);
  if (i >= bodies || meetings[i].other == NONE) return;
  const uint other = meetings[i].other, own = closeness(positions[i], positions[other]);
  if (own == meetings[i].least) atomic_min(&meetings[i].owner, i);
  if (own == meetings[other].least) atomic_min(&meetings[other].owner, i);
}

typedef struct {
  global real4* positions;
  global real4* low;
  global real4* velocities;
  global real4* velocities_low;
} state_t;

static wide wide_minus(wide a, wide b) { return wide_plus(a, -b); }

static wide quotient(real a, real b) {
#if defined(MIXED) && !defined(SUM_DOUBLE)
  const float high = a / b;
  return plus(sum_of(high), sum_of(fma(-high, b, a) / b));
#else
  return wide_of(a) / wide_of(b);
#endif
}

static wide3 difference(const wide3* a, const wide3* b) {
  const wide3 d = {wide_minus(a->x, b->x), wide_minus(a->y, b->y), wide_minus(a->z, b->z)};
  return d;
}

#ifdef BOUNCE
static wide product(const wide3* a, const wide3* b) {
  return wide_multiply_add(a->x, b->x, wide_multiply_add(a->y, b->y, wide_times(a->z, b->z)));
}

// An impulse along the line between the two reverses their approach.
static void meet(state_t state, uint light, uint heavy, real restitution) {
  const real light_mass = state.positions[light].w, heavy_mass = state.positions[heavy].w, mass = light_mass + heavy_mass;
  wide3 places[2], speeds[2];
  load(&places[0], state.positions, state.low, light);
  load(&places[1], state.positions, state.low, heavy);
  load(&speeds[0], state.velocities, state.velocities_low, light);
  load(&speeds[1], state.velocities, state.velocities_low, heavy);
  const wide3 d = difference(&places[1], &places[0]), v = difference(&speeds[1], &speeds[0]);
  const wide approach = product(&v, &d), distance2 = product(&d, &d);
#if defined(MIXED) && !defined(SUM_DOUBLE)
  const wide high = wide_of(approach.x / distance2.x);
  const wide rest = wide_minus(approach, wide_times(high, distance2));
  const wide rate = plus(high, sum_of(rest.x / distance2.x));
#else
  const wide rate = approach / distance2;
#endif
  const wide change = wide_times(wide_plus(wide_of((real)1), wide_of(restitution)), rate);
  move(&speeds[0], &d, wide_times(change, quotient(heavy_mass, mass)));
  move(&speeds[1], &d, -wide_times(change, quotient(light_mass, mass)));
  store(&speeds[0], 0, state.velocities, state.velocities_low, light);
  store(&speeds[1], 0, state.velocities, state.velocities_low, heavy);
}
#else
// The heavier body gets the mass, the centre of mass and the momentum. The velocity compensates for rounding of the sum
// of the masses.
static void meet(state_t state, uint light, uint heavy, real restitution) {
  const real light_mass = state.positions[light].w, heavy_mass = state.positions[heavy].w, mass = light_mass + heavy_mass;
  const wide share = quotient(light_mass, mass), lost = quotient(light_mass - (mass - heavy_mass), mass);
  wide3 place, other_place, velocity, other_velocity;
  load(&place, state.positions, state.low, heavy);
  load(&other_place, state.positions, state.low, light);
  load(&velocity, state.velocities, state.velocities_low, heavy);
  load(&other_velocity, state.velocities, state.velocities_low, light);
  const wide3 shift = difference(&other_place, &place), change = difference(&other_velocity, &velocity),
              before = velocity;
  move(&place, &shift, share);
  move(&velocity, &change, share);
  move(&velocity, &before, lost);
  store(&place, mass, state.positions, state.low, heavy);
  store(&velocity, 0, state.velocities, state.velocities_low, heavy);
  store(&place, -(real)0, state.positions, state.low, light);
  const real gone = light_mass > 0 ? -(real)0 : (real)0;
  state.velocities[light] = (real4)(gone, gone, gone, 0);
#ifdef MIXED
  state.velocities_low[light] = (real4)(gone, gone, gone, 0);
#endif
}
#endif

// Also empties the cells for the next step.
kernel void meet_bodies(global real4* positions, global real4* low, global real4* velocities,
                        global real4* velocities_low, uint bodies, real restitution, global uint* heads, uint buckets,
                        global const meeting_t* meetings, global uint* levels) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  for (uint bucket = i; bucket < buckets; bucket += bodies) heads[bucket] = NONE;
  for (uint word = i; word < LEVEL_WORDS + LEVELS; word += bodies) levels[word] = 0;
  const uint other = meetings[i].other;
  if (other == NONE || meetings[i].owner != i || meetings[other].owner != i) return;
  const state_t state = {positions, low, velocities, velocities_low};
  meet(state, i, other, restitution);
}
