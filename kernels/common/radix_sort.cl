// Sorts pairs of a 64-bit key and a value by eight bits of the key at a time, the lowest first. Each pass is stable, so
// that equal keys stay in the order they came in. No group waits for another within a launch (OpenCL does not promise
// that this ends): the digits are counted, the counts are added up, the pairs are scattered. A launch for few pairs
// takes longer than its work: their scatter also adds up the counts.
//
// On a GPU, the items of a team number their pairs by digit together, and pairs are brought into order in local memory
// before they are written: those with the same digit are neighbours, so that their writes share lines of memory.
// Ashkiani et al., GPU Multisplit, PPoPP 2016.
//
//   -D WORK_GROUP=n  work-items of a group: 1, as on CPUs, or 32, 64, 128 or 256
//   -D FEW=n         chunks whose counts are so few that the scatter adds them up itself
//   -D EACH=n        pairs of a work-item, on a GPU at least 4; a group sorts a chunk of WORK_GROUP · EACH pairs
#define DIGITS 256
#define CHUNK (WORK_GROUP * EACH)
#define SHARE (DIGITS / WORK_GROUP)  // digits per item
#define TEAM 32
#define TEAMS (WORK_GROUP / TEAM)
#define UNROLL __attribute__((opencl_unroll_hint))

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

// Turns each row of counts into the number of pairs of its digit in earlier chunks. One group for each digit; for more
// than FEW chunks.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void add_up_digits(global uint* counts, uint chunks,
                                                                                  global uint* totals) {
  local uint scratch[WORK_GROUP];
  const uint item = get_local_id(0), digit = get_group_id(0);
  global uint* row = counts + digit * chunks;
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

// The pairs with a digit in the chunks before this one, and in all chunks.
typedef struct {
  uint earlier, all;
} digit_count_t;

static digit_count_t count_of(uint digit, global const uint* counts, uint chunks, global const uint* totals) {
  const uint chunk = get_group_id(0);
  global const uint* row = counts + digit * chunks;
  if (chunks > FEW) return (digit_count_t){row[chunk], totals[digit]};
  digit_count_t sum = {0, 0};
  for (uint k = 0; k < chunks; ++k) {
    sum.all += row[k];
    sum.earlier += k < chunk ? row[k] : 0;
  }
  return sum;
}

#if WORK_GROUP == 1
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void scatter_pairs(
    global const ulong* keys, global const uint* values, uint pairs, uint shift, global const uint* counts, uint chunks,
    global const uint* totals, global ulong* sorted_keys, global uint* sorted_values) {
  uint next[DIGITS], sum = 0;
  const uint chunk = get_group_id(0);
  for (uint d = 0; d < DIGITS; ++d) {
    const digit_count_t count = count_of(d, counts, chunks, totals);
    next[d] = sum + count.earlier;
    sum += count.all;
  }
  for (uint i = chunk * CHUNK; i < min(pairs, (chunk + 1) * CHUNK); ++i) {
    const ulong key = keys[i];
    const uint place = next[digit_of(key, shift)]++;
    sorted_keys[place] = key;
    sorted_values[place] = values[i];
  }
}
#else
// The items of a team with the same digit, one bit for each, and the number of the team's earlier pairs with this
// digit, to which they are added. All items of the group take part; those that are not `there` are in no set.
typedef struct {
  uint same, earlier;
} peers_t;

#ifdef __NV_CL_C_VERSION
#define MASKS 0
static uint ballot(bool vote) {
  uint votes;
  __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                   : "=r"(votes)
                   : "r"((uint)vote));
  return votes;
}

