// Orbits as differences from a reference orbit Z: z_n = Z_m + δ, δ' = (2Z + δ)·δ + Δc, or of another POWER
// (mandelbrot_formula.clh) δ' = S·δ + Δc with the sum S of Z^(d-1-k)·z^k, k = 0 … d - 1.
//
// Where z is nearer to 0 than to Z, or the reference ends, the orbit continues beside the reference's beginning: Z_0 is
// 0, so δ equals z there. One reference thus serves every pixel, and no pixel loses its digits. Where δ is small, one
// step of the table (mandelbrot_table.clh) replaces many iterations.
//
// A launch takes a number of steps, of either kind, with every pixel. Undecided pixels continue in the next launch;
// pixels at the iteration limit are stored with their orbits for a higher one.
//
// Definitions: those of mandelbrot_complex.clh; INTERIOR_TESTS=0 iterates every pixel to the limit; DETAIL=1, see
// mandelbrot_detail.clh.
//
// Sources: K. I. Martin, "SuperFractalThing" (2013); Zhuoran (fractalforums.org, 2021).
#include "mandelbrot_cycle.clh"
#include "mandelbrot_passes.clh"
#include "mandelbrot_table.clh"

// Beside parabolic points, in plain doubles, orbits take the steps of passages.
#if defined(DOUBLE) && !defined(PAIRS) && !EXTENDED && POWER == 2
#define PASSAGES 1
#include "mandelbrot_parabolic.clh"
#else
#define PASSAGES 0
typedef struct {
  int unused;
} PassageTable;
#endif

// The position of the picture relative to the reference, and the reference. The program mirrors this struct.
typedef struct {
  complex center;           // Δc of the picture's middle, …
  complex right, up;        // … and from a pixel to the next: all times 2^-exponent
  Grid grid;
  real spacing;             // of pixels, times 2^-exponent
  real origin_re, origin_re_low, origin_im, origin_im_low;  // c of the reference, in two numbers per part
  int exponent;
  uint last;           // of the reference orbit
  uint levels;         // of the table; 0: it is not used
  uint limit;          // N
  uint kept;           // the list of the pixels that have reached the limit
  int highest;         // |δ| of 2^highest and above exceeds the radius of every step
  uint period;         // of the cycle that attracts every pixel, if the reference has no end
  uint spine;          // the row of the picture whose first sample lies in [−2, 1/4], or none
} Field;

// The stored state of a pixel.
typedef struct {
  complex delta;  // times 2^-exponent
  complex saved;  // z of a return, times 2^-exponent
  int exponent, saved_exponent;
  uint m, n;
  uint returns, patience;  // since z was saved, and until it is saved again
#if DETAIL
  uint saved_n, period;  // n when z was saved; iterations until the first close return to it, or 0
  real2 derivative[sizeof(complex) / sizeof(real2)];  // D, times 2^-derivative_exponent, and padding
  int derivative_exponent;
  uint passages, level;  // passages begun; 0, or 1 + the level of a passage, in which δ is x
  uint unused;
#else
  uint passages, level;
#endif
} Orbit;

typedef struct {
  global const complex* orbit;
  global const int* exponents;
  global const Step* steps;
  global const float* radii;
  uint last, levels, limit;
  int highest;
  real radius2;
#if DETAIL
  real pixel;  // the distance of pixels, times 2^-pixel_exponent
  int pixel_exponent;
#endif
} Reference;

typedef enum { RUNNING, AT_LIMIT, OUTSIDE, CAUGHT, OTHER_NUMBERS, ENTERS, LEAVES } State;

// A step from m: the number of iterations is 2^level; of the table if the level is not 0.
typedef struct {
  uint level, entry;
} Choice;

// `exponent` bounds |δ|: it is less than 2^exponent.
inline Choice choose_step(const Reference* reference, uint m, int exponent) {
  Choice choice = {0, 0};
  if ((m & 1) == 0 || exponent > reference->highest || reference->levels == 0) return choice;
  const uint first = first_step(m - 1, reference->levels);
  const uint most = levels_of(m - 1, reference->levels);
  while (choice.level < most && (float)exponent <= reference->radii[first + choice.level]) ++choice.level;
  choice.entry = first + choice.level - 1;
  return choice;
}

DEFINE_POWERS(complex, multiply, add, lower, steepness)

// ∂z^POWER/∂z
inline complex slope(complex z) {
#if POWER == 2
  return add(z, z);
#else
  return times_real(lower(z), POWER);
#endif
}

