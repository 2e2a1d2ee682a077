// Sorts pairs of a 64-bit key and a value by eight bits of the key at a time, the lowest first. Each pass is stable, so
// that equal keys stay in the order they came in. No group waits for another within a launch (OpenCL does not promise
// that this ends): the digits are counted, the counts are added up, the pairs are scattered.
//
//   -D WORK_GROUP=n  work-items of a group; 1 on CPUs
//   -D EACH=n        pairs of a work-item; a group sorts a chunk of WORK_GROUP · EACH pairs
#define DIGITS 256
#define CHUNK (WORK_GROUP * EACH)
#define SHARE (DIGITS / WORK_GROUP)  // digits per item

static uint digit_of(ulong key, uint shift) { return (uint)(key >> shift) & (DIGITS - 1); }

// The sum of the values of the items before this one. Hillis and Steele, CACM 29 (1986) 1170.
static uint exclusive_sum(uint value, local uint* scratch) {
#if WORK_GROUP == 1
  return 0;
#else
  const uint item = get_local_id(0);
  scratch[item] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < WORK_GROUP; step *= 2) {
    const uint other = item >= step ? scratch[item - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    scratch[item] += other;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const uint sum = scratch[item] - value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
#endif
}

// `counts`: a row of `chunks` for each digit.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void count_digits(global const ulong* keys, uint pairs,
                                                                                 uint shift, global uint* counts,
                                                                                 uint chunks) {
  local uint histogram[DIGITS];
  const uint item = get_local_id(0), chunk = get_group_id(0);
  for (uint d = item; d < DIGITS; d += WORK_GROUP) histogram[d] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k < EACH; ++k) {
    const uint i = chunk * CHUNK + k * WORK_GROUP + item;
    if (i >= pairs) break;
#if WORK_GROUP == 1
    ++histogram[digit_of(keys[i], shift)];
#else
    atomic_inc(&histogram[digit_of(keys[i], shift)]);
#endif
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint d = item; d < DIGITS; d += WORK_GROUP) counts[d * chunks + chunk] = histogram[d];
}

// Turns each row of counts into the number of pairs of its digit in earlier chunks. One group for each digit, or one
// for all if there is one chunk.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void add_up_digits(global uint* counts, uint chunks,
                                                                                  global uint* totals) {
  local uint scratch[WORK_GROUP];
  const uint item = get_local_id(0), digit = get_group_id(0);
  global uint* row = counts + digit * chunks;
  if (chunks == 1) {
    for (uint d = item; d < DIGITS; d += WORK_GROUP) {
      totals[d] = counts[d];
      counts[d] = 0;
    }
    return;
  }
  const uint each = (chunks + WORK_GROUP - 1) / WORK_GROUP;
  const uint first = min(chunks, item * each), end = min(chunks, first + each);
  uint own = 0;
  for (uint k = first; k < end; ++k) own += row[k];
  uint sum = exclusive_sum(own, scratch);
  for (uint k = first; k < end; ++k) {
    const uint count = row[k];
    row[k] = sum;
    sum += count;
  }
  if (item == WORK_GROUP - 1) totals[digit] = sum;
}

// The place of the first pair of each digit of this chunk.
static void find_starts(global const uint* counts, uint chunks, global const uint* totals, local uint* start,
                        local uint* scratch) {
  const uint item = get_local_id(0), chunk = get_group_id(0);
  uint own = 0;
  for (uint d = item * SHARE; d < item * SHARE + SHARE; ++d) own += totals[d];
  uint sum = exclusive_sum(own, scratch);
  for (uint d = item * SHARE; d < item * SHARE + SHARE; ++d) {
    start[d] = sum + counts[d * chunks + chunk];
    sum += totals[d];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void scatter_pairs(
    global const ulong* keys, global const uint* values, uint pairs, uint shift, global const uint* counts, uint chunks,
    global const uint* totals, global ulong* sorted_keys, global uint* sorted_values) {
  local uint start[DIGITS], scratch[WORK_GROUP];
  find_starts(counts, chunks, totals, start, scratch);
  const uint item = get_local_id(0), chunk = get_group_id(0);
#if WORK_GROUP == 1
  for (uint i = chunk * CHUNK; i < min(pairs, (chunk + 1) * CHUNK); ++i) {
    const ulong key = keys[i];
    const uint place = start[digit_of(key, shift)]++;
    sorted_keys[place] = key;
    sorted_values[place] = values[i];
  }
#else
  // The items of this round that have each digit, one bit per item. Bits may be set in any order.
  local uint holders[DIGITS][WORK_GROUP / 32];
  for (uint k = item; k < DIGITS * (WORK_GROUP / 32); k += WORK_GROUP) holders[k / (WORK_GROUP / 32)][k % (WORK_GROUP / 32)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint word = item / 32, bit = 1u << (item % 32);
  for (uint k = 0; k < EACH; ++k) {
    if (chunk * CHUNK + k * WORK_GROUP >= pairs) break;  // for all items of the group
    const uint i = chunk * CHUNK + k * WORK_GROUP + item;
    const bool there = i < pairs;
    const ulong key = there ? keys[i] : 0;
    const uint digit = digit_of(key, shift);
    if (there) atomic_or(&holders[digit][word], bit);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = 0, all = 0;
    for (uint w = 0; w < WORK_GROUP / 32; ++w) {
      const uint bits = holders[digit][w];
      all += popcount(bits);
      before += popcount(w < word ? bits : w == word ? bits & (bit - 1) : 0u);
    }
    const uint place = start[digit] + before;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (there) {
      if (before + 1 == all) start[digit] = place + 1;
      holders[digit][word] = 0;
      sorted_keys[place] = key;
      sorted_values[place] = values[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#endif
}
