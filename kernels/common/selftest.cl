// The basic operations of all scenes on whole numbers, so that a device either supports them or not.
//
//   -D WORK_GROUP=n  work-items of a group of the reductions, any number
#include "reduce.clh"

// Knuth's multiplicative hash: adjacent values are unrelated.
static uint pattern(uint i, uint seed) { return (i + seed) * 2654435761u; }

kernel void fill_pattern(global uint* values, uint count, uint seed) {
  const uint i = get_global_id(0);
  if (i < count) values[i] = pattern(i, seed);
}

static ulong total_of(ulong a, ulong b) { return a + b; }
GROUP_REDUCTION(group_total, ulong, total_of)

// Each work-item sums every n-th value, then the group its items' sums, by halving; one sum per group.
kernel void sum_values(global const uint* values, uint count, global ulong* sums) {
  local ulong scratch[WORK_GROUP];
  ulong sum = 0;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) sum += values[i];
  sum = group_total(sum, scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

static uint least_of_item(global const uint* values, uint count) {
  uint least = UINT_MAX;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0)) least = min(least, values[i]);
  return least;
}

// Uses atomics in local memory, then one per group in global memory.
kernel void minimum_by_local_atomics(global const uint* values, uint count, volatile global uint* result) {
  local uint least;
  const uint of_group = group_minimum(least_of_item(values, count), &least);
  if (get_local_id(0) == 0) atomic_min(result, of_group);
}

// Uses atomics in global memory only.
kernel void minimum_by_global_atomics(global const uint* values, uint count, volatile global uint* result) {
  atomic_min(result, least_of_item(values, count));
}

// Copies from one of two buffers to the other: every value moves down one place and grows by one.
kernel void hand_over(global const uint* from, global uint* to, uint count) {
  const uint i = get_global_id(0);
  if (i < count) to[i] = from[i + 1 < count ? i + 1 : 0] + 1;
}