#if EXTENDED
DEFINE_POWERS(extended, extended_product, extended_sum, extended_lower, extended_steepness)
#endif

#if DETAIL

#ifdef DOUBLE
#define LARGEST_EXPONENT 300  // of D; beyond it D is scaled
#else
#define LARGEST_EXPONENT 30
#endif

// D' = a·D + b, a and b times 2^ their exponents.
inline void derive(Orbit* o, const Reference* reference, complex a, int a_exponent, complex b, int b_exponent) {
  const real2 d = o->derivative[0], p = (real2)(RE(a), IM(a));
  const real2 turned = (real2)(p.x * d.x - p.y * d.y, p.x * d.y + p.y * d.x);
  const real2 added = (real2)(RE(b), IM(b)) * reference->pixel;
#if EXTENDED
  const int first = o->derivative_exponent + a_exponent, second = reference->pixel_exponent + b_exponent;
  const int larger = max(first, second);
  const real2 sum = ldexp(turned, max(first - larger, -2000)) + ldexp(added, max(second - larger, -2000));
  const int exponent = exponent_of(fabs(sum.x) + fabs(sum.y)), shift = abs(exponent) > LARGEST_EXPONENT ? exponent : 0;
  o->derivative[0] = ldexp(sum, -shift);
  o->derivative_exponent = larger + shift;
#else
  o->derivative[0] = turned + added;
#endif
}

// The distance to the set in pixels; |z| = |value|·2^exponent.
inline float distance_at(const Orbit* o, complex value, int exponent) {
  const real2 d = o->derivative[0];
  const real modulus = hypot(RE(value), IM(value)), ln = log(modulus) + (real)exponent * LN_2;
  const real distance = ldexp(modulus * ln / hypot(d.x, d.y), clamp(exponent - o->derivative_exponent, -2000, 2000));
  return (float)clamped_distance(distance);
}

// The first close return of an orbit on a cycle gives the period; later ones are multiples of it.
inline void note_return(Orbit* o) {
  if (o->period != 0) return;
  const int shift = clamp(o->exponent - o->saved_exponent, -2000, 2000);
  const complex moved = add(scaled(o->delta, shift), -o->saved);
  if (magnitude(moved) <= (real)SAME_POINT * magnitude(o->saved)) o->period = o->n - o->saved_n;
}

inline uint period_of(const Orbit* o) {
  const uint whole = o->n - o->saved_n;
  return o->period != 0 && whole % o->period == 0 ? o->period : whole;
}

#endif

// An orbit that returns exactly to an earlier z never leaves. R. P. Brent's search: the z to return to is saved again
// after 1, 2, 4, 8 ... returns to the beginning of the reference.
inline bool caught(Orbit* o) {
#if INTERIOR_TESTS
#if DETAIL
  note_return(o);
#endif
  if (same(o->delta, o->saved) && o->exponent == o->saved_exponent) return true;
  if (++o->returns < o->patience) return false;
  o->saved = o->delta;
  o->saved_exponent = o->exponent;
  o->patience = max(2 * o->patience, 1u);  // it is 0 at first
  o->returns = 0;
#if DETAIL
  o->saved_n = o->n;
  o->period = 0;
#endif
#endif
  return false;
}

inline real modulus2(complex z) {
  const real x = RE(z), y = IM(z);
  return multiply_add(x, x, y * y);
}

inline complex plain_reference(const Reference* reference, uint m) {
#if EXTENDED
  return scaled(reference->orbit[m], reference->exponents[m]);
#else
  return reference->orbit[m];
#endif
}

inline complex table_step(const Reference* reference, uint entry, complex delta, complex dc, int dc_exponent) {
  global const Step* step = &reference->steps[entry];
#if EXTENDED
  const complex k_delta = scaled(multiply(step->k, delta), step->k_exponent);
  return add(scaled(multiply(step->a, multiply_then_add(k_delta, delta, delta)), step->a_exponent),
             scaled(multiply(step->b, dc), clamp(step->b_exponent + dc_exponent, -4000, 4000)));
#else
  const complex bent = multiply_then_add(multiply(step->k, delta), delta, delta);
  return multiply_then_add(step->a, bent, multiply(step->b, dc));
#endif
}

