// Finds a pair of particles whose law gives no finite force or energy, at the same places as in particles_pairs.cl.
#include "particles_pairs.cl"

#define ANY 0xffffffffu

#undef ADD_PAIR_LAW
#define ADD_PAIR_LAW(k, condition, vectorised)                                                           \
  if (condition) {                                                                                       \
    real energy = 0;                                                                                     \
    const real pull = pair_law_##k(PAIR_VALUES, &energy) * invR;                                         \
    if (!(fabs(energy) + fabs(pull * delta.x) + fabs(pull * delta.y) + fabs(pull * delta.z) < INFINITY)) \
      return k;                                                                                          \
  }
static uint broken_law(PAIR_ARGUMENTS) {
  const bool apart = true;
  EACH_PAIR_LAW
  return LAWS;
}

// The first law that is not finite between the particles of these slots; LAWS if there is none.
static uint law_between(const slots_t* slots, box_t box, constant real* sliders, uint own, uint other, bool excluded) {
  if (own == other) return LAWS;
  const real4 at = slots->positions[own], there = slots->positions[other];
  const real4 delta = (real4)(nearest_image(there.x - at.x, box.lengths.x, box.inverse.x),
                              nearest_image(there.y - at.y, box.lengths.y, box.inverse.y),
                              nearest_image(there.z - at.z, box.lengths.z, box.inverse.z), 0);
  const real r2 = multiply_add(delta.x, delta.x, multiply_add(delta.y, delta.y, delta.z * delta.z));
  real columns1[COLUMNS + 1], columns2[COLUMNS + 1];
  for (uint column = 0; column < COLUMNS; ++column) {
    columns1[column] = slots->columns[column * slots->padded + own];
    columns2[column] = slots->columns[column * slots->padded + other];
  }
  const real invR = inverse_root(r2);
  return broken_law(at, there, delta, r2, r2 * invR, invR, slots->order[own], slots->order[other], excluded, columns1,
                    columns2, sliders);
}

// `least`: the least particle with such a partner; the least partner of the particle `first`; the least law of both.
kernel void blame(global const real4* positions, global const uint* order, global const real* columns, uint padded,
                  uint particles, global const uint* plain, uint capacity, global const uint2* masked,
                  uint masked_capacity, global const uint2* counts, constant wide4* space, constant real* sliders,
                  uint first, uint second, global uint* least) {
  const uint slot = get_global_id(0), team = slot / TEAM, lane = slot % TEAM;
  if (slot >= particles || (first != ANY && order[slot] != first)) return;
  const slots_t slots = {positions, order, columns, padded};
  const box_t box = box_of(space);
  const uint2 count = counts[team];
  global const uint2* own_masked = masked + (size_t)team * masked_capacity;
#ifdef ALL_PAIRS
  const uint all = particles;
  uint next = 0;
#else
  const uint all = count.x + count.y;
#endif
  for (uint n = 0; n < all; ++n) {
#ifdef ALL_PAIRS
    const uint other = n;
    const bool excluded = next < count.y && own_masked[next].x == n && (own_masked[next++].y >> lane & 1) != 0;
#else
    const uint other = n < count.y ? own_masked[n].x : plain[(size_t)team * capacity + n - count.y];
    const bool excluded = n < count.y && (own_masked[n].y >> lane & 1) != 0;
#endif
    if (second != ANY && order[other] != second) continue;
    const uint law = law_between(&slots, box, sliders, slot, other, excluded);
    if (law < LAWS) atomic_min(least, first == ANY ? order[slot] : second == ANY ? order[other] : law);
  }
}
