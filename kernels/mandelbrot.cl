// Direct iteration of z -> z^2 + c, z0 = 0, in rounds.
//
// begin_pixels starts the pixels of a pass at n = 0; continue_pixels takes up from a list those that a round left
// undecided. Both append what is still undecided to another list and keep its z, so that the next round, or a higher
// limit, goes on from there.
//
// Definitions: UNROLL, the steps from one escape test to the next; INTERIOR_TESTS=0 iterates every pixel to the limit.
#include "mandelbrot_passes.clh"

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

typedef struct {
  reals x, y;    // z
  reals cx, cy;  // c
  masks active;  // neither escaped nor proved to be interior
  masks proved;
  masks steps;  // taken in this round, up to the escape
} Orbits;

// ---- the orbit

inline void step(reals* x, reals* y, reals cx, reals cy) {
#ifdef FAST_FMA
  const reals next = multiply_add(*x, *x, multiply_add(-*y, *y, cx));
#if LANES == 1
  // Reads fewer registers than (2x)·y + c: on an H200 6 % faster in single, 13 % in double.
  *y = multiply_add((reals)2, *x * *y, cy);
#else
  *y = multiply_add(*x + *x, *y, cy);
#endif
#else
  const reals next = *x * *x - *y * *y + cx;  // rounded as the plain loop anywhere else
  *y = (*x + *x) * *y + cy;
#endif
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
//
// Brent's search for cycles: rounds double in length, and a z that returns to exactly where it was in the beginning
// never leaves.
#if LANES == 1
inline void advance(Orbits* orbits, uint steps, real radius2) {
  if (!orbits->active) return;
  real x = orbits->x, y = orbits->y, x_before = x, y_before = y;
  uint taken = 0;
  bool out = false, back = false;
  for (; steps - taken >= UNROLL; taken += UNROLL) {
    x_before = x;
    y_before = y;
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) step(&x, &y, orbits->cx, orbits->cy);
    out = outside(x, y, radius2);
    if (out) break;
#if INTERIOR_TESTS
    back = x == orbits->x && y == orbits->y;
    if (back) break;
#endif
  }
  orbits->steps = back ? taken + UNROLL : steps;
  if (back) {
    orbits->proved = TRUE;
    orbits->active = 0;
    return;
  }
  orbits->x = x;
  orbits->y = y;
  step_singly(orbits, out ? x_before : x, out ? y_before : y, TRUE, taken, out ? UNROLL : steps - taken, radius2);
}
#else
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
    const masks back = orbits->active & (x == x0) & (y == y0);
    orbits->proved |= back;
    orbits->active &= NOT(back);
#endif
  }
  orbits->x = orbits->active ? x : orbits->x;
  orbits->y = orbits->active ? y : orbits->y;
  step_singly(orbits, x, y, orbits->active, taken, steps - taken, radius2);
}
#endif

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

// What is known now; the z of undecided pixels is kept.
inline void note_results(Results* results, const Orbits* orbits, const Pixels* pixels, const Round* round,
                         global real* saved) {
  real x[LANES], y[LANES];
  reals_to(orbits->x, x);
  reals_to(orbits->y, y);
  reals_to(fraction(orbits->x, orbits->y, round->inverse_ln_radius), results->f);
  masks_to(orbits->steps, results->steps);
  uints_to(round->start + uints_of(orbits->steps), results->n);
  masks_to(orbits->proved, results->proved);
  masks_to(orbits->active, results->undecided);
  if (!ANY(orbits->active)) return;
  for (int lane = 0; lane < LANES; ++lane)
    if (results->undecided[lane]) vstore2((real2)(x[lane], y[lane]), pixels->index[lane], saved);
}

kernel void begin_pixels(const Plane plane, const Round round, global uint* cells, global real* saved,
                         global uint* kept, volatile global uint* counters) {
  local Sums group;
  const Store store = {cells, kept, counters};
  Pixels pixels;
  take_from_pass(&pixels, plane.width, plane.height, &round);
  Orbits orbits = orbits_at_zero(&pixels, &plane);
#if INTERIOR_TESTS
  orbits.proved = orbits.active & in_main_bodies(orbits.cx, orbits.cy);
  orbits.active &= NOT(orbits.proved);
#endif
  advance(&orbits, round.steps, round.radius2);
  Results results;
  note_results(&results, &orbits, &pixels, &round, saved);
  finish(&results, &pixels, &round, &store, &group);
}

kernel void continue_pixels(const Plane plane, const Round round, global uint* cells, global real* saved,
                            global uint* kept, volatile global uint* counters, global const uint* taken) {
  local Sums group;
  const Store store = {cells, kept, counters};
  Pixels pixels;
  take_from_list(&pixels, counters[round.from], taken, &round);
  real x[LANES], y[LANES];
  for (int lane = 0; lane < LANES; ++lane) {
    const real2 z = pixels.valid[lane] ? vload2(pixels.index[lane], saved) : (real2)(0);
    x[lane] = z.x;
    y[lane] = z.y;
  }
  Orbits orbits = orbits_at_zero(&pixels, &plane);
  orbits.x = reals_from(x);
  orbits.y = reals_from(y);
  advance(&orbits, round.steps, round.radius2);
  Results results;
  note_results(&results, &orbits, &pixels, &round, saved);
  finish(&results, &pixels, &round, &store, &group);
}