#if DETAIL
// The derivative of A·δ·(1 + K·δ) + B·Δc: A·(1 + 2K·δ)·D + B.
inline void derive_in_table(Orbit* o, const Reference* reference, uint entry, complex delta, int delta_exponent) {
  global const Step* step = &reference->steps[entry];
#if EXTENDED
  const complex bend = scaled(multiply(step->k, delta), clamp(step->k_exponent + delta_exponent + 1, -2000, 2000));
  derive(o, reference, multiply_then_add(step->a, bend, step->a), step->a_exponent, step->b, step->b_exponent);
#else
  const complex bend = multiply(step->k, delta + delta);
  derive(o, reference, multiply_then_add(step->a, bend, step->a), 0, step->b, 0);
#endif
}
#endif

inline void move_on(Orbit* o, uint level) {
  o->m += 1u << level;
  o->n = add_sat(o->n, 1u << level);
}

#if PASSAGES

// Whether a passage begins at z, beside 0.
inline bool enters(const PassageTable* table, int highest, complex z) {
  const Passage* passage = &table->constants;
  const complex y = add(z, -passage->point);
  return highest >= 0 && dot(y, y) <= passage->radius * passage->radius;
}

// Moves to the level at which |x| is between |μ| and 1, within the levels and the iterations to the limit.
inline State settle(Orbit* o, const Passage* passage, int highest, uint limit) {
  const ulong left = limit - o->n, single = iterations_of_level_0(passage);
  while ((int)o->level <= highest && dot(o->delta, o->delta) <= passage->mu * passage->mu) {
    o->delta /= passage->mu;
    ++o->level;
  }
  while (o->level > 1 && (dot(o->delta, o->delta) > 1 || single << (o->level - 1) > left)) {
    o->delta *= passage->mu;
    --o->level;
  }
  if (dot(o->delta, o->delta) > 1) return LEAVES;
  return single > left ? AT_LIMIT : RUNNING;  // nothing escapes within a step
}

// The steps of a passage, until the orbit is beside the reference's beginning again.
inline State pass(Orbit* o, const Reference* reference, const PassageTable* table, complex dc, int highest, uint* left) {
  const Passage* passage = &table->constants;
  LevelMap map;
  map.level = -1;
  if (o->level == 0) {
    o->delta = add(o->delta, -passage->point) / passage->radius;
    o->level = 1;
    ++o->passages;
  }
  for (;;) {
    const State state = settle(o, passage, highest, reference->limit);
    if (state == AT_LIMIT) return state;
    if (state == LEAVES) break;
    if (*left == 0) return RUNNING;
    --*left;
    const uint level = o->level - 1;
    find_map(&map, table, level, dc);
#if DETAIL
    const PassageStep step = passage_step(&map, passage->terms, o->delta);
    const complex by_c = step.by_w * (radius_at(passage, level) / passage->reach);
    derive(o, reference, step.by_x, 0, scaled(by_c, (int)level * log2_delta(passage)), 0);
    o->delta = step.value;
#else
    o->delta = passage_value(&map, passage->terms, o->delta);
#endif
    o->n += iterations_of_level_0(passage) << level;
  }
  o->delta = add(o->delta * passage->radius, passage->point);
  o->level = 0;
  return LEAVES;
}

#endif

// Steps while δ needs no separate exponent. Δc is dc·2^dc_exponent, and plain_dc its nearest plain number. With a table
// of passages, it ends where a passage begins.
inline State advance(Orbit* o, const Reference* reference, complex dc, int dc_exponent, uint* left, complex* z_out,
                     const PassageTable* table, int highest) {
  const complex plain_dc = scaled(dc, clamp(dc_exponent, -4000, 4000));
  complex z_reference = plain_reference(reference, o->m);
  while (true) {
    const complex z = add(z_reference, o->delta);
    if (POWER == 2 || isfinite(magnitude(z))) *z_out = z;
    if (o->n >= reference->limit) return AT_LIMIT;
    const real size = magnitude(z);
    // NaN, in an orbit far outside, counts as an escape.
    if (!(modulus2(z) <= reference->radius2)) return OUTSIDE;
    if (size < magnitude(o->delta) || o->m == reference->last) {
      o->delta = z;
      o->m = 0;
      z_reference = COMPLEX(0, 0);
      if (caught(o)) return CAUGHT;
#if PASSAGES
      if (table != 0 && enters(table, highest, z)) return ENTERS;
#endif
    }
    if (*left == 0) return RUNNING;
    --*left;
    const Choice choice = choose_step(reference, o->m, exponent_of(magnitude(o->delta)) + 1);
    const complex next = choice.level != 0 ? table_step(reference, choice.entry, o->delta, dc, dc_exponent)
                                           : multiply_then_add(steepness(z_reference, z), o->delta, plain_dc);
#if EXTENDED
    if (exponent_of(magnitude(next)) < SMALLEST_EXPONENT) {
      ++*left;  // the step is taken with extended numbers
      return OTHER_NUMBERS;
    }
#endif
#if DETAIL
    choice.level != 0 ? derive_in_table(o, reference, choice.entry, o->delta, 0)
                      : derive(o, reference, slope(z), 0, COMPLEX(1, 0), 0);
#endif
    o->delta = next;
    move_on(o, choice.level);
    z_reference = plain_reference(reference, o->m);
  }
}

