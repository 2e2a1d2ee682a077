// Direct iteration of z -> z^2 + c, or of another POWER (mandelbrot_formula.clh), z0 = 0, in rounds.
//
// begin_pixels starts the pixels of a pass at n = 0; continue_pixels continues the undecided pixels of a list, and so does
// examine_pixels, for long orbits, which looks for the cycles that attract them. All append the still undecided pixels to
// another list and store their z, for the next round or a higher limit.
//
// Definitions: UNROLL, the steps from one escape test to the next; INTERIOR_TESTS=0 iterates every pixel to the limit;
// DETAIL=1, see mandelbrot_detail.clh.
#include "mandelbrot_cycle.clh"
#include "mandelbrot_passes.clh"

// The position of the picture in the plane, and its pixels. The program mirrors this struct.
typedef struct {
  real center_re, center_re_low;  // the centre as a sum, since one number may be too short for it
  real center_im, center_im_low;
  real spacing;                   // of pixels
  real right_re, right_im;        // from a pixel to its neighbour on the right, …
  real up_re, up_im;              // … and to the one above
  Grid grid;
} Plane;

// z, and the values carried along with it.
typedef struct {
  reals x, y;
#if DETAIL
  reals dx, dy;  // D
#endif
} Point;

typedef struct {
  Point z;
  reals cx, cy;  // c
#if DETAIL
  real pixel;
#endif
  masks active;  // neither escaped nor proved interior
  masks proved;
  masks steps;  // taken in this round, up to the escape
} Orbits;

// ---- the orbit

#if POWER == 2

#ifdef FAST_FMA
#define NEXT_X(x, y, cx) multiply_add(x, x, multiply_add(-(y), y, cx))
#if LANES == 1
// Uses fewer registers than (2x)·y + c: on an H200 6 % faster in single, 13 % in double.
#define NEXT_Y(x, y, cy) multiply_add((real)2, (x) * (y), cy)
#else
#define NEXT_Y(x, y, cy) multiply_add((x) + (x), y, cy)
#endif
#else
#define NEXT_X(x, y, cx) ((x) * (x) - (y) * (y) + (cx))  // rounded as the plain loop elsewhere
#define NEXT_Y(x, y, cy) (((x) + (x)) * (y) + (cy))
#endif

inline void step(Point* z, const Orbits* orbits) {
  const reals x = z->x, y = z->y, cx = orbits->cx, cy = orbits->cy;
#if DETAIL
  const reals two_x = x + x, two_y = y + y, dx = z->dx;  // D' = 2zD + 1
  z->dx = multiply_add(two_x, dx, multiply_add(-two_y, z->dy, (reals)(orbits->pixel)));
  z->dy = multiply_add(two_x, z->dy, two_y * dx);
#endif
  z->x = NEXT_X(x, y, cx);
  z->y = NEXT_Y(x, y, cy);
}

#else

// z^n, n > 1, starting with n's highest bit.
inline void raise(reals x, reals y, int n, reals* power_x, reals* power_y) {
  reals px = x, py = y;
#pragma unroll
  for (int bit = n >= 8 ? 2 : n >= 4 ? 1 : 0; bit >= 0; --bit) {
    const reals doubled = px + px;
    px = px * px - py * py;
    py = doubled * py;
    if ((n >> bit & 1) == 0) continue;
    const reals before = px;
    px = px * x - py * y;
    py = before * y + py * x;
  }
  *power_x = px;
  *power_y = py;
}

inline void step(Point* z, const Orbits* orbits) {
  const reals x = z->x, y = z->y;
  reals px, py;
#if DETAIL
  raise(x, y, POWER - 1, &px, &py);
  const reals slope_x = POWER * px, slope_y = POWER * py, dx = z->dx, before = px;  // D' = d z^(d - 1) D + 1
  z->dx = slope_x * dx - slope_y * z->dy + (reals)(orbits->pixel);
  z->dy = slope_x * z->dy + slope_y * dx;
  px = px * x - py * y;
  py = before * y + py * x;
#else
  raise(x, y, POWER, &px, &py);
#endif
  z->x = px + orbits->cx;
  z->y = py + orbits->cy;
}

#endif

inline Point choose(masks which, Point a, Point b) {
  Point z;
  z.x = which ? a.x : b.x;
  z.y = which ? a.y : b.y;
#if DETAIL
  z.dx = which ? a.dx : b.dx;
  z.dy = which ? a.dy : b.dy;
#endif
  return z;
}

// True for infinities and NaNs too: an orbit that left R long ago overflows before it is tested.
inline masks outside(const Point* z, real radius2) { return NOT(z->x * z->x + z->y * z->y <= (reals)(radius2)); }

