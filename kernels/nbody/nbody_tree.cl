// Builds the tree of the bodies (nbody_tree.clh): their box, their keys along Hilbert's curve, their copy in its order,
// and the nodes, level by level.
#include "nbody_tree.clh"
#include "hilbert.clh"
#include "ordered_float.clh"
#include "share.clh"

#define AXIS_BITS 21  // of a key's coordinates
#define SAMPLES 63
#define MOST_SPREADS 16384

// `bounds`: the smallest x, y, z, −x, −y, −z of all finite bodies; INT_MAX before.
kernel void find_bounds(global const real4* positions, uint bodies, global int* bounds) {
  local int least[6];
  if (get_local_id(0) == 0)
    for (uint k = 0; k < 6; ++k) least[k] = INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  int own[6] = {INT_MAX, INT_MAX, INT_MAX, INT_MAX, INT_MAX, INT_MAX};
  const share_t share = own_share(bodies);
  for (uint i = share.first; i < share.end; i += share.stride) {
    const real4 p = positions[i];
    const float at[3] = {p.x, p.y, p.z};
    if (!isfinite(p.x + p.y + p.z)) continue;
    for (uint k = 0; k < 3; ++k) {
      own[k] = min(own[k], ordered(at[k]));
      own[3 + k] = min(own[3 + k], ordered(-at[k]));
    }
  }
  for (uint k = 0; k < 6; ++k) atomic_min(&least[k], own[k]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    for (uint k = 0; k < 6; ++k) atomic_min(&bounds[k], least[k]);
}

// In each work-group. A few bodies far away would leave so few cells to all others that their order would be chance: the
// box ends MOST_SPREADS times the extent of most bodies away from them, and what lies outside is of its outermost cells.
kernel void leave_out_far_bodies(global const real4* positions, uint bodies, global int* bounds) {
  local float samples[3][SAMPLES], low[3], high[3];
  for (uint k = get_local_id(0); k < SAMPLES; k += get_local_size(0)) {
    const real4 p = positions[(uint)((ulong)k * bodies / SAMPLES)];
    samples[0][k] = p.x;
    samples[1][k] = p.y;
    samples[2][k] = p.z;
  }
  for (uint k = get_local_id(0); k < 3; k += get_local_size(0)) low[k] = high[k] = NAN;  // where few are finite
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = get_local_id(0); k < 3 * SAMPLES; k += get_local_size(0)) {
    local const float* const axis = samples[k / SAMPLES];
    const uint own = k % SAMPLES;
    uint below = 0;
    for (uint i = 0; i < SAMPLES; ++i) below += axis[i] < axis[own] || (axis[i] == axis[own] && i < own);
    if (below == SAMPLES / 8) low[k / SAMPLES] = axis[own];
    if (below == SAMPLES - 1 - SAMPLES / 8) high[k / SAMPLES] = axis[own];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) > 0) return;
  float spread = 0;
  for (uint k = 0; k < 3; ++k) spread = fmax(spread, high[k] - low[k]);
  if (!(spread > 0)) return;
  for (uint k = 0; k < 3; ++k) {
    bounds[k] = max(bounds[k], ordered(low[k] - MOST_SPREADS * spread));
    bounds[3 + k] = max(bounds[3 + k], ordered(-(high[k] + MOST_SPREADS * spread)));
  }
}

// Cells are cubes. A body that is not finite gets the last key.
kernel void find_keys(global const real4* positions, uint bodies, global const int* bounds, global ulong* keys,
                      global uint* numbers) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 p = positions[i];
  const float at[3] = {p.x, p.y, p.z};
  float low[3], size = 0;
  for (uint k = 0; k < 3; ++k) {
    low[k] = from_ordered(bounds[k]);
    size = fmax(size, -from_ordered(bounds[3 + k]) - low[k]);
  }
  uint cell[3];
  const float cells = 1u << AXIS_BITS;
  for (uint k = 0; k < 3; ++k)
    cell[k] = size > 0 ? (uint)clamp((at[k] - low[k]) / size * cells, 0.0f, cells - 1) : 0;
  find_hilbert_digits(cell, AXIS_BITS);
  keys[i] = isfinite(p.x + p.y + p.z) ? hilbert_number(cell) : ULONG_MAX;
  numbers[i] = i;
}

// Resets the bounds for the next time. `sorted` is filled up to `padded` bodies with copies of the last one without mass.
kernel void take_bodies(global const real4* positions, uint bodies, uint padded, global const uint* order,
                        global real4* sorted, global int* bounds) {
  const uint i = get_global_id(0);
  if (i >= padded) return;
  if (i < 6) bounds[i] = INT_MAX;
  real4 body = positions[order[min(i, bodies - 1)]];
  if (i >= bodies) body.w = 0;
  sorted[i] = body;
}

