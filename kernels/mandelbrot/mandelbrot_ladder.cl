// A renormalisation ladder: z -> z^2 + c near the Feigenbaum point c∞, or with -D PASSAGE=1 near 1/4 and with
// -D PASSAGE=2 near -3/4, 2^j iterations at a step.
//
// A pixel is w = (c - c∞) δ^top, and its orbit is x = z / Λ_j at some level j of the ladder (see ladder_table.hpp);
// with a passage, w = (c - c_0) δ^top / Λ_0 and x = (z - FIXED_POINT) / Λ_j.
// While |x| <= 1 a step x -> g_j(x, w δ^(j - top)) is 2^j iterations; x leaves the disc to a lower level, x -> μ x, and
// comes near 0 to a higher one. Level 0 is plain iteration, so that the count is exact there and so is the escape.
// Where the count has more digits than needed, iteration ends at a level `bottom` above 0: lower levels add less than
// its unit to the count.
//
// Definitions: PASSAGE; PAIRS (see mandelbrot_ladder_numbers.clh); of the table, as ladder.hpp packs it: LEVELS, ORDERS
// and TERMS of it, ROWS below the top level that it serves, DISC_TERMS; CURVATURE and STEP_ERROR, see ladder.hpp;
// DETAIL=1, see mandelbrot_detail.clh.
#include "mandelbrot_ladder_table.clh"
#include "mandelbrot_passes.clh"

#if PASSAGE
#define SURELY ((real)1.0001)  // margin at the edges of the cardioid and the disc, where rounding decides
#if PASSAGE == 1
#define FIXED_POINT 0.5
#define MU2 0.25
#define LAMBDA 0.25
#define LOG2_ALPHA 1.0
#else
#define FIXED_POINT -0.5
#define MU2 0.5
#define LAMBDA 0.1875
#define LOG2_ALPHA 0.5
#endif
#else
#define MU2 0.15962844038133668     // μ^2
#define DELTA 4.669201609102991
#define LAMBDA -1.4011551890920506  // Λ_0 = c∞
#define LOG2_ALPHA 1.3236051905115614  // log2(1/|μ|)
#define RADIUS 0.7                  // of the steps in w
#define DISC_CENTER 0.43            // of the disc of a level, in w
#define DISC_REACH 0.31
#endif
#define RETURN_DISTANCE ((real)1e-4)  // an orbit that returns this closely may be near a cycle
#define SURELY_WITHIN ((real)0.9999)  // limit of a disc's squared multiplier, whose polynomial is right to 1e-6

#if LANES == 1
typedef ulong counts;
#define ONE_WHERE(m) (m)
#define masks_of(m) (m)
#define counts_of(m) ((ulong)(m))  // 1 where the mask is set
#define counts_from(p) (*(p))
#define counts_to(v, p) (*(p) = (v))
#else
typedef JOIN(ulong, LANES) counts;
#define ONE_WHERE(m) (-(m))
#define masks_of(m) JOIN(JOIN(convert_, MASK), LANES)(m)
#define counts_of(m) JOIN(convert_ulong, LANES)(-(m))
#define counts_from(p) JOIN(vload, LANES)(0, p)
#define counts_to(v, p) JOIN(vstore, LANES)(v, 0, p)
#endif

// The position of the picture, and its pixels. The program mirrors this struct.
typedef struct {
  real center_re, center_re_low, center_im, center_im_low;  // w
  real spacing;                                             // of pixels, in w
  real right_re, right_re_low, right_im, right_im_low;      // from a pixel to its neighbour on the right, …
  real up_re, up_re_low, up_im, up_im_low;                  // … and to the one above
  Grid grid;
  int top, bottom;     // levels
  uint cell_shift;     // cells count in units of 2^(bottom + cell_shift) iterations
  ulong last;          // the largest n of an escape, N - 1, in units of 2^bottom iterations
  uint kept;           // the list of the pixels that have reached the limit
  uint most_steps;     // a pixel with this number of steps is stored as if it had reached the limit
} LadderPlane;

// The stored state of an undecided pixel.
typedef struct {
  real x[4];  // re, im, and their low parts
  ulong count;
  int level;
  uint unused;
#if DETAIL
  real derivative[2];
#endif
} SavedOrbit;

typedef struct {
  reals re, im;
} plain_complex;

