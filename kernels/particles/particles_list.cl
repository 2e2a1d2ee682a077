// Neighbours of each team: the slots of all particles within `reach` of one of its particles, in their order. Particles
// that exclude one of the team, and the team itself, are listed separately, with a mask of the excluded ones. The teams of
// a block are searched for together, through the boxes around blocks and those around groups of BLOCK blocks. Every
// kernel does nothing unless a particle has moved far.
//
//   -D ALONE=1  one work-item searches for a block, as suits a CPU; else BLOCK items search together
#include "particles.clh"

#define TEAMS (BLOCK / TEAM)  // teams of a block
#define TEAM_BITS (TEAM < 32 ? (1u << TEAM) - 1 : ~0u)

#ifdef ALONE
#define LISTS_GROUP 1
#define SHARED
#else
#define LISTS_GROUP BLOCK
#define SHARED local
#endif

// A slot's particle moves into the box; its position is the reference of later moves.
static real4 take_place(global const uint* order, uint slot, constant wide4* box, global wide4* positions,
                        global wide4* references, global real4* slot_positions) {
  const uint body = order[slot];
  wide4 p = positions[body];
  p.xyz -= box[0].xyz * rint(p.xyz * box[1].xyz);
  positions[body] = p;
  references[body] = p;
  return slot_positions[slot] = convert_real4(p);
}