#if EXTENDED

inline extended extended_reference(const Reference* reference, uint m) {
  return normal(reference->orbit[m], reference->exponents[m]);
}

inline extended extended_table_step(const Reference* reference, uint entry, extended delta, extended dc) {
  global const Step* step = &reference->steps[entry];
  const extended a = {step->a, step->a_exponent}, b = {step->b, step->b_exponent}, k = {step->k, step->k_exponent};
  const extended bent = extended_sum(delta, extended_product(extended_product(k, delta), delta));
  return extended_sum(extended_product(a, bent), extended_product(b, dc));
}

// Steps while δ is so small, or so large, that it needs a separate exponent.
inline State advance_extended(Orbit* o, const Reference* reference, extended dc, uint* left, extended* z_out) {
  extended delta = normal(o->delta, o->exponent);
  State state = RUNNING;
  while (state == RUNNING) {
    extended z = extended_sum(extended_reference(reference, o->m), delta);
    *z_out = z;
    if (o->n >= reference->limit) {
      state = AT_LIMIT;
    } else if (z.exponent > 60 || !(modulus2(plain(z)) <= reference->radius2)) {
      state = OUTSIDE;
    } else {
      const bool returns = is_smaller(z, delta) || o->m == reference->last;
      if (returns) {
        delta = z;
        o->m = 0;
        o->delta = delta.value;
        o->exponent = delta.exponent;
        if (caught(o)) return CAUGHT;
      }
      if (*left == 0) break;
      --*left;
      const extended z_reference = extended_reference(reference, o->m);
      const Choice choice = choose_step(reference, o->m, delta.exponent + 1);
#if DETAIL
      choice.level != 0 ? derive_in_table(o, reference, choice.entry, delta.value, delta.exponent)
                        : derive(o, reference, slope(z.value), (POWER - 1) * z.exponent, COMPLEX(1, 0), 0);
#endif
      delta = choice.level != 0
                  ? extended_table_step(reference, choice.entry, delta, dc)
                  : extended_sum(extended_product(extended_steepness(z_reference, z), delta), dc);
      move_on(o, choice.level);
      if (delta.exponent > SMALLEST_EXPONENT + 8 && delta.exponent < 50) state = OTHER_NUMBERS;
    }
  }
  o->delta = delta.value;
  o->exponent = delta.exponent;
  if (state == OTHER_NUMBERS) {
    o->delta = plain(delta);
    o->exponent = 0;
  }
  return state;
}

#endif

// 1 - log(ln|z| / ln R) to the base POWER, |z| = |value|·2^exponent
inline real fraction(complex value, int exponent, const Round* round) {
#if POWER != 2
  const real whole = exponent < 60 && modulus2(scaled(value, exponent)) <= round->radius2 ? 0 : 1;
#endif
  const real x = fabs(RE(value)), y = fabs(IM(value)), larger = fmax(x, y), part = fmin(x, y) / larger;
  const real ln = log(larger) + (real)0.5 * log1p(part * part) + (real)exponent * LN_2;
  return FRACTION(ln * round->inverse_ln_radius, whole);
}

// The decision from the last z of a launch.
typedef struct {
  real f;
#if DETAIL
  float distance;
#endif
} Last;

inline Last last_of(const Orbit* o, complex value, int exponent, const Round* round) {
  Last last;
  last.f = fraction(value, exponent, round);
#if DETAIL
  last.distance = distance_at(o, value, exponent);
#endif
  return last;
}