inline plain_complex plain_product(plain_complex a, plain_complex b) {
  return (plain_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

#if DETAIL
#define SLOPE_PARAMETER , plain_complex* slope
#define SLOPE_ARGUMENT , &slope
#define TANGENT_PARAMETERS , plain_complex* derivative, reals w_derivative  // by the pixel
#else
#define SLOPE_PARAMETER
#define SLOPE_ARGUMENT
#define TANGENT_PARAMETERS
#endif

typedef struct {
  complex_number w, x;
  masks level;
  counts count;  // iterations, in units of 2^bottom
  masks active;   // neither escaped, nor interior, nor at the limit
  masks limited;  // at the limit
  masks interior;
  masks steps;  // taken in this round
#if DETAIL
  plain_complex derivative;  // of x by the pixel
  counts cycle;              // for orbits on a cycle: its length, in units of 2^bottom
  reals trap;                // for these: the radius of a disc around x that contains one point of the cycle
  masks doublings;           // for orbits in the cascade: log2 of the period; 0: unknown
  real pixel;                // in w
#endif
} Orbits;

// ---- a step

// The polynomials' variable: g is even in x, but not with a passage.
#if PASSAGE
inline complex_number variable_of(complex_number x) { return x; }
#else
inline complex_number variable_of(complex_number x) {
  const number two_re = plus(x.re, x.re);
  return (complex_number){minus(times(x.re, x.re), times(x.im, x.im)), times(two_re, x.im)};
}
#endif

// |z|^2 on level 0.
inline reals squared_modulus_of_z(complex_number x) {
#if PASSAGE
  const reals re = (real)FIXED_POINT + (real)LAMBDA * nearest(x.re), im = (real)LAMBDA * nearest(x.im);
  return re * re + im * im;
#else
  return squared_modulus(x) * (real)(LAMBDA * LAMBDA);
#endif
}

// A real polynomial in u, by Goertzel's recurrence: that of the division by (t - u)(t - conj u), in real numbers. The
// quotient Q, divided again, gives the derivative, (u - conj u) Q(u) + b1.
inline complex_number polynomial(complex_number u, number twice_re, number norm, global const real* terms, int count,
                                 int paired SLOPE_PARAMETER) {
  number b1 = number_of((reals)(0)), b2 = b1;
  int m = count - 1;
#if defined(PAIRS) || DETAIL
  const reals r = nearest(twice_re), q = nearest(norm);
#endif
#if DETAIL
  reals e1 = (reals)(0), e2 = e1;
#define DIVIDE_AGAIN(b)                                   \
  const reals e = multiply_add(r, e1, multiply_add(-q, e2, b)); \
  e2 = e1;                                                \
  e1 = e;
#else
#define DIVIDE_AGAIN(b)
#endif
#ifdef PAIRS
  reals c1 = (reals)(0), c2 = c1;
  for (; m >= paired; --m) {
    DIVIDE_AGAIN(c1)
    const reals c = fma(r, c1, fma(-q, c2, (reals)(terms[m])));
    c2 = c1;
    c1 = c;
  }
  b1 = number_of(c1);
  b2 = number_of(c2);
#endif
  for (; m >= 1; --m) {
    DIVIDE_AGAIN(nearest(b1))
    const number b = recurrence(constant_of(terms + m, LOW), twice_re, b1, norm, b2);
    b2 = b1;
    b1 = b;
  }
#if DETAIL
  const reals re = nearest(u.re), im = nearest(u.im);
  const plain_complex quotient = {e1 - re * e2, im * e2};
  *slope = (plain_complex){nearest(b1) - 2 * im * quotient.im, 2 * im * quotient.re};
#endif
  return (complex_number){recurrence(constant_of(terms, LOW), u.re, b1, norm, b2), times(u.im, b1)};
}

// g(x, w) of one level, `row` below the top.
inline complex_number ladder_step(complex_number x, complex_number w, const Ladder* ladder, int level,
                                  int row TANGENT_PARAMETERS) {
  const complex_number u = variable_of(x);
  const number twice_re = plus(u.re, u.re), norm = plus(times(u.re, u.re), times(u.im, u.im));
  global const uchar* extent = extent_of(ladder, level, row);
  global const real* coefficients = coefficients_of(ladder, level);
  int n = extent[0] - 1;
#if DETAIL
#if PASSAGE
  const plain_complex u_derivative = *derivative;
#else
  const plain_complex u_derivative = plain_product((plain_complex){nearest(x.re) * 2, nearest(x.im) * 2}, *derivative);
#endif
  const plain_complex plain_w = {nearest(w.re), nearest(w.im)};
  plain_complex slope;
#endif
  complex_number value = polynomial(u, twice_re, norm, coefficients + TERMS * n, extent[1 + n],
                                    extent[1 + ORDERS + n] SLOPE_ARGUMENT);
#if DETAIL
  plain_complex total = plain_product(slope, u_derivative);
#endif
  while (--n >= 0) {
#if DETAIL
    total = plain_product(total, plain_w);
    total.re += nearest(value.re) * w_derivative;
    total.im += nearest(value.im) * w_derivative;
#endif
    value = sum(product(value, w), polynomial(u, twice_re, norm, coefficients + TERMS * n, extent[1 + n],
                                              extent[1 + ORDERS + n] SLOPE_ARGUMENT));
#if DETAIL
    const plain_complex turned = plain_product(slope, u_derivative);
    total.re += turned.re;
    total.im += turned.im;
#endif
  }
#if DETAIL
  *derivative = total;
#endif
  return value;
}

// Multiplies the orbits in `which` by a factor, all others by one. (Choosing between products instead of factors
// crashes LLVM 18's instruction combining, and with it the process, in PoCL 6.0.)
inline void scale(Orbits* orbits, masks which, number factor) {
  const number own = choose(which, factor, number_of((reals)(1)));
  orbits->x = scaled(orbits->x, own);
#if DETAIL
  orbits->derivative.re *= nearest(own);
  orbits->derivative.im *= nearest(own);
#endif
}

// Moves to the level at which |x| is between |μ| and 1, if there is one.
inline void change_level(Orbits* orbits, const Ladder* ladder, int top, int bottom) {
  for (;;) {
    const masks near = orbits->active & (orbits->level < top) & (squared_modulus(orbits->x) <= (real)MU2);
    if (!ANY(near)) break;
    scale(orbits, near, inverse_mu_of(ladder));
    orbits->level += ONE_WHERE(near);
  }
  for (;;) {
    const masks far = orbits->active & (orbits->level > bottom) & (squared_modulus(orbits->x) > (real)1);
    if (!ANY(far)) break;
    scale(orbits, far, mu_of(ladder));
    orbits->level -= ONE_WHERE(far);
  }
}

// The highest level of these orbits: orbits side by side step at one level at a time, from the highest down, so that
// leading orbits wait for the others.
inline int highest_level(const Orbits* orbits, masks which) {
  mask level[LANES], counts[LANES];
  masks_to(orbits->level, level);
  masks_to(which, counts);
  int highest = -1;
  for (int lane = 0; lane < LANES; ++lane)
    if (counts[lane]) highest = max(highest, (int)level[lane]);
  return highest;
}

// x -> g(x, w) for these orbits at that level, `row` below the top.
inline void move(Orbits* orbits, masks here, int level, int row, const Ladder* ladder) {
  const number power = power_of(ladder, row);
  const complex_number w = scaled(orbits->w, power);
#if DETAIL
  plain_complex derivative = orbits->derivative;
  const complex_number x =
      ladder_step(orbits->x, w, ladder, level, row, &derivative, orbits->pixel * nearest(power));
  orbits->derivative.re = here ? derivative.re : orbits->derivative.re;
  orbits->derivative.im = here ? derivative.im : orbits->derivative.im;
#else
  const complex_number x = ladder_step(orbits->x, w, ladder, level, row);
#endif
  orbits->x = choose_complex(here, x, orbits->x);
}

// True for orbits at level 0 within the escape radius.
inline masks inside_radius(const Orbits* orbits, real radius2) {
  return squared_modulus_of_z(orbits->x) <= (reals)(radius2);
}

// One step of these orbits at that level, and its decisions.
inline void step_at(Orbits* orbits, masks here, int level, const Ladder* ladder, const LadderPlane* plane,
                    const Round* round) {
  move(orbits, here, level, plane->top - level, ladder);
  orbits->count += counts_of(here) << (level - plane->bottom);
  orbits->steps += ONE_WHERE(here);
  if (level == 0) orbits->active &= NOT(here & NOT(inside_radius(orbits, round->radius2)));
  const masks limited = here & orbits->active & masks_of(orbits->count >= plane->last);
  orbits->limited |= limited;
  orbits->active &= NOT(limited);
}

// ---- attracting cycles

// |dg/dx|
inline reals slope_of_step(complex_number x, complex_number w, const Ladder* ladder, int level, int row) {
  global const uchar* extent = extent_of(ladder, level, row);
  global const real* coefficients = coefficients_of(ladder, level);
  const plain_complex plain_x = {nearest(x.re), nearest(x.im)}, plain_w = {nearest(w.re), nearest(w.im)};
#if PASSAGE
  const plain_complex u = plain_x;
#else
  const plain_complex u = plain_product(plain_x, plain_x);
#endif
  plain_complex sum = {(reals)(0), (reals)(0)};
  for (int n = extent[0] - 1; n >= 0; --n) {
    plain_complex by_u = {(reals)(0), (reals)(0)};
    for (int m = extent[1 + n] - 1; m >= 1; --m) {
      by_u = plain_product(by_u, u);
      by_u.re += (real)m * coefficients[TERMS * n + m];
    }
    sum = plain_product(sum, plain_w);
    sum.re += by_u.re;
    sum.im += by_u.im;
  }
#if PASSAGE
  return hypot(sum.re, sum.im);
#else
  return 2 * hypot(sum.re, sum.im) * hypot(plain_x.re, plain_x.im);
#endif
}

// An orbit that has returned to near x_0 is interior if a disc around x_0 is carried into itself: the map that does so
// has one fixed point there, a cycle that attracts all of the disc (Schwarz's lemma), including the orbit. Where the
// orbit lingers at a repelling cycle, or passes 0 as all orbits next to a small copy of the set do, no disc is.
//
// A step carries the disc of radius r around x into that of radius |g'(x)|·r + CURVATURE/2·r² around g(x), CURVATURE
// being the maximum of |g''| where |x| <= 1 + LARGEST_RADIUS, and rounding adds at most STEP_ERROR. Discs of several
// radii are carried at once, since the least sufficient one depends on the multiplier m: distance/(1 - |m|).
#define DISCS 4
#define LARGEST_RADIUS ((real)0.05)
#define TOO_LARGE ((real)1e30)
#ifdef DOUBLE
#define REAL_EPSILON DBL_EPSILON
#else
#define REAL_EPSILON FLT_EPSILON
#endif
#define ROUNDED_UP (1 + 64 * REAL_EPSILON)

typedef struct {
  complex_number x;
  masks level;
  counts count;
} Start;

inline reals distance_from(const Start* start, const Orbits* orbits) {
  const reals re = nearest(minus(orbits->x.re, start->x.re)), im = nearest(minus(orbits->x.im, start->x.im));
  return hypot(re, im);
}

// The asked orbits, back at their starting level, that a disc proves interior; `trap` is the largest radius of such
// discs. The way from the start is repeated by the same steps.
inline masks proved_attracted(const Orbits* now, const Start* start, masks asked, reals distance, const Ladder* ladder,
                              const LadderPlane* plane, reals* trap) {
  Orbits orbits = *now;
  orbits.x = start->x;
  orbits.level = start->level;
  orbits.count = start->count;
  orbits.active = asked;
  reals first[DISCS], radius[DISCS];
  for (int k = 0; k < DISCS; ++k) first[k] = radius[k] = fmax(distance, (real)STEP_ERROR) * (real)(2 << (2 * k));
  while (ANY(orbits.active)) {
    const int level = highest_level(&orbits, orbits.active);
    const masks here = orbits.active & (orbits.level == (masks)(level));
    const complex_number w = scaled(orbits.w, power_of(ladder, plane->top - level));
    const reals slope = slope_of_step(orbits.x, w, ladder, level, plane->top - level) + 64 * REAL_EPSILON;
    masks small = (masks)(0);
    for (int k = 0; k < DISCS; ++k) {
      const reals next = radius[k] * (slope + radius[k] * (real)(0.5 * CURVATURE)) * ROUNDED_UP + (real)STEP_ERROR;
      // It never becomes small again.
      radius[k] = here ? (radius[k] < LARGEST_RADIUS ? next : (reals)(TOO_LARGE)) : radius[k];
      small |= radius[k] < LARGEST_RADIUS;
    }
    move(&orbits, here, level, plane->top - level, ladder);
    orbits.count += counts_of(here) << (level - plane->bottom);
    orbits.active &= NOT(here & NOT(small));
    orbits.active &= masks_of(orbits.count < now->count);
    const masks before = orbits.level, active = orbits.active;
    orbits.active = here;
    change_level(&orbits, ladder, plane->top, plane->bottom);
    orbits.active = active;
    const reals scale = exp2(reals_of(orbits.level - before) * (real)LOG2_ALPHA) * ROUNDED_UP;
    for (int k = 0; k < DISCS; ++k) radius[k] *= scale;
  }
  masks proved = (masks)(0);
  *trap = (reals)(0);
  for (int k = 0; k < DISCS; ++k) {
    const masks within = asked & masks_of(orbits.count == now->count) & (radius[k] < LARGEST_RADIUS) &
                         (distance + radius[k] + (real)STEP_ERROR < first[k]);
    *trap = within ? first[k] : *trap;
    proved |= within;
  }
  return proved;
}

#if DETAIL

#define MOST_RETURN_STEPS 4096

// The asked orbits that return to their position after exactly that many further iterations: near the end, steps become
// as short as the remaining count.
inline masks returns_after(const Orbits* now, masks asked, counts iterations, const Ladder* ladder,
                           const LadderPlane* plane) {
  Orbits orbits = *now;
  orbits.derivative.re = orbits.derivative.im = (reals)(0);
  masks going = asked & masks_of(iterations > (counts)(0));
  for (int k = 0; k < MOST_RETURN_STEPS && ANY(going); ++k) {
    const int level = highest_level(&orbits, going);
    const counts length = (counts)(1) << (counts)(level - plane->bottom);
    const masks at_level = going & (orbits.level == (masks)(level)), here = at_level & masks_of(iterations >= length);
    const masks too_high = at_level & NOT(here);
    orbits.x = choose_complex(too_high, scaled(orbits.x, mu_of(ladder)), orbits.x);
    orbits.level -= ONE_WHERE(too_high);
    if (!ANY(here)) continue;
    move(&orbits, here, level, plane->top - level, ladder);
    iterations -= counts_of(here) * length;
    orbits.active = here;
    change_level(&orbits, ladder, plane->top, plane->bottom);
    going &= NOT(masks_of(iterations == (counts)(0)));
  }
  for (;;) {  // both at one level
    const masks below = asked & (orbits.level < now->level), above = asked & (orbits.level > now->level);
    if (!ANY(below | above)) break;
    orbits.x = choose_complex(below, scaled(orbits.x, inverse_mu_of(ladder)), orbits.x);
    orbits.x = choose_complex(above, scaled(orbits.x, mu_of(ladder)), orbits.x);
    orbits.level += ONE_WHERE(below);
    orbits.level -= ONE_WHERE(above);
  }
  const complex_number away = {minus(orbits.x.re, now->x.re), minus(orbits.x.im, now->x.im)};
  return asked & NOT(going) & (squared_modulus(away) <= orbits.trap * orbits.trap);
}

// Steps may jump over a return, so that the first one seen may be several rounds of the cycle. Within the trap the
// cycle has one point.
inline void make_cycle_least(Orbits* orbits, masks caught, const Ladder* ladder, const LadderPlane* plane) {
  const int factors[] = {2, 3, 5, 7, 11, 13};
  for (int i = 0; i < 6; ++i) {
    masks asked = caught;
    for (;;) {
      const counts part = orbits->cycle / (counts)(factors[i]);
      asked &= masks_of(part * (counts)(factors[i]) == orbits->cycle);
      if (!ANY(asked)) break;
      asked = returns_after(orbits, asked, part, ladder, plane);
      orbits->cycle -= counts_of(asked) * (orbits->cycle - part);
    }
  }
}

#endif

inline void advance(Orbits* orbits, const Ladder* ladder, const LadderPlane* plane, const Round* round) {
  change_level(orbits, ladder, plane->top, plane->bottom);  // for orbits that the limit stopped right after a step
  const Start start = {orbits->x, orbits->level, orbits->count};
  reals close = (reals)(RETURN_DISTANCE);
  for (;;) {
    const masks running = orbits->active & (orbits->steps < (masks)(round->steps));
    if (!ANY(running)) return;
    const int level = highest_level(orbits, running);
    const masks here = running & (orbits->level == (masks)(level));
    step_at(orbits, here, level, ladder, plane, round);
    change_level(orbits, ladder, plane->top, plane->bottom);
    const reals distance = distance_from(&start, orbits);
    const masks returned = here & orbits->active & (orbits->level == start.level) & (distance <= close);
    if (ANY(returned)) {
      reals trap;
      const masks caught = proved_attracted(orbits, &start, returned, distance, ladder, plane, &trap);
      close = returned ? distance * (real)0.0625 : close;  // an orbit on a cycle comes ever nearer
      orbits->interior |= caught;
#if DETAIL
      orbits->cycle += counts_of(caught) * (orbits->count - start.count);
      orbits->trap = caught ? trap : orbits->trap;
      if (ANY(caught)) make_cycle_least(orbits, caught, ladder, plane);
#endif
      orbits->active &= NOT(caught);
    }
    if (plane->bottom > 0) {
      const masks below = (orbits->level == (masks)(plane->bottom)) & (squared_modulus(orbits->x) > (real)1);
      orbits->active &= NOT(below);
    }
  }
}

// ---- the picture

#if !PASSAGE
// The discs of the cascade: the number of period doublings of the pixel's disc, 0 outside all discs.
inline int doublings_at(real re, real im, const Ladder* ladder, int level) {
  for (; hypot(re, im) * (real)DELTA <= (real)RADIUS; ++level) {
    re *= (real)DELTA;
    im *= (real)DELTA;
  }
  re -= (real)DISC_CENTER;
  if (hypot(re, im) > (real)DISC_REACH) return 0;
  global const real* disc = disc_of(ladder, level);
  real value_re = 0, value_im = 0;  // the multiplier of the disc's cycle
  for (int i = DISC_TERMS - 1; i >= 0; --i) {
    const real next = value_re * re - value_im * im + disc[i];
    value_im = value_re * im + value_im * re;
    value_re = next;
  }
  return value_re * value_re + value_im * value_im < (real)SURELY_WITHIN ? level + 1 : 0;
}
#endif

// w of each pixel; the orbits of valid pixels are active, at z = 0: x = 0 on the top level, or with a passage on level 0.
inline Orbits orbits_at_zero(const Pixels* pixels, const LadderPlane* plane) {
  const Offsets at = offsets_of(uints_from(pixels->index), &plane->grid);
  const number right = number_of(at.right), up = number_of(at.up);
  Orbits orbits;
  orbits.w.re = plus(plus(number_of_parts(plane->center_re, plane->center_re_low),
                          times(right, number_of_parts(plane->right_re, plane->right_re_low))),
                     times(up, number_of_parts(plane->up_re, plane->up_re_low)));
  orbits.w.im = plus(plus(number_of_parts(plane->center_im, plane->center_im_low),
                          times(right, number_of_parts(plane->right_im, plane->right_im_low))),
                     times(up, number_of_parts(plane->up_im, plane->up_im_low)));
  orbits.x.re = orbits.x.im = number_of((reals)(0));
  orbits.level = (masks)(plane->top);
#if PASSAGE
  orbits.x.re = number_of((reals)(-(FIXED_POINT) / LAMBDA));
  orbits.level = (masks)(0);
#endif
  orbits.count = (counts)(0);
  orbits.active = masks_from(pixels->valid);
  orbits.limited = (masks)(0);
  orbits.interior = (masks)(0);
  orbits.steps = (masks)(0);
#if DETAIL
  orbits.derivative.re = orbits.derivative.im = (reals)(0);
  orbits.cycle = (counts)(0);
  orbits.trap = (reals)(0);
  orbits.doublings = (masks)(0);
  orbits.pixel = plane->spacing;
#endif
  return orbits;
}

#if PASSAGE == 1
// The cardioid: with ε = c - 1/4 = s·w, |ε|²·(|ε|² + Re ε) < (Im ε)²/4.
inline masks in_cardioid(reals re, reals im, reals norm, real s) {
  return (s * norm * (s * norm + re) * SURELY < (real)0.25 * im * im) | ((im == (reals)(0)) & (re <= (reals)(0)));
}
inline masks in_disc(reals re, reals norm, real s) { return (masks)(0); }
#elif PASSAGE == 2
// The cardioid: the multiplier of its fixed point is -1 + u, u = 2 - 2√(1 - ε) = ε + ε²/4 + ε³/8 + …, ε = c + 3/4 = s·w.
inline masks in_cardioid(reals re, reals im, reals norm, real s) {
  const plain_complex w = {re, im}, w2 = plain_product(w, w), w3 = plain_product(w2, w);
  const reals u_re = re + s * ((real)0.25 * w2.re + (real)0.125 * s * w3.re);
  const reals u_im = im + s * ((real)0.25 * w2.im + (real)0.125 * s * w3.im);
  return 2 * u_re > SURELY * s * (u_re * u_re + u_im * u_im);
}
// The disc of period 2: |c + 1| < 1/4.
inline masks in_disc(reals re, reals norm, real s) { return (real)0.5 * re + SURELY * s * norm < (reals)(0); }
#endif

#if PASSAGE
inline void exclude_interior(Orbits* orbits, const Ladder* ladder, int top) {
  const real s = ldexp((real)LAMBDA, -(int)(2 * LOG2_ALPHA) * top);  // δ is 1/μ² here
  const reals re = nearest(orbits->w.re), im = nearest(orbits->w.im), norm = re * re + im * im;
  const masks middle = (re == (reals)(0)) & (im == (reals)(0));
  const masks first = orbits->active & (in_cardioid(re, im, norm, s) | middle);
  const masks second = orbits->active & NOT(first) & in_disc(re, norm, s);
  orbits->interior = first | second;
  orbits->active &= NOT(orbits->interior);
#if DETAIL
  orbits->cycle += counts_of(first) + (counts_of(second) << 1);  // their periods
#endif
}
#else
// Excludes the pixels in the discs of the cascade, and c∞ itself.
inline void exclude_interior(Orbits* orbits, const Ladder* ladder, int top) {
  real re[LANES], im[LANES];
  mask inside[LANES], doublings[LANES];
  reals_to(nearest(orbits->w.re), re);
  reals_to(nearest(orbits->w.im), im);
  for (int lane = 0; lane < LANES; ++lane) {
    const bool middle = re[lane] == 0 && im[lane] == 0;
    doublings[lane] = middle ? 0 : doublings_at(re[lane], im[lane], ladder, top);
    inside[lane] = middle || doublings[lane] != 0 ? TRUE : 0;
  }
  orbits->interior = orbits->active & masks_from(inside);
  orbits->active &= NOT(orbits->interior);
#if DETAIL
  orbits->doublings = masks_from(doublings);
#endif
}
#endif

#if DETAIL

#define FINISHING_STEPS 256

// Orbits that ended above level 0 continue to their escape for the distance alone: at the end of the table, because all
// levels beyond are equal, and w is negligible there.
inline void finish_below(Orbits* orbits, masks ended, const Ladder* ladder, int bottom, real radius2) {
  const int top = min(bottom, LEVELS - 1);
  orbits->active = ended;
  orbits->level = ended ? (masks)(top) : orbits->level;
  for (int k = 0; k < FINISHING_STEPS && ANY(orbits->active); ++k) {
    change_level(orbits, ladder, top, 0);
    const int level = highest_level(orbits, orbits->active);
    const masks here = orbits->active & (orbits->level == (masks)(level));
    move(orbits, here, level, ROWS - 1, ladder);
    if (level == 0) orbits->active &= NOT(here & NOT(inside_radius(orbits, radius2)));
  }
}

inline void note_details(Results* results, const Orbits* found, const Ladder* ladder, const LadderPlane* plane,
                         const Round* round) {
  Orbits orbits = *found;
  const masks decided = NOT(orbits.active | orbits.interior | orbits.limited);
  orbits.active = (masks)(0);
  if (plane->bottom > 0 && ANY(decided)) finish_below(&orbits, decided, ladder, plane->bottom, round->radius2);
  real x[LANES], y[LANES], dx[LANES], dy[LANES];
  mask interior[LANES], going_on[LANES], endless[LANES], doublings[LANES];
  ulong cycle[LANES];
  reals_to(nearest(orbits.x.re), x);
  reals_to(nearest(orbits.x.im), y);
  reals_to(orbits.derivative.re, dx);
  reals_to(orbits.derivative.im, dy);
  masks_to(orbits.interior, interior);
  masks_to(found->active | found->limited, going_on);
  masks_to(orbits.active, endless);
  masks_to(orbits.doublings, doublings);
  counts_to(orbits.cycle, cycle);
  for (int lane = 0; lane < LANES; ++lane) {
    if (going_on[lane]) {
      results->detail[lane] = UNKNOWN_DETAIL;
    } else if (interior[lane]) {
      const bool caught = cycle[lane] != 0;
      const int power = caught ? plane->bottom : (int)doublings[lane];
      const bool known = caught || power != 0;
      results->detail[lane] = known ? ldexp(caught ? (float)cycle[lane] : 1.0f, min(power, 64)) : UNKNOWN_DETAIL;
    } else {
#if PASSAGE
      const real modulus = hypot((real)FIXED_POINT + (real)LAMBDA * x[lane], (real)LAMBDA * y[lane]);
      const real distance = modulus * log(modulus) / ((real)LAMBDA * hypot(dx[lane], dy[lane]));
#else
      const real modulus = hypot(x[lane], y[lane]);
      const real distance = modulus * log(modulus * -(real)LAMBDA) / hypot(dx[lane], dy[lane]);
#endif
      results->detail[lane] = endless[lane] ? SMALLEST_DISTANCE : (float)clamped_distance(distance);
    }
  }
}

#endif

// 1 - log2(ln|z| / ln R) on level 0.
inline reals fraction(complex_number x, real inverse_ln_radius) {
  return (real)1 - log2((real)0.5 * log(squared_modulus_of_z(x)) * inverse_ln_radius);
}

// n and f of cells, which count in larger units than the orbit.
inline void note_results(Results* results, const Orbits* orbits, const LadderPlane* plane, const Round* round) {
  const uint shift = plane->cell_shift;
  ulong count[LANES];
  counts_to(orbits->count, count);
  if (plane->bottom > 0) {
    reals_to((reals)(0), results->f);
  } else {
    reals_to(fraction(orbits->x, round->inverse_ln_radius), results->f);
  }
  for (int lane = 0; lane < LANES; ++lane) {
    const ulong whole = count[lane] >> shift, rest = count[lane] - (whole << shift);
    results->n[lane] = (uint)clamp(whole, (ulong)1, (ulong)0xffffff00u);
    results->f[lane] = ldexp((real)rest + results->f[lane], -(int)shift);
  }
  masks_to(orbits->steps, results->steps);
  masks_to(orbits->interior | orbits->limited, results->proved);
  masks_to(orbits->active, results->undecided);
}

// The orbits that continue, now or to a higher limit.
inline void save(const Orbits* orbits, const Pixels* pixels, global SavedOrbit* saved) {
  const masks going_on = orbits->active | orbits->limited;
  if (!ANY(going_on)) return;
  real x[4][LANES];
#if DETAIL
  real derivative[2][LANES];
  reals_to(orbits->derivative.re, derivative[0]);
  reals_to(orbits->derivative.im, derivative[1]);
#endif
  mask level[LANES], goes_on[LANES];
  ulong count[LANES];
  masks_to(going_on, goes_on);
  number_to(orbits->x.re, x[0], x[2]);
  number_to(orbits->x.im, x[1], x[3]);
  masks_to(orbits->level, level);
  counts_to(orbits->count, count);
  for (int lane = 0; lane < LANES; ++lane) {
    if (!goes_on[lane]) continue;
    global SavedOrbit* orbit = saved + pixels->index[lane];
    for (int k = 0; k < 4; ++k) orbit->x[k] = x[k][lane];
    orbit->count = count[lane];
    orbit->level = (int)level[lane];
#if DETAIL
    for (int k = 0; k < 2; ++k) orbit->derivative[k] = derivative[k][lane];
#endif
  }
}

inline void load(Orbits* orbits, const Pixels* pixels, global const SavedOrbit* saved) {
  real x[4][LANES];
#if DETAIL
  real derivative[2][LANES];
#endif
  mask level[LANES];
  ulong count[LANES];
  for (int lane = 0; lane < LANES; ++lane) {
    const bool valid = pixels->valid[lane] != 0;
    global const SavedOrbit* orbit = saved + pixels->index[lane];
    for (int k = 0; k < 4; ++k) x[k][lane] = valid ? orbit->x[k] : (real)0;
    count[lane] = valid ? orbit->count : 0;
    level[lane] = valid ? orbit->level : 0;
#if DETAIL
    for (int k = 0; k < 2; ++k) derivative[k][lane] = valid ? orbit->derivative[k] : (real)0;
#endif
  }
#if DETAIL
  orbits->derivative.re = reals_from(derivative[0]);
  orbits->derivative.im = reals_from(derivative[1]);
#endif
  orbits->x.re = number_from(x[0], x[2]);
  orbits->x.im = number_from(x[1], x[3]);
  orbits->level = masks_from(level);
  orbits->count = counts_from(count);
}

#define BUFFERS                                                                                              \
  global uint *cells, global SavedOrbit *saved, global uint *kept, volatile global uint *counters,           \
      global uint *aside, global const real *numbers, global const uchar *extents

inline void advance_pixels(Orbits* orbits, const Pixels* pixels, const Ladder* ladder, const LadderPlane* plane,
                           const Round* round, const Store* store, global SavedOrbit* saved, global uint* aside,
                           volatile local Sums* group, volatile local uint* count) {
  advance(orbits, ladder, plane, round);
  if (round->start + round->steps >= plane->most_steps) {
    orbits->limited |= orbits->active;
    orbits->active = (masks)(0);
  }
  Results results;
  note_results(&results, orbits, plane, round);
#if DETAIL
  note_details(&results, orbits, ladder, plane, round);
#endif
  save(orbits, pixels, saved);
  finish(&results, pixels, round, store, group);
  mask limited[LANES];
  masks_to(orbits->limited, limited);
  keep_aside(limited, pixels, store->cells, aside, &store->counters[plane->kept], count);
}

kernel void begin_pixels(const LadderPlane plane, const Round round, BUFFERS DETAILS_PARAMETER) {
  local Sums group;
  local uint count;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  const Ladder ladder = {numbers, extents};
  Pixels pixels;
  take_from_pass(&pixels, &plane.grid, &round);
  Orbits orbits = orbits_at_zero(&pixels, &plane);
  exclude_interior(&orbits, &ladder, plane.top);
  advance_pixels(&orbits, &pixels, &ladder, &plane, &round, &store, saved, aside, &group, &count);
}

kernel void continue_pixels(const LadderPlane plane, const Round round, BUFFERS,
                            global const uint* taken DETAILS_PARAMETER) {
  local Sums group;
  local uint count;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  const Ladder ladder = {numbers, extents};
  Pixels pixels;
  take_from_list(&pixels, counters[round.from], taken, &round);
  Orbits orbits = orbits_at_zero(&pixels, &plane);
  load(&orbits, &pixels, saved);
  advance_pixels(&orbits, &pixels, &ladder, &plane, &round, &store, saved, aside, &group, &count);
}