typedef struct {
  real xx, xy, xz, yy, yz, zz;
} moment_t;

static void add_moment(moment_t* s, real mass, real dx, real dy, real dz) {
  s->xx = multiply_add(mass * dx, dx, s->xx);
  s->xy = multiply_add(mass * dx, dy, s->xy);
  s->xz = multiply_add(mass * dx, dz, s->xz);
  s->yy = multiply_add(mass * dy, dy, s->yy);
  s->yz = multiply_add(mass * dy, dz, s->yz);
  s->zz = multiply_add(mass * dz, dz, s->zz);
}

static void store_node(global real4* nodes, global real4* boxes, uint node, real4 centre, const moment_t* s,
                       real radius2, real4 low, real4 high) {
  nodes[NODE_ROWS * node] = centre;
  nodes[NODE_ROWS * node + 1] = (real4)(s->xx, s->xy, s->xz, s->yy);
  nodes[NODE_ROWS * node + 2] = (real4)(s->yz, s->zz, radius2, reach_of(centre.w, s->xx + s->yy + s->zz));
  boxes[2 * node] = low;
  boxes[2 * node + 1] = high;
}

// The centre lies where `moved`, the sum of mass times the distance from `origin`, points; in the middle of the box where
// nothing has mass.
static real4 centre_of(real4 origin, real mass, real mx, real my, real mz, real4 low, real4 high) {
  if (!(mass > 0)) return (real4)((real)0.5 * (low.xyz + high.xyz), 0);
  return (real4)(origin.x + mx / mass, origin.y + my / mass, origin.z + mz / mass, mass);
}

kernel void make_leaves(global const real4* sorted, uint leaves, global real4* nodes, global real4* boxes) {
  const uint leaf = get_global_id(0);
  if (leaf >= leaves) return;
  global const real4* own = sorted + (size_t)leaf * LEAF;
  const real4 origin = own[0];
  real4 low = origin, high = origin;
  real mass = 0, mx = 0, my = 0, mz = 0;
  for (uint k = 0; k < LEAF; ++k) {
    const real4 body = own[k];
    low = fmin(low, body);
    high = fmax(high, body);
    mass += body.w;
    mx = multiply_add(body.w, body.x - origin.x, mx);
    my = multiply_add(body.w, body.y - origin.y, my);
    mz = multiply_add(body.w, body.z - origin.z, mz);
  }
  const real4 centre = centre_of(origin, mass, mx, my, mz, low, high);
  moment_t s = {0, 0, 0, 0, 0, 0};
  real radius2 = 0;
  for (uint k = 0; k < LEAF; ++k) {
    const real4 body = own[k];
    const real dx = body.x - centre.x, dy = body.y - centre.y, dz = body.z - centre.z;
    add_moment(&s, body.w, dx, dy, dz);
    if (body.w > 0) radius2 = fmax(radius2, multiply_add(dx, dx, multiply_add(dy, dy, dz * dz)));
  }
  store_node(nodes, boxes, leaf, centre, &s, radius2, low, high);
}

// The `count` nodes of a level, stored from `first` on, from those of the level below; the last ones may have none.
kernel void join_nodes(global real4* nodes, global real4* boxes, uint first_below, uint count_below, uint first,
                       uint count) {
  const uint number = get_global_id(0);
  if (number >= count) return;
  const uint begin = first_below + min(number * BRANCH, count_below - 1);
  const uint end = first_below + min((number + 1) * BRANCH, number * BRANCH < count_below ? count_below : 0u);
  const real4 origin = nodes[NODE_ROWS * begin];
  real4 low = boxes[2 * begin], high = boxes[2 * begin + 1];
  real mass = 0, mx = 0, my = 0, mz = 0;
  for (uint child = begin; child < end; ++child) {
    const real4 centre = nodes[NODE_ROWS * child];
    low = fmin(low, boxes[2 * child]);
    high = fmax(high, boxes[2 * child + 1]);
    mass += centre.w;
    mx = multiply_add(centre.w, centre.x - origin.x, mx);
    my = multiply_add(centre.w, centre.y - origin.y, my);
    mz = multiply_add(centre.w, centre.z - origin.z, mz);
  }
  const real4 centre = centre_of(origin, mass, mx, my, mz, low, high);
  moment_t s = {0, 0, 0, 0, 0, 0};
  real radius = 0;
  for (uint child = begin; child < end; ++child) {
    const real4 at = nodes[NODE_ROWS * child], a = nodes[NODE_ROWS * child + 1], b = nodes[NODE_ROWS * child + 2];
    const real dx = at.x - centre.x, dy = at.y - centre.y, dz = at.z - centre.z;
    add_moment(&s, at.w, dx, dy, dz);
    s.xx += a.x;
    s.xy += a.y;
    s.xz += a.z;
    s.yy += a.w;
    s.yz += b.x;
    s.zz += b.y;
    if (at.w > 0) radius = fmax(radius, sqrt(multiply_add(dx, dx, multiply_add(dy, dy, dz * dz))) + sqrt(b.z));
  }
  // No mass lies farther off than the box's farthest corner, either.
  const real cx = fmax(high.x - centre.x, centre.x - low.x), cy = fmax(high.y - centre.y, centre.y - low.y),
             cz = fmax(high.z - centre.z, centre.z - low.z);
  const real corner2 = multiply_add(cx, cx, multiply_add(cy, cy, cz * cz));
  store_node(nodes, boxes, first + number, centre, &s, fmin(radius * radius, corner2), low, high);
}

