// A checksum of the exact state of the bodies: a sum, modulo 2⁶⁴, of one number per body, mixed from the body's index
// and the bits of its mass, position and velocity. A sum of integers does not depend on the order: the result depends
// neither on the work-group nor on the split over devices.
//
//   -D WORK_GROUP=n  work-items per group
//   -D WORDS=n       32-bit words per number: 1, or 2 for doubles
//   -D MIXED=1       the corrections of positions and velocities belong to the state
#include "reduce.clh"

static ulong total_of(ulong a, ulong b) { return a + b; }
GROUP_REDUCTION(group_total, ulong, total_of)

// For a given word this maps different states to different states, and for a given state different words likewise: two
// bodies that differ in one word certainly have different numbers.
static ulong stirred(ulong state, uint word) {
  state = (state ^ word) * 0x9E3779B97F4A7C15UL;
  return state ^ (state >> 32);
}

static ulong stirred_words(ulong state, global const uint* words, uint count) {
  for (uint k = 0; k < count; ++k) state = stirred(state, words[k]);
  return state;
}

// `positions` hold (x, y, z, mass); the fourth number of the other arrays is not part of the state. The bodies of these
// arrays have the indices `first`, `first` + 1, … One sum per group.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void hash_bodies(
    global const uint* positions, global const uint* velocities, global const uint* position_corrections,
    global const uint* velocity_corrections, uint bodies, uint first, global ulong* sums) {
  local ulong scratch[WORK_GROUP];
  ulong sum = 0;
  for (uint i = get_global_id(0); i < bodies; i += get_global_size(0)) {
    const size_t at = (size_t)4 * WORDS * i;
    ulong state = stirred(0, first + i);
    state = stirred_words(state, positions + at, 4 * WORDS);
    state = stirred_words(state, velocities + at, 3 * WORDS);
#ifdef MIXED
    state = stirred_words(state, position_corrections + at, 3 * WORDS);
    state = stirred_words(state, velocity_corrections + at, 3 * WORDS);
#endif
    sum += stirred(state, 0);
  }
  sum = group_total(sum, scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}
