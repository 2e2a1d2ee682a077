// The field of the bodies from their tree (nbody_tree.clh).
//
// A work-group walks the tree for GROUP bodies that follow one another on the curve, its targets. It keeps a stack of
// nodes, of which it looks at ROUND at a time: one that is far enough from each target pulls by its moments; of the
// others, the children are put on the stack, or, if it is a leaf, its bodies pull one by one. The order of nodes and bodies follows
// from the tree and ROUND alone, so that the bits do not depend on the work-group's size or on cuts into launches.
//
//   -D WORK_GROUP=n  work-items per group; each holds LANES bodies, together GROUP
//   -D LIST=n        near bodies that are held in local memory at a time, of whole leaves; the bits do not depend on it
//   -D UNROLL=n      of the loop over near bodies
//   -D INDIVIDUAL=1  also kernels for the groups with bodies whose individual steps end
#include "nbody_tree.clh"

#define ROUND 32                                             // one bit of a mask per node
#define EACH ((ROUND + WORK_GROUP - 1) / WORK_GROUP)         // nodes of an item
#define LEAVES_AT_ONCE (LIST / LEAF)                         // leaves in local memory at a time
#define TILE (LIST > NODE_ROWS * ROUND ? LIST : NODE_ROWS * ROUND)
#define LEVELS 16
// The children of a round may wait while those below them are looked at, ROUND at a time.
#define STACK (ROUND * BRANCH * (LEVELS - 1))
#define LEVEL_SHIFT 26
#define NUMBER_MASK ((1u << LEVEL_SHIFT) - 1)

// Squared distance of a point from a box.
static real distance2_to_box(real4 low, real4 high, real4 at) {
  const real dx = fmax(fmax(low.x - at.x, at.x - high.x), (real)0), dy = fmax(fmax(low.y - at.y, at.y - high.y), (real)0),
             dz = fmax(fmax(low.z - at.z, at.z - high.z), (real)0);
  return multiply_add(dx, dx, multiply_add(dy, dy, dz * dz));
}

// The box of a group of targets.
static void group_box(global const real4* boxes, uint group, real4* low, real4* high) {
  const uint first = group * (GROUP / LEAF);
  *low = boxes[2 * first];
  *high = boxes[2 * first + 1];
  for (uint leaf = first + 1; leaf < first + GROUP / LEAF; ++leaf) {
    *low = fmin(*low, boxes[2 * leaf]);
    *high = fmax(*high, boxes[2 * leaf + 1]);
  }
}

// The pull of a node's mass and second moments S on bodies at the distance r of its centre of mass, with ρ² = r² + ε²
// and u = r/ρ:
//   a = (u·(M − (3/2)·tr S/ρ² + (15/2)·uSu/ρ²) − 3·Su/ρ²)/ρ²,  φ = (−M + ½·tr S/ρ² − (3/2)·uSu/ρ²)/ρ,
// the derivatives of −Σ m/ρ to second order in the distances from the centre. With u no power of a length beyond the
// second occurs, which would overflow in units where bodies are far apart.
static void attract_by_node(field_t* field, local const real4* node, reals x, reals y, reals z, gravity_t gravity) {
  const real4 centre = node[0];
  const reals dx = centre.x - x, dy = centre.y - y, dz = centre.z - z;
  const reals r2 = squared_distance(dx, dy, dz, gravity.softening2);
  const reals y1 = gravity.scaled ? inverse_or_zero(r2) : inverse(r2), y2 = y1 * y1;
  const reals ux = dx * y1, uy = dy * y1, uz = dz * y1;
#ifdef QUADRUPOLE
  const real4 a = node[1], b = node[2];  // b.z holds tr S
  const reals sx = multiply_add(a.x, ux, multiply_add(a.y, uy, a.z * uz)),
              sy = multiply_add(a.y, ux, multiply_add(a.w, uy, b.x * uz)),
              sz = multiply_add(a.z, ux, multiply_add(b.x, uy, b.y * uz));
  const reals usu = multiply_add(ux, sx, multiply_add(uy, sy, uz * sz));
  const reals inner = multiply_add((reals)7.5, usu, (reals)((real)-1.5 * b.z));
  const reals strength = multiply_add(y2, inner, (reals)centre.w), cross = (reals)-3 * y2;
  field->x = multiply_add(y2, multiply_add(strength, ux, cross * sx), field->x);
  field->y = multiply_add(y2, multiply_add(strength, uy, cross * sy), field->y);
  field->z = multiply_add(y2, multiply_add(strength, uz, cross * sz), field->z);
  if (!gravity.potential) return;
  const reals depth = y1 * multiply_add(y2, multiply_add((reals)1.5, usu, (reals)((real)-0.5 * b.z)), (reals)centre.w);
#else
  add_pull(field, ux, uy, uz, centre.w * y2);
  if (!gravity.potential) return;
  const reals depth = centre.w * y1;
#endif
  field->potential -= r2 > (reals)gravity.least ? depth : (reals)0;
}

