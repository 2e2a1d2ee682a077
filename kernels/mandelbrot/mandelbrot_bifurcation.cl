// The bifurcation diagram of x -> x^2 + c, or of another POWER (mandelbrot_formula.clh): the visits of orbits to each
// x, for each column, which is one real c.
//
// A column has WALKERS orbits, each with its own c within the column, so that curves are continuous and smooth.
// All of them begin at one point of the attractor near 0, whose orbit every attractor attracts. Columns are counted
// separately: counts[column * rows + row], row 0 at the top. Sums of whole numbers: the same with any work-group.
//
// The orbits, by depth:
//   plain      x and c themselves.
//   perturbed  x = Z_m + d with the orbit Z of the middle's c, restarted with d = x where |x| < |d|, or where Z ends
//              (see mandelbrot_perturbation.cl).
//   ladder     near c∞, 2^j iterations at a step (see mandelbrot_ladder.cl). While |x| <= 1 on the highest level,
//              skipped points lie in other bands of the attractor, away from 0 and from the diagram.
//
// Definitions: PAIRS and those of mandelbrot_ladder_table.clh, with PASSAGE=0; WALKERS.
#include "mandelbrot_formula.clh"
#include "mandelbrot_ladder_table.clh"

#define BEYOND ((real)4.0)  // no bounded orbit exceeds it
#define LEAST_TERM ((real)1e-11)  // of a level's map, where |x| <= 1: below a hundred-thousandth of a row
#define GONE -1             // the index of a walker that has escaped

// The program mirrors this struct.
typedef struct {
  real center, center_low;    // of the picture: c, perturbed 0, on the ladder w …
  real spacing, spacing_low;  // … and of columns
  real middle, middle_low;    // x at half the height, on the ladder in units of the top level …
  real rows_per_x;            // … as is this
  real start, start_spread;   // walkers begin at start, on the attractor at the middle, or up to start_spread above
  uint columns, rows;
  int top;     // level of the ladder
  uint last;   // index of the end of the orbit Z
} DiagramPlane;

typedef struct {
  real x, x_low;  // perturbed: d
  int index;      // level of the ladder, place in the orbit Z, or GONE
  uint unused;
} Walker;

inline Walker walker_of(number x, int index) {
  Walker walker = {0, 0, index, 0};
  number_to(x, &walker.x, &walker.x_low);
  return walker;
}

// c in columns from the middle of the picture.
inline number c_of(uint walker, const DiagramPlane* plane) {
  const uint column = walker / WALKERS;
  const real place = (real)column + ((real)(walker % WALKERS) + (real)0.5) / WALKERS - (real)0.5 * plane->columns;
  return plus(number_of_parts(plane->center, plane->center_low),
              times(number_of_parts(plane->spacing, plane->spacing_low), number_of(place)));
}

inline void count_visit(reals from_middle, uint walker, const DiagramPlane* plane, global uint* counts) {
  const real row = (real)0.5 * plane->rows - from_middle * plane->rows_per_x;
  if (row >= 0 && row < (real)plane->rows) atomic_inc(counts + (size_t)(walker / WALKERS) * plane->rows + (uint)row);
}

// ---- one work-item per walker

kernel void place_walkers(DiagramPlane plane, global Walker* walkers) {
  const uint i = (uint)get_global_id(0);
  if (i >= plane.columns * WALKERS) return;
  const real part = ((real)(i % WALKERS) + (real)0.5) / WALKERS;
  walkers[i] = (Walker){plane.start + plane.start_spread * part, 0, plane.top, 0};
}

kernel void clear_counts(DiagramPlane plane, global uint* counts) {
  const size_t i = get_global_id(0);
  if (i < (size_t)plane.columns * plane.rows) counts[i] = 0;
}

DEFINE_POWERS(number, times, plus, lower, steepness)

// The place at which x -> x^POWER + c is a step; perturbed, of the difference from the orbit Z.
typedef struct {
  number x;
  uint m;
} Place;

// `orbit` has the high parts of Z_0 … Z_last, then the low ones; last is 0 where x itself is iterated.
inline number x_of(Place place, uint last, global const real* orbit) {
  return last == 0 ? place.x : plus(constant_of(orbit + place.m, last + 1), place.x);
}