// Takes the present places of particles, and the boxes around blocks: the middle of each and half its size.
kernel __attribute__((reqd_work_group_size(LISTS_GROUP, 1, 1))) void bound_blocks(
    global const uint* order, uint particles, constant wide4* box, global wide4* positions, global wide4* references,
    global real4* slot_positions, global real4* middles, global real4* halves, global int* status) {
  if (get_global_id(0) == 0 && status[ORDERED] != 0) status[ORDER_DUE] = status[ORDERED] = 0;
  if (!rebuilding(status)) return;
  const box_t space = box_of(box);
#ifdef ALONE
  for (uint block = get_group_id(0); block * BLOCK < particles; block += get_num_groups(0)) {
    const uint first = block * BLOCK;
    const real4 origin = take_place(order, first, box, positions, references, slot_positions);
    real4 low = (real4)(0), high = (real4)(0);
    for (uint slot = first + 1; slot < min(particles, first + BLOCK); ++slot) {
      const real4 at = nearest_images(take_place(order, slot, box, positions, references, slot_positions) - origin, space);
      low = min(low, at);
      high = max(high, at);
    }
#else
  local real4 lows[BLOCK], highs[BLOCK];
  const uint item = get_local_id(0);
  for (uint block = get_group_id(0); block * BLOCK < particles; block += get_num_groups(0)) {
    const uint slot = block * BLOCK + item;
    real4 at = (real4)(0);
    if (slot < particles) at = take_place(order, slot, box, positions, references, slot_positions);
    barrier(CLK_LOCAL_MEM_FENCE);
    lows[item] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    const real4 origin = lows[0];
    real4 low = slot < particles ? nearest_images(at - origin, space) : (real4)(0), high = low;
    for (uint distance = BLOCK / 2; distance > 0; distance /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      lows[item] = low;
      highs[item] = high;
      barrier(CLK_LOCAL_MEM_FENCE);
      low = min(low, lows[(item + distance) % BLOCK]);
      high = max(high, highs[(item + distance) % BLOCK]);
    }
#endif
    if (get_local_id(0) == 0) {
      middles[block] = origin + (low + high) * (real)0.5;
      halves[block] = (high - low) * (real)0.5;
    }
  }
}

kernel void bound_groups(global const real4* middles, global const real4* halves, uint blocks, constant wide4* box,
                         global real4* group_middles, global real4* group_halves, global const int* status) {
  const uint group = get_global_id(0), first = group * BLOCK;
  if (first >= blocks || !rebuilding(status)) return;
  const box_t space = box_of(box);
  const real4 origin = middles[first];
  real4 low = -halves[first], high = halves[first];
  for (uint block = first + 1; block < min(blocks, first + BLOCK); ++block) {
    const real4 at = nearest_images(middles[block] - origin, space);
    low = min(low, at - halves[block]);
    high = max(high, at + halves[block]);
  }
  group_middles[group] = origin + (low + high) * (real)0.5;
  group_halves[group] = (high - low) * (real)0.5;
}

typedef struct {
  real4 middle, half_size;
  box_t space;
  real reach2;
  uint teams;   // teams that hold a particle
  bool narrow;  // so narrow with its reach that places relative to its middle are nearest images
} region_t;

typedef struct {
  real x[BLOCK], y[BLOCK], z[BLOCK];
} places_t;

static region_t region_of(uint block, uint particles, real4 middle, real4 half_size, constant wide4* box, real reach) {
  const box_t space = box_of(box);
  const real4 wide_side = 2 * (half_size + reach);
  const bool narrow = (space.lengths.x == 0 || wide_side.x < space.lengths.x) &&
                      (space.lengths.y == 0 || wide_side.y < space.lengths.y) &&
                      (space.lengths.z == 0 || wide_side.z < space.lengths.z);
  const region_t region = {middle, half_size, space, reach * reach,
                           (min((uint)BLOCK, particles - block * BLOCK) + TEAM - 1) / TEAM, narrow};
  return region;
}

static real4 from_middle(const region_t* region, real4 at) { return nearest_images(at - region->middle, region->space); }

static bool is_near(const region_t* region, real4 from_middle, real4 half_size) {
  const real4 gap = fmax(fabs(from_middle) - region->half_size - half_size, (real4)(0));
  return gap.x * gap.x + gap.y * gap.y + gap.z * gap.z < region->reach2;
}

// A bit for each team that has a particle within reach. All places are relative to the middle.
static uint near_teams(const region_t* region, SHARED const places_t* own, real4 from_middle) {
  uint teams = 0;
  if (region->narrow) {
    for (uint team = 0; team < TEAMS; ++team) {
      uint near = 0;
      for (uint k = team * TEAM; k < (team + 1) * TEAM; ++k) {
        const real dx = from_middle.x - own->x[k], dy = from_middle.y - own->y[k], dz = from_middle.z - own->z[k];
        near |= multiply_add(dx, dx, multiply_add(dy, dy, dz * dz)) < region->reach2 ? 1 : 0;
      }
      teams |= near << team;
    }
  } else {
    for (uint k = 0; k < BLOCK; ++k) {
      const real4 at = nearest_images(from_middle - (real4)(own->x[k], own->y[k], own->z[k], 0), region->space);
      if (at.x * at.x + at.y * at.y + at.z * at.z < region->reach2) teams |= 1u << (k / TEAM);
    }
  }
  return region->teams < TEAMS ? teams & ((1u << region->teams) - 1) : teams;
}

// The places of particles, the boxes around blocks and groups of blocks, and the exclusions.
typedef struct {
  uint particles, grouped;
  global const real4 *positions, *middles, *halves, *group_middles, *group_halves;
  global const uint *order, *slot_of, *exclusion_starts, *exclusions;
} search_t;

// A bit for each particle of `block` that the particle in `slot` excludes, itself included.
static uint excluded_of(const search_t* search, uint slot, uint block) {
  uint mask = 0;
  const uint body = search->order[slot];
  for (uint e = search->exclusion_starts[body]; e < search->exclusion_starts[body + 1]; ++e) {
    const uint other = search->slot_of[search->exclusions[e]];
    if (other / BLOCK == block) mask |= 1u << (other % BLOCK);
  }
  return mask;
}

// The mask of the team's particles that exclude the slot, and of the slot itself if it is of the team.
static uint masked_of(uint slot, uint block, uint excluded, uint team) {
  const uint own = slot / TEAM == block * TEAMS + team ? 1u << (slot % TEAM) : 0;
  return (excluded >> (team * TEAM) & TEAM_BITS) | own;
}

typedef struct {
  global uint* plain;
  global uint2* masked;
  uint capacity, masked_capacity;  // entries per team
  uint plain_count[TEAMS], masked_count[TEAMS];
} lists_t;

static void list_plain(lists_t* lists, uint team, uint at, uint slot) {
  if (at < lists->capacity) lists->plain[(size_t)team * lists->capacity + at] = slot;
}
static void list_masked(lists_t* lists, uint team, uint at, uint slot, uint mask) {
  lists->masked[(size_t)team * lists->masked_capacity + at] = (uint2)(slot, mask);
}

static void end_lists(const lists_t* lists, uint block, global uint2* counts, volatile global int* status) {
  uint most = 0;
  for (uint team = 0; team < TEAMS; ++team) {
    counts[block * TEAMS + team] = (uint2)(min(lists->plain_count[team], lists->capacity), lists->masked_count[team]);
    most = max(most, lists->plain_count[team]);
  }
#ifdef ALONE
  if (most >= lists->capacity) atomic_max(&status[NEEDED], (int)most + 1);  // the last entry is overwritten
#else
  if (most > lists->capacity) atomic_max(&status[NEEDED], (int)most);
#endif
}

// Forgets the range of the last forces; new ones have not been summed yet.
static void reset_range(global int* status) {
  if (status[WAITS_FOR_RANGE] == 0 && status[FROZEN] == 0) status[WELL_IN_RANGE] = status[OUT_OF_RANGE] = 0;
}

#ifdef ALONE
#define SIDE 8  // slots that are examined at once

#define ALL_OF(p, c) (WIDE_REAL(8))(p[0].c, p[1].c, p[2].c, p[3].c, p[4].c, p[5].c, p[6].c, p[7].c)

typedef struct {
  real x[SIDE], y[SIDE], z[SIDE];
} side_t;

// Places relative to the middle. Returns whether one is within reach of the region.
ALWAYS_INLINE bool load_side(const region_t* region, global const real4* positions, side_t* side) {
  vstore8(ALL_OF(positions, x), 0, side->x);
  vstore8(ALL_OF(positions, y), 0, side->y);
  vstore8(ALL_OF(positions, z), 0, side->z);
  uint near = 0;
  SIDE_BY_SIDE
  for (uint k = 0; k < SIDE; ++k) {
    const real x = nearest_image(side->x[k] - region->middle.x, region->space.lengths.x, region->space.inverse.x);
    const real y = nearest_image(side->y[k] - region->middle.y, region->space.lengths.y, region->space.inverse.y);
    const real z = nearest_image(side->z[k] - region->middle.z, region->space.lengths.z, region->space.inverse.z);
    side->x[k] = x;
    side->y[k] = y;
    side->z[k] = z;
    const real gap_x = fabs(x) - region->half_size.x, gap_y = fabs(y) - region->half_size.y,
               gap_z = fabs(z) - region->half_size.z;
    const real over_x = gap_x > 0 ? gap_x : 0, over_y = gap_y > 0 ? gap_y : 0, over_z = gap_z > 0 ? gap_z : 0;
    near |= over_x * over_x + over_y * over_y + over_z * over_z < region->reach2 ? 1 : 0;
  }
  return near != 0;
}

// Does what near_teams() does in a narrow region, for SIDE places at once.
ALWAYS_INLINE void near_side(const region_t* region, const places_t* own, const side_t* side, uint* near) {
  for (uint s = 0; s < SIDE; ++s) near[s] = 0;
  for (uint team = 0; team < region->teams; ++team) {
    real least[SIDE];
    for (uint s = 0; s < SIDE; ++s) least[s] = INFINITY;
    for (uint k = team * TEAM; k < (team + 1) * TEAM; ++k) {
      SIDE_BY_SIDE
      for (uint s = 0; s < SIDE; ++s) {
        const real dx = side->x[s] - own->x[k], dy = side->y[s] - own->y[k], dz = side->z[s] - own->z[k];
        const real r2 = multiply_add(dx, dx, multiply_add(dy, dy, dz * dz));
        least[s] = r2 < least[s] ? r2 : least[s];
      }
    }
    SIDE_BY_SIDE
    for (uint s = 0; s < SIDE; ++s) near[s] |= least[s] < region->reach2 ? 1u << team : 0;
  }
}

static void list_slot(lists_t* lists, uint near, uint slot, uint block, uint excluded) {
  for (uint team = 0; near != 0; ++team, near >>= 1) {
    if ((near & 1) == 0) continue;
    const uint mask = masked_of(slot, block, excluded, team);
    if (mask != 0)
      list_masked(lists, team, lists->masked_count[team]++, slot, mask);
    else
      list_plain(lists, team, lists->plain_count[team]++, slot);
  }
}

// For slots that exclude no particle. Avoids branches, which would be mispredicted: the next slot overwrites a slot
// that is not near.
static void list_side(lists_t* lists, const uint* near, uint first) {
  for (uint team = 0; team < TEAMS; ++team) {
    global uint* plain = lists->plain + (size_t)team * lists->capacity;
    uint count = lists->plain_count[team];
    for (uint s = 0; s < SIDE; ++s) {
      plain[min(count, lists->capacity - 1)] = first + s;
      count += near[s] >> team & 1;
    }
    lists->plain_count[team] = count;
  }
}

static void find_alone(const search_t* search, uint block, const region_t* region, lists_t* lists) {
  const uint particles = search->particles, blocks = (particles + BLOCK - 1) / BLOCK,
             groups = (blocks + BLOCK - 1) / BLOCK;
  const bool excluding = search->exclusion_starts[particles] > 0;
  places_t own;
  for (uint k = 0; k < BLOCK; ++k) {
    const real4 at = from_middle(region, search->positions[min(block * BLOCK + k, particles - 1)]);
    own.x[k] = at.x;
    own.y[k] = at.y;
    own.z[k] = at.z;
  }
  for (uint group = 0; group < groups; ++group) {
    if (search->grouped && !is_near(region, from_middle(region, search->group_middles[group]), search->group_halves[group])) continue;
    for (uint other = group * BLOCK; other < min(blocks, group * BLOCK + BLOCK); ++other) {
      if (!is_near(region, from_middle(region, search->middles[other]), search->halves[other])) continue;
      const uint end = min(particles, other * BLOCK + BLOCK);
      uint slot = other * BLOCK;
      for (; region->narrow && slot + SIDE <= end; slot += SIDE) {
        side_t side;
        uint near[SIDE];
        if (!load_side(region, search->positions + slot, &side) && other != block) continue;
        near_side(region, &own, &side, near);
        if (!excluding && other != block) {
          list_side(lists, near, slot);
          continue;
        }
        for (uint s = 0; s < SIDE; ++s)
          if (near[s] != 0)
            list_slot(lists, near[s], slot + s, block, excluded_of(search, slot + s, block));
      }
      for (; slot < end; ++slot) {
        const real4 at = from_middle(region, search->positions[slot]);
        const uint near = other == block || is_near(region, at, (real4)(0)) ? near_teams(region, &own, at) : 0;
        if (near != 0)
          list_slot(lists, near, slot, block, excluded_of(search, slot, block));
      }
    }
  }
}
#else
// A bit for each item where the condition holds.
static uint vote(bool holds, local uint* bits) {
  const uint item = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) *bits = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (holds) atomic_or(bits, 1u << item);
  barrier(CLK_LOCAL_MEM_FENCE);
  return *bits;
}

