// Builds the tree of the bodies (nbody_tree.clh): their box, their keys along Hilbert's curve, their copy in its order,
// and the nodes, level by level.
#include "nbody_tree.clh"
#define HILBERT_WORD ulong
#include "hilbert.clh"
#include "ordered_float.clh"
#include "share.clh"

#define CURVE_BITS 57    // bits of a coordinate
#define MARKS 63
#define KEY_DIGITS 17    // bits of a distance along the curve, in a key
#define FAR_SPREADS 16384  // distance from most bodies, in extents of these
#define MOST_OUTER_BITS 30

// The curve runs through a cube of cells, whose edge is 2^outer_bits times that of an inner cube. The inner cube begins at
// the corner and holds all bodies, or most of them where some are far away. On each axis a third of the cells come before
// it, so that no plane between large cells is near.
typedef struct {
  float corner[3];
  int outer_bits, scale;
  long ratio;  // a cell is 2^(64 − scale) / ratio long
} frame_t;

// A distance along the curve: see find_hilbert_digits.
typedef struct {
  ulong digits[3];
} place_t;

// Marks are the places of some bodies, in the order of the curve; most of them are where most bodies are.
typedef struct {
  place_t marks[MARKS];
  frame_t frame;
} curve_t;

static bool is_finite(real4 p) { return isfinite(p.x + p.y + p.z); }

// `bounds`: the smallest x, y, z, −x, −y, −z of all finite bodies; initially INT_MAX.
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
    if (!is_finite(p)) continue;
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

static long fixed_point(float value, int scale) {
  const float most = (float)(1L << 61);
  return (long)fmax(fmin(ldexp(value, scale), most), -most);
}

// The difference of two floats is exactly the sum of two floats. Coordinates outside of the cube get its outermost cells.
static ulong cell_of(float at, float corner, const frame_t* frame) {
  const float difference = at - corner, part = difference - at, rest = (at - (difference - part)) - (corner + part);
  const long from_corner = fixed_point(difference, frame->scale) + fixed_point(rest, frame->scale);
  const long first = (1L << frame->outer_bits) / 3 << (CURVE_BITS - frame->outer_bits);
  return (ulong)clamp(first + mul_hi(from_corner, frame->ratio), 0L, (1L << CURVE_BITS) - 1);
}

static place_t place_of(real4 p, const frame_t* frame) {
  place_t place = {{cell_of(p.x, frame->corner[0], frame), cell_of(p.y, frame->corner[1], frame),
                    cell_of(p.z, frame->corner[2], frame)}};
  find_hilbert_digits(place.digits, CURVE_BITS);
  return place;
}

// The number of digits from the first one on in which they differ; 0 where they are the same.
static uint digits_apart(const place_t* a, const place_t* b) {
  ulong differ = 0;
  for (uint k = 0; k < 3; ++k) differ |= a->digits[k] ^ b->digits[k];
  return 64 - (uint)clz(differ);
}

static bool is_before(const place_t* a, const place_t* b) {
  const uint apart = digits_apart(a, b);
  if (apart == 0) return false;
  for (uint k = 0; k < 3; ++k) {
    const ulong bit = 1UL << (apart - 1);
    if ((a->digits[k] ^ b->digits[k]) & bit) return (b->digits[k] & bit) != 0;
  }
  return false;
}

// Most bodies are between `low` and `high`.
static frame_t frame_around(global const int* bounds, local const float low[3], local const float high[3]) {
  frame_t frame;
  float spread = 0, size = 0, outside = 0;
  for (uint k = 0; k < 3; ++k) spread = fmax(spread, high[k] - low[k]);
  const float far = spread > 0 ? FAR_SPREADS * spread : INFINITY;
  for (uint k = 0; k < 3; ++k) {
    const float least = from_ordered(bounds[k]), most = -from_ordered(bounds[3 + k]), extent = high[k] - low[k];
    frame.corner[k] = least < low[k] - far ? low[k] - extent : least;
    const float end = most > high[k] + far ? high[k] + extent : most;
    size = fmax(size, end - frame.corner[k]);
    outside = fmax(outside, fmax(frame.corner[k] - least, most - end));
  }
  size = clamp(size, FLT_MIN, FLT_MAX);
  const int exponent = ilogb(size) + 1, outer = ilogb(fmin(outside, FLT_MAX)) - exponent + 4;
  frame.outer_bits = outside > 0 ? clamp(outer, 2, MOST_OUTER_BITS) : 0;
  // The inner cube is a little less than 2^(CURVE_BITS − outer_bits) cells long.
  frame.scale = CURVE_BITS - frame.outer_bits + 3 - exponent;
  const ulong part = (ulong)ldexp(size, 24 - exponent), whole = 1UL << 61;
  frame.ratio = (long)((whole / part << 24) + (whole % part << 24) / part) - 1;
  return frame;
}