inline number step(Place* place, number c, uint last, global const real* orbit) {
  if (last == 0) return place->x = plus(times(lower(place->x), place->x), c);
  const number z = constant_of(orbit + place->m, last + 1);
#if POWER == 2
  place->x = plus(times(place->x, plus(plus(z, z), place->x)), c);
#else
  place->x = plus(times(place->x, steepness(z, plus(z, place->x))), c);
#endif
  ++place->m;
  const number x = x_of(*place, last, orbit);
  if (place->m == last || fabs(nearest(x)) < fabs(nearest(place->x))) *place = (Place){x, 0};
  return x;
}

// Visits are counted from the step `settled` on.
inline void walk(DiagramPlane plane, uint steps, uint settled, global Walker* walkers, global uint* counts,
                 global const real* orbit) {
  const uint i = (uint)get_global_id(0);
  if (i >= plane.columns * WALKERS || walkers[i].index == GONE) return;
  const number c = c_of(i, &plane), middle = number_of_parts(plane.middle, plane.middle_low);
  Place place = {number_of_parts(walkers[i].x, walkers[i].x_low), (uint)walkers[i].index};
  for (uint n = 0; n < steps; ++n) {
    const number x = step(&place, c, plane.last, orbit);
    if (!(fabs(nearest(x)) < BEYOND)) {
      walkers[i].index = GONE;
      return;
    }
    if (n >= settled) count_visit(nearest(minus(x, middle)), i, &plane, counts);
  }
  walkers[i] = walker_of(place.x, (int)place.m);
}

kernel void walk_plain(DiagramPlane plane, uint steps, uint settled, global Walker* walkers, global uint* counts) {
  walk(plane, steps, settled, walkers, counts, 0);
}

kernel void walk_perturbed(DiagramPlane plane, uint steps, uint settled, global Walker* walkers, global uint* counts,
                           global const real* orbit) {
  walk(plane, steps, settled, walkers, counts, orbit);
}

// ---- cycles

// f^q(x) − x, and its derivative.
typedef struct {
  real value, slope;
} Return;

inline Return return_of(number x, uint q, number c, uint last, global const real* orbit) {
  Place place = {x, 0};
  real slope = 1;
  number there = x;
  for (uint n = 0; n < q; ++n) {
    slope *= POWER * nearest(lower(there));
    there = step(&place, c, last, orbit);
  }
  return (Return){nearest(minus(there, x)), slope - 1};
}

// Newton's method for a point of period q; with `other`, for one other than `known`, whose period divides q. False
// where it does not converge.
inline int find_cycle(number* x, real* slope, uint q, int other, number known, number c, const DiagramPlane* plane,
                      global const real* orbit) {
  const real enough = (real)1e-3 / fabs(plane->rows_per_x);  // a thousandth of a row
  for (int n = 0; n < 24; ++n) {
    const Return at = return_of(*x, q, c, plane->last, orbit);
    const real away = nearest(minus(*x, known));
    // Divided by the distance from the known point: value / away is 0 only at the others.
    const real rise = other ? at.slope - at.value / away : at.slope;
    const real change = at.value / rise;
    *slope = at.slope + 1;
    if (!(fabs(change) < BEYOND)) return 0;
    *x = minus(*x, number_of(change));
    if (fabs(change) < enough) return 1;
  }
  return 0;
}

// Beside a doubling orbits settle slowly. At most one cycle attracts: where Newton's method finds it, from the orbit's
// present point, and from doubling to doubling, the orbit is set onto it.
kernel void settle_cycles(DiagramPlane plane, uint first, uint period, uint longest, global Walker* walkers,
                          global const real* orbit) {
  const uint i = first + (uint)get_global_id(0);
  if (i >= plane.columns * WALKERS || walkers[i].index == GONE) return;
  const number c = c_of(i, &plane);
  const Place place = {number_of_parts(walkers[i].x, walkers[i].x_low), (uint)walkers[i].index};
  number x = x_of(place, plane.last, orbit), known = x;
  real slope = 0;
  for (uint q = period; q <= longest; q *= 2) {
    if (!find_cycle(&x, &slope, q, q > period, known, c, &plane, orbit)) return;
    if (fabs(slope) <= 1) {
      walkers[i] = walker_of(x, 0);
      return;
    }
    if (slope > 0) return;  // it has not doubled
    known = x;
    x = plus(x, number_of((real)0.25 * plane.rows / fabs(plane.rows_per_x)));
  }
}