// Takes up to `steps` steps.
inline State run(Orbit* o, const Reference* reference, const Field* field, uint index, uint steps, uint* taken,
                 const Round* round, Last* last, const PassageTable* table) {
  const Offsets at = offsets_of(index, &field->grid);
  const complex dc = at_grid(field->center, field->right, field->up, at.right, at.up);
  uint left = steps;
#if EXTENDED
  const extended extended_dc = normal(dc, field->exponent);
  bool plain_numbers = o->exponent == 0 && exponent_of(magnitude(o->delta)) >= SMALLEST_EXPONENT;
  State state;
  do {
    if (plain_numbers) {
      complex z;
      state = advance(o, reference, extended_dc.value, extended_dc.exponent, &left, &z, 0, -1);
      *last = last_of(o, z, 0, round);
    } else {
      extended z;
      state = advance_extended(o, reference, extended_dc, &left, &z);
      *last = last_of(o, z.value, z.exponent, round);
    }
    plain_numbers = !plain_numbers;
  } while (state == OTHER_NUMBERS);
#else
  complex z = COMPLEX(0, 0);
#if PASSAGES
  const int highest = table != 0 ? highest_level(&table->constants, dc) : -1;
#if INTERIOR_TESTS
  const uint period = table != 0 && o->passages == 0 ? period_beside(table, dc) : 0;
  if (period != 0) {
#if DETAIL
    o->saved_n = o->n - period;
    o->period = period;
#endif
    return CAUGHT;
  }
#endif
  State state = ENTERS;
  if (o->level == 0) state = advance(o, reference, dc, 0, &left, &z, table, highest);
  while (state == ENTERS || state == LEAVES)
    state = state == ENTERS ? pass(o, reference, table, dc, highest, &left)
                            : advance(o, reference, dc, 0, &left, &z, table, highest);
#else
  const State state = advance(o, reference, dc, 0, &left, &z, 0, -1);
#endif
  *last = last_of(o, z, 0, round);
#endif
  *taken = steps - left;
  return state;
}

#if !EXTENDED
// The period of the cycle that attracts the orbit; 0 where none was found (mandelbrot_cycle.clh), and where the pixels
// are so close together that pairs do not distinguish them.
inline uint period_of_attractor(const Orbit* o, const Reference* reference, const Field* field, uint index,
                                uint steps) {
  if (ldexp(field->spacing, field->exponent) < FINEST_SPACING) return 0;
  const Offsets at = offsets_of(index, &field->grid);
  const complex dc = scaled(at_grid(field->center, field->right, field->up, at.right, at.up), field->exponent);
  if (o->level != 0) return 0;  // in a passage, whose cycles are known
  const complex z = add(plain_reference(reference, o->m), scaled(o->delta, o->exponent));
  const complex_pair c = {pair_sum((pair)(field->origin_re, field->origin_re_low), RE_PAIR(dc)),
                          pair_sum((pair)(field->origin_im, field->origin_im_low), IM_PAIR(dc))};
  return attracting_period((real2)(RE(z), IM(z)), c, steps);
}
#endif

#define BUFFERS                                                                                                   \
  global uint *cells, global Orbit *saved, global uint *kept, volatile global uint *counters, global uint *aside, \
      global const complex *orbit, global const int *exponents, global const Step *steps, global const float *radii

inline void advance_pixels(const Field* field, const Round* round, const Pixels* pixels, Orbit* o, global uint* cells,
                           global Orbit* saved, const Store* store, global uint* aside, const Reference* reference,
                           const PassageTable* table, bool examines, volatile local Sums* group,
                           volatile local uint* count) {
  const uint index = pixels->index[0];
  Results results = {{0}, {0}, {0}, {0}, {0}};
  mask limited = 0;
  if (pixels->valid[0]) {
    uint taken = 0;
    Last last = {0};
    // A reference without an end: all of the picture is proved to be interior. The set's part of the real axis is too,
    // where an orbit need not come near any cycle.
#if DETAIL  // needs the periods
    const bool inside = reference->last == 0;
#else
    const uint line = index / field->grid.width;
    const bool on_spine = line < field->grid.height && line + field->grid.first_row == field->spine;
    const bool inside = reference->last == 0 || on_spine;
#endif
    State state = CAUGHT;
    if (!inside) state = run(o, reference, field, index, round->steps, &taken, round, &last, table);
#if PASSAGES
    const bool passes = table != 0 && o->passages != 0;
    if (passes && state == RUNNING && round->start + round->steps >= table->constants.most_steps) state = AT_LIMIT;
#endif
    results.f[0] = last.f;
    uint period = 0;
#if !EXTENDED
    if (examines && (state == RUNNING || state == AT_LIMIT))
      period = period_of_attractor(o, reference, field, index, round->start + round->steps);
#endif
    const bool attracted = period != 0;
    limited = state == AT_LIMIT && !attracted ? TRUE : 0;
    results.undecided[0] = state == RUNNING && !attracted ? TRUE : 0;
    results.proved[0] = limited || attracted || state == CAUGHT ? TRUE : 0;
    results.n[0] = o->n;
    results.steps[0] = (mask)taken;
#if DETAIL
    results.detail[0] = state == OUTSIDE  ? last.distance
                        : attracted       ? (float)period
                        : state != CAUGHT ? UNKNOWN_DETAIL
                                          : (float)(reference->last == 0 ? field->period : period_of(o));
#endif
    if (limited || results.undecided[0]) saved[index] = *o;
  }
  finish(&results, pixels, round, store, group);
  keep_aside(&limited, pixels, cells, aside, &store->counters[field->kept], count);
}