// The squared distance of a point from the nearest target. The distance from a box would be too small: targets far out
// in a halo surround the middle of the cluster.
static real distance2_to_targets(local const real (*targets)[GROUP], real4 at) {
  reals least = (reals)INFINITY;
  for (uint k = 0; k < GROUP; k += LANES) {
    const reals dx = reals_from(targets[0] + k) - at.x, dy = reals_from(targets[1] + k) - at.y,
                dz = reals_from(targets[2] + k) - at.z;
    least = fmin(least, multiply_add(dx, dx, multiply_add(dy, dy, dz * dz)));
  }
  real least_of_all = lane_of(least, 0);
#pragma unroll
  for (uint k = 1; k < LANES; ++k) least_of_all = fmin(least_of_all, lane_of(least, k));
  return least_of_all;
}

static uint bits_below(uint mask, uint k) { return popcount(mask & ((1u << k) - 1)); }

// The local memory that the items of a work-group share.
typedef struct {
  real4 tile[TILE];        // nodes that pull, and afterwards bodies
  real targets[3][GROUP];  // coordinates
  uint stack[STACK];       // a level and a number of a node each
  uint opened[ROUND];      // leaves
  uint first_of[LEVELS];   // the first node of each level
  uint masks[2][2];        // of a round and the next: nodes that pull by their moments, and leaves that are opened
} walk_t;

typedef struct {
  global const real4 *sorted, *nodes, *boxes;
  global const uint2* levels;
  uint top;
  global const real2* factors;
  real guard;
  global const uint* order;
  uint bodies;
} tree_t;

// The output `fields`: a row of `bodies`, in their own order or in that of the curve.
typedef struct {
  gravity_t gravity;
  uint in_own_order;
  global real4* fields;
} wanted_t;

