// Direct iteration of z -> z^2 + c, z0 = 0, in rounds.
//
// A round advances the undecided pixels by the same number of steps. begin_pixels starts the pixels of a pass at
// n = 0; continue_pixels takes up from a list those that a round left undecided. Both append what is still undecided
// to another list and keep its z, so that the next round, or a higher limit, goes on from there.
//
// Definitions: UNROLL, the steps from one escape test to the next; INTERIOR_TESTS=0 iterates every pixel to the limit.
#include "mandelbrot.clh"

// The picture's place in the plane, and which rows of it are computed here. The program mirrors this struct.
typedef struct {
  real center_re, center_re_low;  // the centre as a sum, where one number is too short for it
  real center_im, center_im_low;
  real span_re, span_im;
  real columns, rows;     // of the whole picture
  real shift_x, shift_y;  // of the sample in its pixel; 1/2 is the middle
  uint first_row;
  uint width, height;  // of the part computed here
  uint unused;
} Plane;

// What a launch does. The program mirrors this struct.
typedef struct {
  real radius2, inverse_ln_radius;
  uint first, count;  // its part of the pass, or of the list
  uint start, steps;  // n before the round, and how far to go
  uint from, to;      // the lists that pixels are taken from and kept in
  uint last;          // the round ends at the limit: what is undecided then counts as interior
  uint stride;        // of the pass, in pixels
  uint refines;       // the pass leaves out the pixels of the pass of twice its stride
  uint late;          // escapes with a larger n are counted
} Round;

// The buffers that a picture lives in.
typedef struct {
  global uint* cells;   // a result for each pixel, two numbers
  global real* orbits;  // z of the pixels that are undecided, two numbers each
  global uint* kept;     // the list that pixels are kept in
  volatile global uint* counters;
} Store;

typedef struct {
  reals x, y;    // z
  reals cx, cy;  // c
  masks active;  // neither escaped nor proved to be interior
  masks proved;
  masks steps;  // taken in this round, up to the escape
} Orbits;

// The pixels of a work-item. Those that are not `valid` lie outside the picture or the launch.
typedef struct {
  uint index[LANES];
  mask valid[LANES];
} Pixels;

// Sums over a work-item, or over a work-group.
typedef struct {
  uint kept, decided, escaped, late, iterations;
} Sums;

// ---- the orbit

inline void step(reals* x, reals* y, reals cx, reals cy) {
#ifdef FAST_FMA
  const reals next = multiply_add(*x, *x, multiply_add(-*y, *y, cx));
#else
  const reals next = *x * *x - *y * *y + cx;  // rounded as the plain loop anywhere else
#endif
  *y = multiply_add(*x + *x, *y, cy);
  *x = next;
}

// True for infinities and NaNs as well: an orbit that left R long ago overflows before it is tested.
inline masks outside(reals x, reals y, real radius2) { return NOT(x * x + y * y <= (reals)(radius2)); }

// Single steps from (x, y), the orbits after `taken` steps: each of `pending` stops at its escape.
inline void step_singly(Orbits* orbits, reals x, reals y, masks pending, uint taken, uint steps, real radius2) {
  for (uint i = 1; i <= steps && ANY(pending); ++i) {
    step(&x, &y, orbits->cx, orbits->cy);
    const masks out = pending & outside(x, y, radius2);
    orbits->x = pending ? x : orbits->x;
    orbits->y = pending ? y : orbits->y;
    orbits->steps = out ? (masks)(taken + i) : orbits->steps;
    orbits->active &= NOT(out);
    pending &= NOT(out);
  }
}

// Once |z| > R >= 2 and |z| >= |c|, |z| only grows: a test after UNROLL steps misses no escape. Those steps are then
// repeated one at a time, to find the first n.
inline void advance(Orbits* orbits, uint steps, real radius2) {
  const reals x0 = orbits->x, y0 = orbits->y;
  reals x = x0, y = y0;
  uint taken = 0;
  orbits->steps = orbits->active ? (masks)(steps) : (masks)(0);
  for (; steps - taken >= UNROLL && ANY(orbits->active); taken += UNROLL) {
    const reals x_before = x, y_before = y;
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) step(&x, &y, orbits->cx, orbits->cy);
    const masks out = orbits->active & outside(x, y, radius2);
    if (ANY(out)) step_singly(orbits, x_before, y_before, out, taken, UNROLL, radius2);
#if INTERIOR_TESTS
    // Brent's search for cycles: rounds double in length, and a z that returns to exactly where it was never leaves.
    const masks back = orbits->active & (x == x0) & (y == y0);
    orbits->proved |= back;
    orbits->active &= NOT(back);
#endif
  }
  orbits->x = orbits->active ? x : orbits->x;
  orbits->y = orbits->active ? y : orbits->y;
  step_singly(orbits, x, y, orbits->active, taken, steps - taken, radius2);
}