// Each group of targets (GROUP bodies on the curve) gets the factors by which a node's reach and depth_reach are
// multiplied, so that the error of its expansion is `error[0]` times the group's acceleration, and `depth_error` times its
// potential. Those are estimated where one of the bodies is, from the masses of nodes that are seen under less than a right
// angle.
kernel void estimate_groups(global const real4* sorted, global const real4* nodes, global const uint2* levels, uint top,
                            uint groups, real softening2, global const float* error, real depth_error,
                            global real2* factors) {
  const uint group = get_global_id(0);
  if (group >= groups) return;
  const uint root = levels[top].x;
  const real size2 = nodes[NODE_ROWS * root + 2].z, mass = nodes[NODE_ROWS * root].w;
  // A power of two that makes lengths moderate: cubes of others would exceed all numbers, or vanish.
  const real unit = ldexp((real)1, -ilogb(fmin(fmax(size2, (real)FLT_MIN), (real)FLT_MAX)) / 4);
  const real soft2 = softening2 * unit * unit;
  const real4 body = sorted[(size_t)group * GROUP + GROUP / 2];
  const real x = body.x, y = body.y, z = body.z;
  real ax = 0, ay = 0, az = 0, depth = 0;
  uint level = top, number = 0;
  for (bool going = true; going;) {
    const uint node = levels[level].x + number;
    const real4 centre = nodes[NODE_ROWS * node];
    const real radius2 = nodes[NODE_ROWS * node + 2].z * unit * unit;
    const real dx = (centre.x - x) * unit, dy = (centre.y - y) * unit, dz = (centre.z - z) * unit;
    const real d2 = multiply_add(dx, dx, multiply_add(dy, dy, dz * dz));
    // A node that fills its level up has no nodes below, and may be where the body is.
    if (level == 0 || (radius2 < (real)INFINITY && d2 >= (real)1.5 * radius2)) {
      const real r2 = fmin(fmax(d2 + soft2, radius2), (real)FLT_MAX);
      const real pull = r2 > 0 ? centre.w / (r2 * sqrt(r2)) : 0;
      depth = multiply_add(pull, r2, depth);
      ax = multiply_add(pull, dx, ax);
      ay = multiply_add(pull, dy, ay);
      az = multiply_add(pull, dz, az);
      // The next node in the order of the tree that is not below this one.
      for (;;) {
        if (level == top) {
          going = false;
          break;
        }
        if (++number % BRANCH != 0) break;
        number = number / BRANCH - 1;
        ++level;
      }
    } else {
      --level;
      number *= BRANCH;
    }
  }
  const real least = size2 > 0 ? (real)1e-3 * mass / size2 : 0;  // where pulls cancel
  const real pull = fmax(sqrt(multiply_add(ax, ax, multiply_add(ay, ay, az * az))) * unit * unit, least);
  factors[group] = (real2)(pow(error[0] * pull, -REACH_POWER), pow(depth_error * (depth * unit), -DEPTH_POWER));
}

// The field from the order of the curve into that of the bodies.
kernel void put_field(global const real4* on_curve, global const uint* order, uint bodies, global real4* fields) {
  const uint i = get_global_id(0);
  if (i < bodies) fields[order[i]] = on_curve[i];
}

static float longest_edge(global const real4* boxes, uint node) {
  const real4 edges = boxes[2 * node + 1] - boxes[2 * node];
  return fmax(edges.x, fmax(edges.y, edges.z));
}

// How many times longer the box of all bodies is than that of a body's leaf: 2^k where the leaf is as large as the cells
// of the k-th level of an octree. A number for each body in their own order.
kernel void measure_leaves(global const real4* boxes, uint root, global const uint* order, uint bodies,
                           global float* ratios) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const float edge = longest_edge(boxes, i / LEAF), all = longest_edge(boxes, root);
  const float most = 1u << AXIS_BITS;  // of bodies in one place
  ratios[order[i]] = all > 0 ? (edge > 0 ? fmin(all / edge, most) : most) : 1;
}