// Runs in one work-group.
kernel void find_marks(global const real4* positions, uint bodies, global const int* bounds, global curve_t* curve) {
  local float samples[3][MARKS], low[3], high[3];
  local place_t places[MARKS];
  const uint item = get_local_id(0), items = get_local_size(0);
  for (uint k = item; k < MARKS; k += items) {
    const real4 p = positions[(uint)((ulong)k * bodies / MARKS)];
    samples[0][k] = p.x;
    samples[1][k] = p.y;
    samples[2][k] = p.z;
  }
  for (uint k = item; k < 3; k += items) low[k] = high[k] = NAN;  // if few are finite
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = item; k < 3 * MARKS; k += items) {
    local const float* const axis = samples[k / MARKS];
    const uint own = k % MARKS;
    uint below = 0;
    for (uint i = 0; i < MARKS; ++i) below += axis[i] < axis[own] || (axis[i] == axis[own] && i < own);
    if (below == MARKS / 8) low[k / MARKS] = axis[own];
    if (below == MARKS - 1 - MARKS / 8) high[k / MARKS] = axis[own];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const frame_t frame = frame_around(bounds, low, high);
  for (uint k = item; k < MARKS; k += items) {
    const real4 p = (real4)(samples[0][k], samples[1][k], samples[2][k], 0);
    places[k] = place_of(is_finite(p) ? p : (real4)(0), &frame);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = item; k < MARKS; k += items) {
    const place_t own = places[k];
    uint before = 0;
    for (uint i = 0; i < MARKS; ++i) {
      const place_t other = places[i];
      before += is_before(&other, &own) || (i < k && !is_before(&own, &other));
    }
    curve->marks[before] = own;
  }
  if (item == 0) curve->frame = frame;
}

// Keys are in the order of the curve: the number of marks up to the body, its nearness to the nearer of the two marks
// around it, and the digits from the first one on that differs from that mark's. Many bodies that are near one another
// have marks among them, so that keys distinguish small cells there. A body that is not finite gets the last key.
kernel void find_keys(global const real4* positions, uint bodies, global const curve_t* curve, global ulong* keys,
                      global uint* numbers) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  numbers[i] = i;
  const frame_t frame = curve->frame;
  const bool finite = is_finite(positions[i]);
  place_t place = place_of(finite ? positions[i] : (real4)(0), &frame);
  uint marks = 0, from_last = 64, from_next = 64;
  for (uint step = (MARKS + 1) / 2; step > 0; step /= 2) {
    const place_t mark = curve->marks[marks + step - 1];
    const uint apart = digits_apart(&place, &mark);
    if (is_before(&place, &mark)) {
      from_next = apart;
    } else {
      from_last = apart;
      marks += step;
    }
  }
  const uint apart = min(from_last, from_next), nearness = from_last <= from_next ? from_last : 128 - from_next;
  for (uint k = 0; k < 3; ++k) place.digits[k] = apart > 0 ? place.digits[k] << (64 - apart) >> (64 - KEY_DIGITS) : 0;
  const ulong key = ((ulong)marks << 7 | nearness) << (3 * KEY_DIGITS) | hilbert_number(place.digits);
  keys[i] = finite ? key : ULONG_MAX;
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
  // The farthest corner of the box also limits the distance of any mass.
  const real cx = fmax(high.x - centre.x, centre.x - low.x), cy = fmax(high.y - centre.y, centre.y - low.y),
             cz = fmax(high.z - centre.z, centre.z - low.z);
  const real corner2 = multiply_add(cx, cx, multiply_add(cy, cy, cz * cz));
  store_node(nodes, boxes, first + number, centre, &s, fmin(radius * radius, corner2), low, high);
}