// f = 1 - log2(ln|z| / ln R), without squaring |z|.
inline reals fraction(reals x, reals y, real inverse_ln_radius) {
  const reals a = fmax(fabs(x), fabs(y));
  const reals b = fmin(fabs(x), fabs(y)) / a;
  return (real)1 - log2((log(a) + (real)0.5 * log1p(b * b)) * inverse_ln_radius);
}

// ---- the picture

// The cardioid of period 1 and the disc of period 2.
inline masks in_main_bodies(reals cx, reals cy) {
  const reals x = cx - (real)0.25;
  const reals y2 = cy * cy;
  const reals q = x * x + y2;
  const reals left = cx + (real)1;
  return (q * (q + x) <= (real)0.25 * y2) | (left * left + y2 <= (real)0.0625);
}

// c of each pixel; the orbits of the valid ones are active, at z = 0.
inline Orbits orbits_at_zero(const Pixels* pixels, const Plane* plane) {
  const uints index = uints_from(pixels->index);
  const uints row = index / plane->width;
  const reals i = reals_of(index - row * plane->width) + plane->shift_x;
  const reals j = reals_of(row + plane->first_row) + plane->shift_y;
  Orbits orbits;
  orbits.cx = plane->center_re + (plane->center_re_low + plane->span_re * (i / plane->columns - (real)0.5));
  orbits.cy = plane->center_im + (plane->center_im_low + plane->span_im * ((real)0.5 - j / plane->rows));
  orbits.x = (reals)(0);
  orbits.y = (reals)(0);
  orbits.active = masks_from(pixels->valid);
  orbits.proved = (masks)(0);
  orbits.steps = (masks)(0);
  return orbits;
}

// The k-th pixel of a pass. Of each square of twice the stride a refining pass has three: right, below and diagonal.
inline uint pixel_of_pass(uint k, const Plane* plane, const Round* round, mask* valid) {
  const uint square = round->stride << round->refines;
  const uint across = (plane->width + square - 1) / square;
  const uint squares = across * ((plane->height + square - 1) / square);
  const uint turn = k / squares;
  const uint corner = round->refines != 0 ? turn + 1 : 0;
  const uint row = (k - turn * squares) / across;
  const uint i = (k - turn * squares - row * across) * square + (corner & 1) * round->stride;
  const uint j = row * square + (corner >> 1) * round->stride;
  const bool inside = i < plane->width && j < plane->height;
  if (!inside) *valid = 0;
  return inside ? j * plane->width + i : 0;
}

// Writes what a work-item knows now; its undecided lanes stay marked in `undecided`.
inline Sums write_results(const Orbits* orbits, const Pixels* pixels, const Round* round, const Store* store,
                          mask* undecided) {
  real x[LANES], y[LANES], f[LANES];
  mask steps[LANES], proved[LANES];
  reals_to(orbits->x, x);
  reals_to(orbits->y, y);
  reals_to(fraction(orbits->x, orbits->y, round->inverse_ln_radius), f);
  masks_to(orbits->steps, steps);
  masks_to(orbits->proved, proved);
  masks_to(orbits->active, undecided);
  Sums sums = {0, 0, 0, 0, 0};
  for (int lane = 0; lane < LANES; ++lane) {
    if (!pixels->valid[lane]) continue;
    const uint pixel = pixels->index[lane];
    sums.iterations += (uint)steps[lane];
    if (undecided[lane]) {
      vstore2((real2)(x[lane], y[lane]), pixel, store->orbits);
      ++sums.kept;
    }
    if (undecided[lane] && !round->last) continue;
    ++sums.decided;
    if (undecided[lane] || proved[lane]) {
      vstore2((uint2)(proved[lane] ? PROVED_INTERIOR : INTERIOR, 0u), pixel, store->cells);
    } else {
      const uint n = round->start + (uint)steps[lane];
      vstore2((uint2)(n, as_uint((float)f[lane])), pixel, store->cells);
      ++sums.escaped;
      sums.late += n > round->late;
    }
  }
  return sums;
}