// Returns the interactions of each target; without `wanted`, computes nothing else.
ALWAYS_INLINE uint walk_group(const tree_t* tree, uint group, const wanted_t* wanted, local walk_t* shared) {
  const uint item = get_local_id(0);
  const bool counted = wanted == 0;
  reals x, y, z, mass;
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const real4 body = tree->sorted[(size_t)group * GROUP + k * WORK_GROUP + item];
    lane_of(x, k) = body.x;
    lane_of(y, k) = body.y;
    lane_of(z, k) = body.z;
    lane_of(mass, k) = body.w;
    shared->targets[0][k * WORK_GROUP + item] = body.x;
    shared->targets[1][k * WORK_GROUP + item] = body.y;
    shared->targets[2][k * WORK_GROUP + item] = body.z;
  }
  real4 low, high;
  group_box(tree->boxes, group, &low, &high);
  const real2 factor = tree->factors[group];
  field_t field;
  clear(&field);
  for (uint level = item; level <= tree->top; level += WORK_GROUP) shared->first_of[level] = tree->levels[level].x;
  if (item == 0) {
    shared->stack[0] = tree->top << LEVEL_SHIFT;
    shared->masks[0][0] = shared->masks[0][1] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint size = 1, interactions = 0;
  for (uint round = 0; size > 0; ++round) {
    local uint* mask = shared->masks[round & 1];
    local uint* next_mask = shared->masks[1 - (round & 1)];
    const uint taken = min(size, (uint)ROUND), from = size - taken;
    uint places[EACH];
    if (item == 0) next_mask[0] = next_mask[1] = 0;
#pragma unroll
    for (uint e = 0; e < EACH; ++e) {
      const uint k = e * WORK_GROUP + item;
      if (k >= taken) continue;
      const uint place = shared->stack[from + k], level = place >> LEVEL_SHIFT;
      places[e] = place;
      const uint node = shared->first_of[level] + (place & NUMBER_MASK);
      const real4 centre = tree->nodes[NODE_ROWS * node], extent = tree->nodes[NODE_ROWS * node + 2];
      const real least2 = fmax(tree->guard * extent.z, fmax(factor.x * extent.w, factor.y * depth_reach_of(extent.w)));
      // Infinite moments cannot be used.
      const bool far = least2 < (real)INFINITY && (distance2_to_box(low, high, centre) >= least2 ||
                                                   distance2_to_targets(shared->targets, centre) >= least2);
      if (far)
        atomic_or(&mask[0], 1u << k);
      else if (level == 0)
        atomic_or(&mask[1], 1u << k);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint far = mask[0], leaves = mask[1];
    const uint inner = ~(far | leaves) & (taken < 32 ? (1u << taken) - 1 : 0xffffffffu);
#pragma unroll
    for (uint e = 0; e < EACH; ++e) {
      const uint k = e * WORK_GROUP + item;
      if (k >= taken) continue;
      const uint level = places[e] >> LEVEL_SHIFT, number = places[e] & NUMBER_MASK;
      if (far >> k & 1) {
        if (counted) continue;
        const uint node = NODE_ROWS * (shared->first_of[level] + number), at = NODE_ROWS * bits_below(far, k);
        const real4 a = tree->nodes[node + 1];
        real4 b = tree->nodes[node + 2];
        b.z = a.x + a.w + b.y;
        shared->tile[at] = tree->nodes[node];
        shared->tile[at + 1] = a;
        shared->tile[at + 2] = b;
      } else if (leaves >> k & 1) {
        shared->opened[bits_below(leaves, k)] = number;
      } else {
        const uint at = from + BRANCH * bits_below(inner, k);
        for (uint child = 0; child < BRANCH; ++child)
          shared->stack[at + child] = (level - 1) << LEVEL_SHIFT | (number * BRANCH + child);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    size = from + BRANCH * popcount(inner);
    const uint far_count = popcount(far), leaf_count = popcount(leaves);
    interactions += far_count + LEAF * leaf_count;
    if (counted) continue;
    for (uint k = 0; k < far_count; ++k)
      attract_by_node(&field, shared->tile + NODE_ROWS * k, x, y, z, wanted->gravity);
    for (uint first = 0; first < leaf_count; first += LEAVES_AT_ONCE) {
      const uint count = min(leaf_count - first, (uint)LEAVES_AT_ONCE) * LEAF;
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint k = item; k < count; k += WORK_GROUP)
        shared->tile[k] = tree->sorted[(size_t)shared->opened[first + k / LEAF] * LEAF + k % LEAF];
      barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
      for (uint k = 0; k < count; ++k)
        attract(&field, shared->tile[k], x, y, z, wanted->gravity);
    }
  }
  if (counted) return interactions;
  const reals potential = potential_of(&field, mass, wanted->gravity);
#pragma unroll
  for (uint k = 0; k < LANES; ++k) {
    const uint i = group * GROUP + k * WORK_GROUP + item;
    if (i < tree->bodies)
      wanted->fields[wanted->in_own_order ? tree->order[i] : i] = (real4)(lane_of(field.x, k), lane_of(field.y, k), lane_of(field.z, k), lane_of(potential, k));
  }
  return interactions;
}

// The groups from `first` on. `guard`: times radius² is the least squared distance at which a node pulls by its moments.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void walk(
    global const real4* sorted, global const real4* nodes, global const real4* boxes, global const uint2* levels,
    uint top, global const real2* factors, real guard, global const uint* order, uint bodies, uint first, uint in_own_order,
    real softening2, real least, global real4* fields) {
  local walk_t shared;
  const tree_t tree = {sorted, nodes, boxes, levels, top, factors, guard, order, bodies};
  const wanted_t wanted = {{softening2, least, false, false}, in_own_order, fields};
  walk_group(&tree, first + get_group_id(0), &wanted, &shared);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void walk_with_potential(
    global const real4* sorted, global const real4* nodes, global const real4* boxes, global const uint2* levels,
    uint top, global const real2* factors, real guard, global const uint* order, uint bodies, uint first, uint in_own_order,
    real softening2, real least, global real4* fields) {
  local walk_t shared;
  const tree_t tree = {sorted, nodes, boxes, levels, top, factors, guard, order, bodies};
  const wanted_t wanted = {{softening2, least, true, false}, in_own_order, fields};
  walk_group(&tree, first + get_group_id(0), &wanted, &shared);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void walk_scaled(
    global const real4* sorted, global const real4* nodes, global const real4* boxes, global const uint2* levels,
    uint top, global const real2* factors, real guard, global const uint* order, uint bodies, uint first,
    uint in_own_order, real softening2, real least, global real4* fields) {
  local walk_t shared;
  const tree_t tree = {sorted, nodes, boxes, levels, top, factors, guard, order, bodies};
  const wanted_t wanted = {{softening2, least, false, true}, in_own_order, fields};
  walk_group(&tree, first + get_group_id(0), &wanted, &shared);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void walk_scaled_with_potential(
    global const real4* sorted, global const real4* nodes, global const real4* boxes, global const uint2* levels,
    uint top, global const real2* factors, real guard, global const uint* order, uint bodies, uint first,
    uint in_own_order, real softening2, real least, global real4* fields) {
  local walk_t shared;
  const tree_t tree = {sorted, nodes, boxes, levels, top, factors, guard, order, bodies};
  const wanted_t wanted = {{softening2, least, true, true}, in_own_order, fields};
  walk_group(&tree, first + get_group_id(0), &wanted, &shared);
}

// Counts the interactions of `walk` with nodes and with single bodies for each body of these groups, in the bodies' own
// order. Does nothing without bodies.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void count_interactions(
    global const real4* sorted, global const real4* nodes, global const real4* boxes, global const uint2* levels,
    uint top, global const real2* factors, real guard, global const uint* order, uint bodies, uint first,
    global float* counts) {
  local walk_t shared;
  if (bodies == 0) return;
  const uint group = first + get_group_id(0);
  const tree_t tree = {sorted, nodes, boxes, levels, top, factors, guard, order, bodies};
  const uint count = walk_group(&tree, group, 0, &shared);
  for (uint k = get_local_id(0); k < GROUP; k += WORK_GROUP)
    if (group * GROUP + k < bodies) counts[order[group * GROUP + k]] = count;
}

#ifdef INDIVIDUAL
#include "nbody_blocks.clh"

// Walks for the groups of `list` from `first` on, limited to its length.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void walk_listed(
    global const real4* sorted, global const real4* nodes, global const real4* boxes, global const uint2* levels,
    uint top, global const real2* factors, real guard, global const uint* order, uint bodies, uint first,
    global const uint* list, global const block_clock_t* clock, uint in_own_order, real softening2, real least,
    global real4* fields) {
  local walk_t shared;
  const uint place = first + get_group_id(0);
  if (place >= clock->groups) return;
  const tree_t tree = {sorted, nodes, boxes, levels, top, factors, guard, order, bodies};
  const wanted_t wanted = {{softening2, least, false, false}, in_own_order, fields};
  walk_group(&tree, list[place], &wanted, &shared);
}

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void walk_listed_scaled(
    global const real4* sorted, global const real4* nodes, global const real4* boxes, global const uint2* levels,
    uint top, global const real2* factors, real guard, global const uint* order, uint bodies, uint first,
    global const uint* list, global const block_clock_t* clock, uint in_own_order, real softening2, real least,
    global real4* fields) {
  local walk_t shared;
  const uint place = first + get_group_id(0);
  if (place >= clock->groups) return;
  const tree_t tree = {sorted, nodes, boxes, levels, top, factors, guard, order, bodies};
  const wanted_t wanted = {{softening2, least, true, true}, in_own_order, fields};
  walk_group(&tree, list[place], &wanted, &shared);
}
#endif
