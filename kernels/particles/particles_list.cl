// Neighbours of each block: for each block of slots the slots of all particles within `reach` of the box
// around it, in their order. Particles that exclude one of the block, and the block itself, are listed separately, with
// a mask of the excluded ones. The search goes through the boxes around BLOCK blocks each.
//
//   -D ALONE=1  a work-item searches for a block by itself, as suits a processor; else BLOCK items search together
#include "particles.clh"

static bool rebuilding(global const int* status) { return status[MOVED_FAR] != 0 && status[FROZEN] == 0; }

// A box is stored as its middle and half its size.
kernel void bound_blocks(global const real4* slot_positions, uint particles, constant wide4* box, global real4* middles,
                         global real4* halves, global const int* status) {
  const uint block = get_global_id(0), first = block * BLOCK;
  if (first >= particles || !rebuilding(status)) return;
  const box_t space = box_of(box);
  const real4 origin = slot_positions[first];
  real4 low = (real4)(0), high = (real4)(0);
  for (uint slot = first + 1; slot < min(particles, first + BLOCK); ++slot) {
    const real4 at = nearest_images(slot_positions[slot] - origin, space);
    low = min(low, at);
    high = max(high, at);
  }
  middles[block] = origin + (low + high) * (real)0.5;
  halves[block] = (high - low) * (real)0.5;
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
} region_t;

static bool is_near(const region_t* region, real4 middle, real4 half_size) {
  const real4 gap = fmax(fabs(nearest_images(middle - region->middle, region->space)) - region->half_size - half_size, (real4)(0));
  return gap.x * gap.x + gap.y * gap.y + gap.z * gap.z < region->reach2;
}

// A bit for each particle of `block` that the particle in `slot` excludes, itself included.
static uint excluded_of(uint slot, uint block, global const uint* order, global const uint* slot_of,
                        global const uint* exclusion_starts, global const uint* exclusions) {
  uint mask = 0;
  const uint body = order[slot];
  for (uint e = exclusion_starts[body]; e < exclusion_starts[body + 1]; ++e) {
    const uint other = slot_of[exclusions[e]];
    if (other / BLOCK == block) mask |= 1u << (other % BLOCK);
  }
  if (slot / BLOCK == block) mask |= 1u << (slot % BLOCK);
  return mask;
}

typedef struct {
  global uint* plain;
  global uint2* masked;
  uint plain_count, masked_count, capacity;
} lists_t;

static void end_lists(const lists_t* lists, uint block, global uint2* counts, global int* status) {
  counts[block] = (uint2)(min(lists->plain_count, lists->capacity), lists->masked_count);
  if (lists->plain_count <= lists->capacity) return;
  atomic_max(&status[NEEDED], (int)lists->plain_count);
}

#ifdef ALONE
static void take(lists_t* lists, uint slot, uint mask) {
  if (mask != 0) {
    lists->masked[lists->masked_count++] = (uint2)(slot, mask);
  } else {
    if (lists->plain_count < lists->capacity) lists->plain[lists->plain_count] = slot;
    ++lists->plain_count;
  }
}
#define LISTS_GROUP 1
#else
#define LISTS_GROUP BLOCK

// The bits of the items for which the condition holds.
static uint vote(bool holds, local uint* box) {
  const uint item = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) *box = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (holds) atomic_or(box, 1u << item);
  barrier(CLK_LOCAL_MEM_FENCE);
  return *box;
}
#endif

kernel __attribute__((reqd_work_group_size(LISTS_GROUP, 1, 1))) void find_neighbours(
    global const real4* slot_positions, uint particles, constant wide4* box, global const real4* middles,
    global const real4* halves, global const real4* group_middles, global const real4* group_halves,
    global const uint* order, global const uint* slot_of, global const uint* exclusion_starts,
    global const uint* exclusions, real reach, uint capacity, uint masked_capacity, global uint* plain,
    global uint2* masked, global uint2* counts, global int* status) {
  if (!rebuilding(status)) return;
  const uint block = get_group_id(0), blocks = (particles + BLOCK - 1) / BLOCK, groups = (blocks + BLOCK - 1) / BLOCK;
  const region_t region = {middles[block], halves[block], box_of(box), reach * reach};
  lists_t lists = {plain + (size_t)block * capacity, masked + (size_t)block * masked_capacity, 0, 0, capacity};
#ifdef ALONE
  for (uint group = 0; group < groups; ++group) {
    if (!is_near(&region, group_middles[group], group_halves[group])) continue;
    for (uint other = group * BLOCK; other < min(blocks, group * BLOCK + BLOCK); ++other) {
      if (!is_near(&region, middles[other], halves[other])) continue;
      for (uint slot = other * BLOCK; slot < min(particles, other * BLOCK + BLOCK); ++slot)
        if (other == block || is_near(&region, slot_positions[slot], (real4)(0)))
          take(&lists, slot, excluded_of(slot, block, order, slot_of, exclusion_starts, exclusions));
    }
  }
  end_lists(&lists, block, counts, status);
#else
  local uint ballot;
  const uint item = get_local_id(0), below = (1u << item) - 1;
  for (uint base = 0; base < groups; base += BLOCK) {
    const uint group = base + item;
    uint near_groups = vote(group < groups && is_near(&region, group_middles[min(group, groups - 1)], group_halves[min(group, groups - 1)]), &ballot);
    for (; near_groups != 0; near_groups &= near_groups - 1) {
      const uint first = (base + 31 - clz(near_groups & -near_groups)) * BLOCK, other = min(first + item, blocks - 1);
      uint near_blocks = vote(first + item < blocks && is_near(&region, middles[other], halves[other]), &ballot);
      for (; near_blocks != 0; near_blocks &= near_blocks - 1) {
        const uint candidate = first + 31 - clz(near_blocks & -near_blocks);
        const uint slot = candidate * BLOCK + item, present = min(slot, particles - 1);
        const bool listed = slot < particles && (candidate == block || is_near(&region, slot_positions[present], (real4)(0)));
        uint mask = 0;
        if (listed) mask = excluded_of(slot, block, order, slot_of, exclusion_starts, exclusions);
        const uint plain_votes = vote(listed && mask == 0, &ballot), masked_votes = vote(listed && mask != 0, &ballot);
        const uint at = lists.plain_count + popcount(plain_votes & below);
        if (listed && mask == 0 && at < capacity) lists.plain[at] = slot;
        if (listed && mask != 0) lists.masked[lists.masked_count + popcount(masked_votes & below)] = (uint2)(slot, mask);
        lists.plain_count += popcount(plain_votes);
        lists.masked_count += popcount(masked_votes);
      }
    }
  }
  if (item == 0) end_lists(&lists, block, counts, status);
#endif
}

// One item: the lists are up to date, or there was no room for them.
kernel void end_rebuild(global int* bounds, global int* status) {
  if (!rebuilding(status)) return;
  for (uint k = 0; k < 3; ++k) {
    bounds[k] = INT_MAX;
    bounds[3 + k] = INT_MIN;
  }
  ++status[REBUILDS];
  if (status[NEEDED] != 0)
    status[FROZEN] = 1;
  else
    status[MOVED_FAR] = 0;
}