// Single steps from z, the orbits after `taken` steps: each of `pending` stops at its escape.
inline void step_singly(Orbits* orbits, Point z, masks pending, uint taken, uint steps, real radius2) {
  for (uint i = 1; i <= steps && ANY(pending); ++i) {
    step(&z, orbits);
    const masks out = pending & outside(&z, radius2);
#if POWER == 2
    const masks seen = pending;
#else
    const masks seen = pending & isfinite(z.x) & isfinite(z.y);
#endif
    orbits->z = choose(seen, z, orbits->z);
    orbits->steps = out ? (masks)(taken + i) : orbits->steps;
    orbits->active &= NOT(out);
    pending &= NOT(out);
  }
}

// Once |z| > R >= 2 and |z| >= |c|, |z| only grows: a test after UNROLL steps misses no escape. The last UNROLL steps
// are then repeated one at a time, to find the first n.
//
// Brent's search for cycles: rounds double in length, and an orbit that returns exactly to its z at the beginning of
// the round never leaves.
#if LANES == 1
inline void advance(Orbits* orbits, uint steps, real radius2) {
  if (!orbits->active) return;
  Point z = orbits->z, before = z;
  uint taken = 0;
  bool out = false, back = false;
  for (; steps - taken >= UNROLL; taken += UNROLL) {
    before = z;
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) step(&z, orbits);
    out = outside(&z, radius2);
    if (out) break;
#if INTERIOR_TESTS
    back = z.x == orbits->z.x && z.y == orbits->z.y;
    if (back) break;
#endif
  }
  orbits->steps = back ? taken + UNROLL : steps;
  if (back) {
    orbits->proved = TRUE;
    orbits->active = 0;
    return;
  }
  orbits->z = POWER != 2 && out ? before : z;
  step_singly(orbits, out ? before : z, TRUE, taken, out ? UNROLL : steps - taken, radius2);
}
#else
inline void advance(Orbits* orbits, uint steps, real radius2) {
  const Point start = orbits->z;
  Point z = start;
  uint taken = 0;
  orbits->steps = orbits->active ? (masks)(steps) : (masks)(0);
  for (; steps - taken >= UNROLL && ANY(orbits->active); taken += UNROLL) {
    const Point before = z;
#pragma unroll
    for (int i = 0; i < UNROLL; ++i) step(&z, orbits);
    const masks out = orbits->active & outside(&z, radius2);
#if POWER != 2
    orbits->z = choose(out, before, orbits->z);
#endif
    if (ANY(out)) step_singly(orbits, before, out, taken, UNROLL, radius2);
#if INTERIOR_TESTS
    const masks back = orbits->active & (z.x == start.x) & (z.y == start.y);
    orbits->proved |= back;
    orbits->active &= NOT(back);
#endif
  }
  orbits->z = choose(orbits->active, z, orbits->z);
  step_singly(orbits, z, orbits->active, taken, steps - taken, radius2);
}
#endif

// f = 1 - log(ln|z| / ln R) to the base POWER, without squaring |z|.
inline reals fraction(reals x, reals y, const Round* round) {
#if POWER != 2
  const masks within = (masks)(x * x + y * y <= (reals)(round->radius2));
  const reals whole = within ? (reals)(0) : (reals)(1);
#endif
  const reals a = fmax(fabs(x), fabs(y));
  const reals b = fmin(fabs(x), fabs(y)) / a;
  return FRACTION((log(a) + (real)0.5 * log1p(b * b)) * round->inverse_ln_radius, whole);
}

// ---- the picture

// The cardioid of period 1.
inline masks in_cardioid(reals cx, reals cy) {
  const reals x = cx - (real)0.25;
  const reals y2 = cy * cy;
  const reals q = x * x + y2;
  return q * (q + x) <= (real)0.25 * y2;
}

inline masks in_disc_of_period_2(reals cx, reals cy) {
  const reals left = cx + (real)1;
  return left * left + cy * cy <= (real)0.0625;
}

// The set's part of the real axis is [−2, 1/4], or of an even power [−2^(1/(d − 1)), (d − 1)/d^(d/(d − 1))], without
// the ends that rounding leaves unsure. An orbit there need not come near any cycle: nothing else would end it.
inline masks on_spine(reals cx, reals cy) {
#if POWER == 2
  return (cy == (reals)(0)) & (cx >= (reals)(-2)) & (cx <= (reals)((real)0.25));
#elif POWER % 2 == 0
  const real d = POWER, sure = 1 - 64 * UNIT_ROUNDOFF;
  const real left = -sure * pow((real)2, 1 / (d - 1)), right = sure * (d - 1) * pow(d, -d / (d - 1));
  return (cy == (reals)(0)) & (cx >= (reals)(left)) & (cx <= (reals)(right));
#else
  return (masks)(0);
#endif
}