inline Reference reference_of(const Field* field, const Round* round, global const complex* orbit,
                              global const int* exponents, global const Step* steps, global const float* radii) {
  const Reference reference = {orbit,         exponents,    steps,         radii, field->last,
                               field->levels, field->limit, field->highest, round->radius2
#if DETAIL
                               , field->spacing, field->exponent
#endif
  };
  return reference;
}

inline Orbit orbit_at_zero(const Reference* reference) {
#if DETAIL
  Orbit o = {COMPLEX(0, 0), COMPLEX(0, 0), 0, 0, 0, 0, 0, 0, 0, 0, {(real2)(0)}, 0, 0, 0, 0};
  o.derivative_exponent = reference->pixel_exponent;
#else
  Orbit o = {COMPLEX(0, 0), COMPLEX(0, 0), 0, 0, 0, 0, 0, 0, 0, 0};
#endif
  return o;
}

kernel void begin_perturbed(const Field field, const Round round, BUFFERS DETAILS_PARAMETER) {
  local Sums group;
  local uint count;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  const Reference reference = reference_of(&field, &round, orbit, exponents, steps, radii);
  Pixels pixels;
  take_from_pass(&pixels, &field.grid, &round);
  Orbit o = orbit_at_zero(&reference);
  advance_pixels(&field, &round, &pixels, &o, cells, saved, &store, aside, &reference, 0, false, &group, &count);
}

inline void go_on(const Field* field, const Round* round, const PassageTable* table, bool examines, BUFFERS,
                  global const uint* taken, const Store* store, volatile local Sums* group, volatile local uint* count) {
  const Reference reference = reference_of(field, round, orbit, exponents, steps, radii);
  Pixels pixels;
  take_from_list(&pixels, counters[round->from], taken, round);
  Orbit o = orbit_at_zero(&reference);
  if (pixels.valid[0]) o = saved[pixels.index[0]];
  advance_pixels(field, round, &pixels, &o, cells, saved, store, aside, &reference, table, examines, group,
                 count);
}

kernel void continue_perturbed(const Field field, const Round round, BUFFERS,
                               global const uint* taken DETAILS_PARAMETER) {
  local Sums group;
  local uint count;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  go_on(&field, &round, 0, false, cells, saved, kept, counters, aside, orbit, exponents, steps, radii, taken, &store,
        &group, &count);
}

#if !EXTENDED
// The same as continue_perturbed, and looks for the cycles that attract long orbits.
kernel void examine_perturbed(const Field field, const Round round, BUFFERS,
                              global const uint* taken DETAILS_PARAMETER) {
  local Sums group;
  local uint count;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  go_on(&field, &round, 0, true, cells, saved, kept, counters, aside, orbit, exponents, steps, radii, taken, &store,
        &group, &count);
}
#endif

#if PASSAGES
// The same as examine_perturbed, with the steps of passages.
kernel void pass_perturbed(const Field field, const Round round, BUFFERS, global const uint* taken DETAILS_PARAMETER,
                           const Passage passage, global const complex* coefficients, global const uint* terms,
                           global const complex* multipliers) {
  local Sums group;
  local uint count;
  const Store store = {cells, kept, counters DETAILS_ARGUMENT};
  const PassageTable table = {passage, coefficients, terms, multipliers};
  go_on(&field, &round, &table, passage.examines != 0, cells, saved, kept, counters, aside, orbit, exponents, steps,
        radii, taken, &store, &group, &count);
}
#endif