// The counts of up to four teams in bytes: neighbours in the low half, masked ones in the high half.
#define COUNTED 4
static uint plain_of(ulong counts, uint k) { return (uint)(counts >> (8 * k)) & 0xff; }
static uint masked_count_of(ulong counts, uint k) { return plain_of(counts >> 32, k); }

// The sum over this item and those before it; sums[BLOCK - 1] is that of all until the next call.
static ulong sum_before(ulong own, local ulong* sums) {
  const uint item = get_local_id(0);
  ulong sum = own;
  for (uint distance = 1; distance < BLOCK; distance *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    sums[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item >= distance) sum += sums[item - distance];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == BLOCK - 1) sums[item] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum - own;
}

// Adds each item's slot to the lists of the teams near it.
static void list_together(lists_t* lists, uint near, uint slot, uint block, uint excluded, local ulong* sums) {
  for (uint first = 0; first < TEAMS; first += COUNTED) {
    ulong own = 0;
    for (uint k = 0; k < COUNTED; ++k)
      if (near >> (first + k) & 1) own += 1UL << (masked_of(slot, block, excluded, first + k) != 0 ? 32 + 8 * k : 8 * k);
    const ulong before = sum_before(own, sums), all = sums[BLOCK - 1];
    for (uint k = 0; k < COUNTED && first + k < TEAMS; ++k) {
      const uint team = first + k;
      if (plain_of(own, k) != 0) list_plain(lists, team, lists->plain_count[team] + plain_of(before, k), slot);
      if (masked_count_of(own, k) != 0)
        list_masked(lists, team, lists->masked_count[team] + masked_count_of(before, k), slot,
                    masked_of(slot, block, excluded, team));
      lists->plain_count[team] += plain_of(all, k);
      lists->masked_count[team] += masked_count_of(all, k);
    }
  }
}