// c of each pixel; the orbits of valid pixels are active, at z = 0.
inline Orbits orbits_at_zero(const Pixels* pixels, const Plane* plane) {
  const Offsets at = offsets_of(uints_from(pixels->index), &plane->grid);
  Orbits orbits;
  orbits.cx = plane->center_re + (plane->center_re_low + (plane->right_re * at.right + plane->up_re * at.up));
  orbits.cy = plane->center_im + (plane->center_im_low + (plane->right_im * at.right + plane->up_im * at.up));
  orbits.z.x = (reals)(0);
  orbits.z.y = (reals)(0);
#if DETAIL
  orbits.z.dx = (reals)(0);
  orbits.z.dy = (reals)(0);
  orbits.pixel = plane->spacing;
#endif
  orbits.active = masks_from(pixels->valid);
  orbits.proved = (masks)(0);
  orbits.steps = (masks)(0);
  return orbits;
}

#if DETAIL

inline real2 point_after(real x, real y, real cx, real cy) {
#if POWER == 2
  return (real2)(NEXT_X(x, y, cx), NEXT_Y(x, y, cy));
#else
  return next_point((real2)(x, y), (real2)(cx, cy));
#endif
}

// The least period of z's cycle: z returns after at most `most` steps.
inline uint period_of(real x0, real y0, real cx, real cy, uint most) {
  real x = x0, y = y0, near_x = x0, near_y = y0;
  uint whole = 0;
  do {
    const real2 next = point_after(x, y, cx, cy);
    x = next.x;
    y = next.y;
    if (x * x + y * y < near_x * near_x + near_y * near_y) {
      near_x = x;
      near_y = y;
    }
  } while (++whole < most && (x != x0 || y != y0));
  const real within = (real)SAME_POINT * (fabs(near_x) + fabs(near_y));
  x = near_x;
  y = near_y;
  uint period = 0;
  do {
    const real2 next = point_after(x, y, cx, cy);
    x = next.x;
    y = next.y;
  } while (++period < whole && (whole % period != 0 || fabs(x - near_x) + fabs(y - near_y) > within));
  return period;
}

inline void note_details(Results* results, const Orbits* orbits, const Pixels* pixels, uint steps) {
  real x[LANES], y[LANES], dx[LANES], dy[LANES], cx[LANES], cy[LANES];
  mask first[LANES], second[LANES];
  reals_to(orbits->z.x, x);
  reals_to(orbits->z.y, y);
  reals_to(orbits->z.dx, dx);
  reals_to(orbits->z.dy, dy);
  reals_to(orbits->cx, cx);
  reals_to(orbits->cy, cy);
  masks_to(in_cardioid(orbits->cx, orbits->cy), first);
  masks_to(in_disc_of_period_2(orbits->cx, orbits->cy), second);
  for (int lane = 0; lane < LANES; ++lane) {
    if (results->undecided[lane] || !pixels->valid[lane]) {
      results->detail[lane] = UNKNOWN_DETAIL;
    } else if (results->proved[lane]) {
      const bool known = POWER == 2 && (first[lane] || second[lane]);
      const uint period = known ? (first[lane] ? 1 : 2) : period_of(x[lane], y[lane], cx[lane], cy[lane], steps);
      results->detail[lane] = (float)period;
    } else {
      const real modulus = hypot(x[lane], y[lane]);
      results->detail[lane] = (float)clamped_distance(modulus * log(modulus) / hypot(dx[lane], dy[lane]));
    }
  }
}

#endif

// ---- state of undecided pixels

inline void save(const Point* z, const mask* undecided, const Pixels* pixels, global real* saved) {
  real x[LANES], y[LANES];
  reals_to(z->x, x);
  reals_to(z->y, y);
#if DETAIL
  real dx[LANES], dy[LANES];
  reals_to(z->dx, dx);
  reals_to(z->dy, dy);
#endif
  for (int lane = 0; lane < LANES; ++lane) {
    if (!undecided[lane]) continue;
#if DETAIL
    vstore4((real4)(x[lane], y[lane], dx[lane], dy[lane]), pixels->index[lane], saved);
#else
    vstore2((real2)(x[lane], y[lane]), pixels->index[lane], saved);
#endif
  }
}