// Each group of targets (GROUP bodies on the curve) gets the factors by which a node's reach and depth_reach are
// multiplied, so that the error of its expansion is `error[0]` times the group's acceleration, and `depth_error` times
// its potential. Both are estimated at one of the bodies, from the masses of nodes that it sees under less than a right
// angle.
static void estimate_group(global const real4* sorted, global const real4* nodes, global const uint2* levels, uint top,
                           uint group, real softening2, global const float* error, real depth_error,
                           global real2* factors) {
  const uint root = levels[top].x;
  const real size2 = nodes[NODE_ROWS * root + 2].z, mass = nodes[NODE_ROWS * root].w;
  // A power of two that makes lengths moderate, so that cubes neither overflow nor vanish.
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
    // A node that fills up its level has no nodes below, and may be at the body's place.
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
  const real least = size2 > 0 ? (real)1e-3 * mass / size2 : 0;  // lower limit, where pulls cancel
  const real pull = fmax(sqrt(multiply_add(ax, ax, multiply_add(ay, ay, az * az))) * unit * unit, least);
  factors[group] = (real2)(pow(error[0] * pull, -REACH_POWER), pow(depth_error * (depth * unit), -DEPTH_POWER));
}

kernel void estimate_groups(global const real4* sorted, global const real4* nodes, global const uint2* levels, uint top,
                            uint groups, real softening2, global const float* error, real depth_error,
                            global real2* factors) {
  const uint group = get_global_id(0);
  if (group < groups) estimate_group(sorted, nodes, levels, top, group, softening2, error, depth_error, factors);
}

#ifdef INDIVIDUAL
#include "nbody_blocks.clh"

// The same for groups with bodies whose individual steps end.
kernel void estimate_listed(global const real4* sorted, global const real4* nodes, global const uint2* levels, uint top,
                            global const uint* list, global const block_clock_t* clock, real softening2,
                            global const float* error, real depth_error, global real2* factors) {
  const uint place = get_global_id(0);
  if (place < clock->groups)
    estimate_group(sorted, nodes, levels, top, list[place], softening2, error, depth_error, factors);
}

// Lists the groups [first, groups_end) with a body whose step ends, in any order.
kernel void list_groups(global const uchar* steps, global const uint* order, uint bodies, uint first, uint groups_end,
                        global uint* list, uint parity, global block_clock_t* clock) {
  const uint group = first + get_global_id(0), end = clock->moments[1 - parity];
  if (clock->moments[parity] == end || group >= groups_end) return;
  bool ends = false;
  for (uint k = group * GROUP; k < min(bodies, (group + 1) * GROUP) && !ends; ++k) ends = ends_at(steps[order[k]], end);
  if (ends) list[atomic_inc(&clock->groups)] = group;
}
#endif

// Copies the field from the order of the curve into that of the bodies.
kernel void put_field(global const real4* on_curve, global const uint* order, uint bodies, global real4* fields) {
  const uint i = get_global_id(0);
  if (i < bodies) fields[order[i]] = on_curve[i];
}

static float longest_edge(global const real4* boxes, uint node) {
  const real4 edges = boxes[2 * node + 1] - boxes[2 * node];
  return fmax(edges.x, fmax(edges.y, edges.z));
}

// The ratio of the lengths of the box of all bodies and that of a body's leaf: 2^k where the leaf is as large as the
// cells of the k-th level of an octree. A number for each body in their own order.
kernel void measure_leaves(global const real4* boxes, uint root, global const uint* order, uint bodies,
                           global float* ratios) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const float edge = longest_edge(boxes, i / LEAF), all = longest_edge(boxes, root);
  const float most = 1u << 21;  // limit, for bodies at one place
  ratios[order[i]] = all > 0 ? (edge > 0 ? fmin(all / edge, most) : most) : 1;
}