// ---- the ladder

// The polynomial in w that is the coefficient of that power of x^2.
inline number coefficient_of(const Ladder* ladder, int level, int row, int term, number w) {
  global const uchar* extent = extent_of(ladder, level, row);
  global const real* coefficients = coefficients_of(ladder, level);
  number sum = number_of((reals)(0));
  for (int order = extent[0] - 1; order >= 0; --order) {
    sum = times(sum, w);
    if (term < extent[1 + order]) sum = plus(sum, constant_of(coefficients + TERMS * order + term, LOW));
  }
  return sum;
}

// A level of the ladder at one w: g(x) = Σ terms_m x^(2m).
typedef struct {
  number terms[TERMS];
  int count;
} Level;

inline void set_level(Level* level, const Ladder* ladder, int index, int row, number w) {
  level->count = extent_of(ladder, index, row)[1];
  for (int m = 0; m < level->count; ++m) level->terms[m] = coefficient_of(ladder, index, row, m, w);
  while (level->count > 1 && fabs(nearest(level->terms[level->count - 1])) < LEAST_TERM) --level->count;
}

inline number value_of(const Level* level, number x) {
  const number u = times(x, x);
  number sum = number_of((reals)(0));
  for (int m = level->count - 1; m >= 0; --m) sum = plus(times(sum, u), level->terms[m]);
  return sum;
}

kernel void walk_ladder(DiagramPlane plane, uint steps, uint settled, global Walker* walkers, global uint* counts,
                        global const real* numbers, global const uchar* extents) {
  const uint i = (uint)get_global_id(0);
  if (i >= plane.columns * WALKERS || walkers[i].index == GONE) return;
  const Ladder ladder = {numbers, extents};
  const number w = c_of(i, &plane), middle = number_of_parts(plane.middle, plane.middle_low);
  const number mu = mu_of(&ladder), inverse_mu = inverse_mu_of(&ladder);
  const real least = fabs(nearest(mu));
  const int bottom = max(0, plane.top - ROWS + 1);
  Level highest, lower;
  int level = walkers[i].index, lower_index = GONE;
  set_level(&highest, &ladder, plane.top, 0, w);
  number x = number_of_parts(walkers[i].x, walkers[i].x_low);
  for (uint n = 0; n < steps; ++n) {
    if (level == plane.top) {
      x = value_of(&highest, x);
    } else {
      const int row = plane.top - level;
      if (lower_index != level) set_level(&lower, &ladder, level, row, times(w, power_of(&ladder, row)));
      lower_index = level;
      x = value_of(&lower, x);
    }
    if (!(fabs(nearest(x)) < BEYOND)) {
      walkers[i].index = GONE;
      return;
    }
    number on_top = x;
    for (int each = level; each < plane.top; ++each) on_top = times(on_top, inverse_mu);
    if (n >= settled) count_visit(nearest(minus(on_top, middle)), i, &plane, counts);
    for (; level < plane.top && fabs(nearest(x)) <= least; ++level) x = times(x, inverse_mu);
    for (; level > bottom && fabs(nearest(x)) > 1; --level) x = times(x, mu);
  }
  walkers[i] = walker_of(x, level);
}

// ---- one work-item per column

// Each row's visits relative to the mean of its column: values[row * columns + column].
kernel void publish_diagram(uint columns, uint rows, global const uint* counts, global float* values) {
  const uint column = (uint)get_global_id(0);
  if (column >= columns) return;
  global const uint* own = counts + (size_t)column * rows;
  ulong visits = 0;
  for (uint row = 0; row < rows; ++row) visits += own[row];
  const float scale = visits == 0 ? 0.0f : (float)rows / (float)visits;
  for (uint row = 0; row < rows; ++row) values[(size_t)row * columns + column] = (float)own[row] * scale;
}