inline void load(Point* z, const Pixels* pixels, global const real* saved) {
#if DETAIL
  real x[LANES], y[LANES], dx[LANES], dy[LANES];
#else
  real x[LANES], y[LANES];
#endif
  for (int lane = 0; lane < LANES; ++lane) {
#if DETAIL
    const real4 kept = pixels->valid[lane] ? vload4(pixels->index[lane], saved) : (real4)(0);
    dx[lane] = kept.z;
    dy[lane] = kept.w;
#else
    const real2 kept = pixels->valid[lane] ? vload2(pixels->index[lane], saved) : (real2)(0);
#endif
    x[lane] = kept.x;
    y[lane] = kept.y;
  }
  z->x = reals_from(x);
  z->y = reals_from(y);
#if DETAIL
  z->dx = reals_from(dx);
  z->dy = reals_from(dy);
#endif
}

// Undecided orbits that a cycle attracts are interior.
inline void note_attracted(Results* results, const Orbits* orbits, const Pixels* pixels, uint steps) {
  real x[LANES], y[LANES], cx[LANES], cy[LANES];
  reals_to(orbits->z.x, x);
  reals_to(orbits->z.y, y);
  reals_to(orbits->cx, cx);
  reals_to(orbits->cy, cy);
  for (int lane = 0; lane < LANES; ++lane) {
    if (!results->undecided[lane] || !pixels->valid[lane]) continue;
    const uint period = attracting_period((real2)(x[lane], y[lane]), as_pairs((real2)(cx[lane], cy[lane])), steps);
    if (period == 0) continue;
    results->undecided[lane] = 0;
    results->proved[lane] = TRUE;
#if DETAIL
    results->detail[lane] = (float)period;
#endif
  }
}

// Notes the present results; stores z of undecided pixels.
inline void note_results(Results* results, const Orbits* orbits, const Pixels* pixels, const Round* round,
                         bool examines, global real* saved) {
  reals_to(fraction(orbits->z.x, orbits->z.y, round), results->f);
  masks_to(orbits->steps, results->steps);
  uints_to(round->start + uints_of(orbits->steps), results->n);
  masks_to(orbits->proved, results->proved);
  masks_to(orbits->active, results->undecided);
#if DETAIL
  note_details(results, orbits, pixels, round->steps + UNROLL);
#endif
  if (!ANY(orbits->active)) return;
  if (examines) note_attracted(results, orbits, pixels, round->start + round->steps);
  save(&orbits->z, results->undecided, pixels, saved);
}

kernel void begin_pixels(const Plane plane, const Round round, global uint* cells, global real* saved,
                         global uint* kept, volatile global uint* counters DETAILS_PARAMETER) {
  local Sums group;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  Pixels pixels;
  take_from_pass(&pixels, &plane.grid, &round);
  Orbits orbits = orbits_at_zero(&pixels, &plane);
#if INTERIOR_TESTS
#if POWER == 2
  orbits.proved = orbits.active & (in_cardioid(orbits.cx, orbits.cy) | in_disc_of_period_2(orbits.cx, orbits.cy));
#endif
#if !DETAIL  // needs the periods
  orbits.proved |= orbits.active & on_spine(orbits.cx, orbits.cy);
#endif
  orbits.active &= NOT(orbits.proved);
#endif
  advance(&orbits, round.steps, round.radius2);
  Results results;
  note_results(&results, &orbits, &pixels, &round, false, saved);
  finish(&results, &pixels, &round, &store, &group);
}

inline void go_on(const Plane* plane, const Round* round, bool examines, global real* saved, global const uint* taken,
                  const Store* store, volatile local Sums* group) {
  Pixels pixels;
  take_from_list(&pixels, store->counters[round->from], taken, round);
  Orbits orbits = orbits_at_zero(&pixels, plane);
  load(&orbits.z, &pixels, saved);
  advance(&orbits, round->steps, round->radius2);
  Results results;
  note_results(&results, &orbits, &pixels, round, examines, saved);
  finish(&results, &pixels, round, store, group);
}

kernel void continue_pixels(const Plane plane, const Round round, global uint* cells, global real* saved,
                            global uint* kept, volatile global uint* counters,
                            global const uint* taken DETAILS_PARAMETER) {
  local Sums group;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  go_on(&plane, &round, false, saved, taken, &store, &group);
}

// A separate kernel: it uses so many registers that a GPU runs fewer of its work-items at a time.
kernel void examine_pixels(const Plane plane, const Round round, global uint* cells, global real* saved,
                           global uint* kept, volatile global uint* counters,
                           global const uint* taken DETAILS_PARAMETER) {
  local Sums group;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  go_on(&plane, &round, true, saved, taken, &store, &group);
}