// The local memory that the items of a work-group share.
typedef struct {
  places_t own;
  uint ballot;
  ulong sums[BLOCK];
} together_t;

static void find_together(const search_t* search, uint block, const region_t* region, lists_t* lists,
                          local together_t* shared) {
  const uint particles = search->particles, blocks = (particles + BLOCK - 1) / BLOCK,
             groups = (blocks + BLOCK - 1) / BLOCK, item = get_local_id(0);
  local places_t* own = &shared->own;
  local uint* ballot = &shared->ballot;
  const real4 place = from_middle(region, search->positions[min(block * BLOCK + item, particles - 1)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  own->x[item] = place.x;
  own->y[item] = place.y;
  own->z[item] = place.z;
  for (uint base = 0; base < groups; base += BLOCK) {
    const uint group = min(base + item, groups - 1);
    const bool near_group = !search->grouped || is_near(region, from_middle(region, search->group_middles[group]), search->group_halves[group]);
    for (uint near_groups = vote(base + item < groups && near_group, ballot); near_groups != 0; near_groups &= near_groups - 1) {
      const uint first = (base + 31 - clz(near_groups & -near_groups)) * BLOCK, other = min(first + item, blocks - 1);
      const bool near_block = is_near(region, from_middle(region, search->middles[other]), search->halves[other]);
      for (uint near_blocks = vote(first + item < blocks && near_block, ballot); near_blocks != 0; near_blocks &= near_blocks - 1) {
        const uint candidate = first + 31 - clz(near_blocks & -near_blocks), slot = candidate * BLOCK + item;
        const real4 at = from_middle(region, search->positions[min(slot, particles - 1)]);
        uint near = 0, excluded = 0;
        if (slot < particles && (candidate == block || is_near(region, at, (real4)(0)))) near = near_teams(region, own, at);
        if (near != 0) excluded = excluded_of(search, slot, block);
        list_together(lists, near, slot, block, excluded, shared->sums);
      }
    }
  }
}
#endif

// `grouped`: there are boxes around groups of blocks.
kernel __attribute__((reqd_work_group_size(LISTS_GROUP, 1, 1))) void find_neighbours(
    global const real4* slot_positions, uint particles, constant wide4* box, global const real4* middles,
    global const real4* halves, global const real4* group_middles, global const real4* group_halves,
    global const uint* order, global const uint* slot_of, global const uint* exclusion_starts,
    global const uint* exclusions, real reach, uint capacity, uint masked_capacity, uint grouped, global uint* plain,
    global uint2* masked, global uint2* counts, global int* status) {
  if (get_global_id(0) == 0) reset_range(status);
  if (!rebuilding(status)) return;
  if (get_global_id(0) == 0) ++status[REBUILDS];
#ifndef ALONE
  local together_t shared;
#endif
  const search_t search = {particles, grouped, slot_positions, middles, halves, group_middles, group_halves,
                           order, slot_of, exclusion_starts, exclusions};
  for (uint block = get_group_id(0); block * BLOCK < particles; block += get_num_groups(0)) {
    const region_t region = region_of(block, particles, middles[block], halves[block], box, reach);
    const size_t first = (size_t)block * TEAMS;
    lists_t lists = {plain + first * capacity, masked + first * masked_capacity, capacity, masked_capacity};
    for (uint team = 0; team < TEAMS; ++team) lists.plain_count[team] = lists.masked_count[team] = 0;
#ifdef ALONE
    find_alone(&search, block, &region, &lists);
#else
    find_together(&search, block, &region, &lists, &shared);
#endif
    if (get_local_id(0) == 0) end_lists(&lists, block, counts, status);
  }
}