static peers_t count_peers(uint digit, bool there, local uint* counts, local uint* masks) {
  uint same = ballot(there);
  for (uint k = 0; k < 8; ++k) {
    const bool set = (digit >> k & 1) != 0;
    const uint votes = ballot(set);
    same &= set ? votes : ~votes;
  }
  const peers_t peers = {same, counts[digit]};
  __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  if (there && same >> get_local_id(0) % TEAM == 1) counts[digit] = peers.earlier + popcount(same);
  __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  return peers;
}
#else
#define MASKS (TEAMS * DIGITS)
// `masks`: a row of zeros for each team.
static peers_t count_peers(uint digit, bool there, local uint* counts, local uint* masks) {
  const uint lane = get_local_id(0) % TEAM;
  local uint* mask = masks + get_local_id(0) / TEAM * DIGITS + digit;
  if (there) atomic_or(mask, 1u << lane);  // in any order
  barrier(CLK_LOCAL_MEM_FENCE);
  const peers_t peers = {*mask, counts[digit]};
  barrier(CLK_LOCAL_MEM_FENCE);
  if (there && peers.same >> lane == 1) {
    counts[digit] = peers.earlier + popcount(peers.same);
    *mask = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return peers;
}
#endif

// Turns the counts of the teams into the places of their first pairs of each digit within the chunk; `shifts` lead from
// there to the place among all pairs.
static void find_places(global const uint* counts, uint chunks, global const uint* totals, local uint* of_teams,
                        local uint* shifts, local uint* scratch) {
  const uint first = get_local_id(0) * SHARE;
  uint here = 0, everywhere = 0;
  digit_count_t found[SHARE];
  for (uint d = first; d < first + SHARE; ++d) {
    for (uint team = 0; team < TEAMS; ++team) here += of_teams[team * DIGITS + d];
    found[d - first] = count_of(d, counts, chunks, totals);
    everywhere += found[d - first].all;
  }
  here = exclusive_sum(here, scratch);
  everywhere = exclusive_sum(everywhere, scratch);
  for (uint d = first; d < first + SHARE; ++d) {
    shifts[d] = everywhere + found[d - first].earlier - here;
    everywhere += found[d - first].all;
    for (uint team = 0; team < TEAMS; ++team) {
      const uint count = of_teams[team * DIGITS + d];
      of_teams[team * DIGITS + d] = here;
      here += count;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void scatter_pairs(
    global const ulong* keys, global const uint* values, uint pairs, uint shift, global const uint* counts, uint chunks,
    global const uint* totals, global ulong* sorted_keys, global uint* sorted_values) {
  local uint of_teams[TEAMS * DIGITS], shifts[DIGITS], scratch[WORK_GROUP];
  local ulong staged[CHUNK];  // keys, then values; masks before
  local uint *const masks = (local uint*)staged, *const staged_values = (local uint*)staged;
  const uint item = get_local_id(0), team = item / TEAM, lane = item % TEAM, before = (1u << lane) - 1;
  for (uint k = item; k < TEAMS * DIGITS; k += WORK_GROUP) of_teams[k] = 0;
  for (uint k = item; k < MASKS; k += WORK_GROUP) masks[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint first = get_group_id(0) * CHUNK, own = first + team * TEAM * EACH + lane, end = min(pairs, first + CHUNK);
  ulong key[EACH];
  uint place[EACH];
  UNROLL for (uint k = 0; k < EACH; ++k) {
    const bool there = own + k * TEAM < end;
    key[k] = there ? keys[own + k * TEAM] : 0;
    const peers_t peers = count_peers(digit_of(key[k], shift), there, of_teams + team * DIGITS, masks);
    place[k] = peers.earlier + popcount(peers.same & before);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  find_places(counts, chunks, totals, of_teams, shifts, scratch);
  UNROLL for (uint k = 0; k < EACH; ++k) {
    if (own + k * TEAM >= end) continue;
    place[k] += of_teams[team * DIGITS + digit_of(key[k], shift)];
    staged[place[k]] = key[k];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint to[EACH];
  UNROLL for (uint k = 0; k < EACH; ++k) {
    const uint at = k * WORK_GROUP + item;
    if (first + at >= end) continue;
    to[k] = at + shifts[digit_of(staged[at], shift)];
    sorted_keys[to[k]] = staged[at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (uint k = 0; k < EACH; ++k)
    if (own + k * TEAM < end) staged_values[place[k]] = values[own + k * TEAM];
  barrier(CLK_LOCAL_MEM_FENCE);
  UNROLL for (uint k = 0; k < EACH; ++k)
    if (first + k * WORK_GROUP + item < end) sorted_values[to[k]] = staged_values[k * WORK_GROUP + item];
}
#endif