inline void add_to_counters(volatile local Sums* group, const Round* round, volatile global uint* counters) {
  if (group->decided != 0) atomic_add(&counters[DECIDED], group->decided);
  if (group->escaped != 0) atomic_add(&counters[ESCAPED], group->escaped);
  if (group->late != 0) atomic_add(&counters[LATE], group->late);
  const uint before = atomic_add(&counters[ITERATIONS_LOW], group->iterations);
  if (before + group->iterations < before) atomic_inc(&counters[ITERATIONS_HIGH]);
}

// Every work-item of a group comes here, so that the global counters see one atomic operation a group.
inline void finish(const Orbits* orbits, const Pixels* pixels, const Round* round, const Store* store,
                   volatile local Sums* group) {
  const bool leads = get_local_id(0) == 0;
  if (leads) group->kept = group->decided = group->escaped = group->late = group->iterations = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  mask undecided[LANES];
  const Sums own = write_results(orbits, pixels, round, store, undecided);
  uint slot = own.kept != 0 ? atomic_add(&group->kept, own.kept) : 0;
  if (own.decided != 0) atomic_add(&group->decided, own.decided);
  if (own.escaped != 0) atomic_add(&group->escaped, own.escaped);
  if (own.late != 0) atomic_add(&group->late, own.late);
  if (own.iterations != 0) atomic_add(&group->iterations, own.iterations);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (leads) {
    add_to_counters(group, round, store->counters);
    if (group->kept != 0) group->kept = atomic_add(&store->counters[round->to], group->kept);  // now: where they go
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own.kept == 0) return;
  slot += group->kept;
  for (int lane = 0; lane < LANES; ++lane)
    if (undecided[lane]) store->kept[slot++] = pixels->index[lane];
}

kernel void clear(uint first, uint count, global uint* numbers) {
  const uint i = (uint)get_global_id(0);
  if (i < count) numbers[first + i] = 0;
}

kernel void begin_pixels(const Plane plane, const Round round, global uint* cells, global real* saved,
                         global uint* kept, volatile global uint* counters) {
  local Sums group;
  const Store store = {cells, saved, kept, counters};
  Pixels pixels;
  for (int lane = 0; lane < LANES; ++lane) {
    const uint k = (uint)get_global_id(0) * LANES + (uint)lane;
    pixels.valid[lane] = k < round.count ? TRUE : 0;
    pixels.index[lane] = pixel_of_pass(round.first + k, &plane, &round, &pixels.valid[lane]);
  }
  Orbits orbits = orbits_at_zero(&pixels, &plane);
#if INTERIOR_TESTS
  orbits.proved = orbits.active & in_main_bodies(orbits.cx, orbits.cy);
  orbits.active &= NOT(orbits.proved);
#endif
  advance(&orbits, round.steps, round.radius2);
  finish(&orbits, &pixels, &round, &store, &group);
}

kernel void continue_pixels(const Plane plane, const Round round, global uint* cells, global real* saved,
                            global uint* kept, volatile global uint* counters, global const uint* taken) {
  local Sums group;
  const Store store = {cells, saved, kept, counters};
  const uint length = counters[round.from];
  Pixels pixels;
  real x[LANES], y[LANES];
  for (int lane = 0; lane < LANES; ++lane) {
    const uint k = (uint)get_global_id(0) * LANES + (uint)lane;
    const bool valid = k < round.count && round.first + k < length;
    pixels.valid[lane] = valid ? TRUE : 0;
    pixels.index[lane] = valid ? taken[round.first + k] : 0;
    const real2 z = valid ? vload2(pixels.index[lane], saved) : (real2)(0);
    x[lane] = z.x;
    y[lane] = z.y;
  }
  Orbits orbits = orbits_at_zero(&pixels, &plane);
  orbits.x = reals_from(x);
  orbits.y = reals_from(y);
  advance(&orbits, round.steps, round.radius2);
  finish(&orbits, &pixels, &round, &store, &group);
}
