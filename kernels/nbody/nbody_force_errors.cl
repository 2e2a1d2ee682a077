// Sums the accelerations of some bodies once more, in twice the digits of single precision or more, to measure the errors
// of the stored ones.
//
//   -D SUM_DOUBLE=1  in double; else in sums of two floats
//   -D LANES=n       bodies per item, side by side; with SUM_DOUBLE only
//   -D MIXED=1       positions have corrections
#include "reduce.clh"

#ifdef SUM_DOUBLE
#if LANES == 1
typedef double wide;
#define wide_from(p) (*(p))
#define wide_to(v, p) (*(p) = (v))
#else
#define WIDE_DOUBLE(n) double##n
typedef EXPAND(WIDE_DOUBLE, LANES) wide;
#define wide_from(p) EXPAND(WIDE_LOAD, LANES)(0, p)
#define wide_to(v, p) EXPAND(WIDE_STORE, LANES)(v, 0, p)
#endif
#define sum_from(high, low) ((double)(high) + (double)(low))
#define number_of(sum) (sum)
typedef double number;
#define wide_plus(a, b) ((a) + (b))
#define wide_multiply_add(a, b, c) fma(a, b, c)
// m·r⁻³
static wide pull_of(double mass, wide r2) { return r2 > 0 ? mass / (r2 * sqrt(r2)) : (wide)0; }
#else
typedef sum_t wide;
#define wide_from(p) (*(p))
#define wide_to(v, p) (*(p) = (v))
#define sum_from(high, low) plus(sum_of(high), sum_of(low))
#define number_of(sum) ((sum).x)
typedef float number;
#define wide_plus(a, b) plus(a, b)
#define wide_multiply_add(a, b, c) plus(times(a, b), c)
// The estimate y of r⁻¹ is good to e = 1 − r²·y² ≈ 2⁻²²; the series in e ends at e³.
static wide pull_of(sum_t mass, wide r2) {
  if (!(r2.x > 0)) return sum_of(0);
  const sum_t y = sum_of(rsqrt(r2.x)), y2 = times(y, y);
  const float e = plus(sum_of(1), -times(r2, y2)).x;
  const sum_t series = plus(sum_of(1), sum_of((1.5f + 1.875f * e) * e));
  return times(mass, times(series, times(y, y2)));
}
#endif

typedef struct {
  sum_t x, y, z, mass;
} source_t;

static source_t source_at(global const real4* positions, global const real4* corrections, uint i) {
  const real4 high = positions[i];
#ifdef MIXED
  const real4 low = corrections[i];
#else
  const real4 low = (real4)(0);
#endif
  return (source_t){sum_from(high.x, low.x), sum_from(high.y, low.y), sum_from(high.z, low.z), sum_of(high.w)};
}

static wide squared_distance(wide dx, wide dy, wide dz, sum_t softening2) {
  return wide_multiply_add(dx, dx, wide_multiply_add(dy, dy, wide_multiply_add(dz, dz, (wide)(softening2))));
}

// First dimension: `drawn_count` of the drawn bodies from the one at `first` on, LANES per item; second dimension: the
// shares of the sources. `sums`: for each share the x of all these bodies, then their y, then their z.
kernel void attract_drawn(global const real4* positions, global const real4* corrections, uint bodies,
                          global const uint* drawn, uint first, uint drawn_count, uint share_bodies, sum_t softening2,
                          global sum_t* sums) {
  const uint from = get_global_id(0) * LANES, share = get_global_id(1);
  if (from >= drawn_count) return;
  sum_t own_x[LANES], own_y[LANES], own_z[LANES];
  for (uint k = 0; k < LANES; ++k) {
    const source_t own = source_at(positions, corrections, drawn[first + from + k]);
    own_x[k] = own.x;
    own_y[k] = own.y;
    own_z[k] = own.z;
  }
  const wide x = wide_from(own_x), y = wide_from(own_y), z = wide_from(own_z);
  wide ax = (wide)(0), ay = ax, az = ax;
  const uint end = min(bodies, (share + 1) * share_bodies);
  for (uint j = share * share_bodies; j < end; ++j) {
    const source_t source = source_at(positions, corrections, j);
    const wide dx = wide_plus(source.x, -x), dy = wide_plus(source.y, -y), dz = wide_plus(source.z, -z);
    const wide pull = pull_of(source.mass, squared_distance(dx, dy, dz, softening2));
    ax = wide_multiply_add(pull, dx, ax);
    ay = wide_multiply_add(pull, dy, ay);
    az = wide_multiply_add(pull, dz, az);
  }
  global sum_t* row = sums + (size_t)share * 3 * drawn_count + from;
  wide_to(ax, row);
  wide_to(ay, row + drawn_count);
  wide_to(az, row + 2 * drawn_count);
}

// Adds the shares; the accelerations are G times the sums.
static void add_shares(sum_t* reference, global const sum_t* sums, uint shares, uint drawn_count, uint k,
                       sum_t gravity) {
  for (uint axis = 0; axis < 3; ++axis) reference[axis] = sum_of(0);
  for (uint share = 0; share < shares; ++share)
    for (uint axis = 0; axis < 3; ++axis)
      reference[axis] = plus(reference[axis], sums[((size_t)share * 3 + axis) * drawn_count + k]);
  for (uint axis = 0; axis < 3; ++axis) reference[axis] = times(reference[axis], gravity);
}

// The error of `stored`, relative to the true acceleration.
static number error_of(const sum_t* reference, real4 stored) {
  const number off_x = number_of(plus(reference[0], -sum_of(stored.x))), off_y = number_of(plus(reference[1], -sum_of(stored.y))),
               off_z = number_of(plus(reference[2], -sum_of(stored.z)));
  const number x = number_of(reference[0]), y = number_of(reference[1]), z = number_of(reference[2]);
  const number off = sqrt(off_x * off_x + off_y * off_y + off_z * off_z), all = sqrt(x * x + y * y + z * z);
  return off == 0 ? 0 : off / all;
}

// Writes (x, y, z, error) for each of the drawn bodies from `first` on.
kernel void compare_drawn(global const sum_t* sums, uint shares, global const real4* accelerations,
                          global const uint* drawn, uint first, uint drawn_count, sum_t gravity,
                          global sum_t* references) {
  const uint k = get_global_id(0);
  if (k >= drawn_count) return;
  sum_t reference[3];
  add_shares(reference, sums, shares, drawn_count, k, gravity);
  for (uint axis = 0; axis < 3; ++axis) references[4 * k + axis] = reference[axis];
  references[4 * k + 3] = sum_of((real)error_of(reference, accelerations[drawn[first + k]]));
}

// Writes the errors alone, for the bodies from `first` on, which were drawn in their order.
kernel void note_errors(global const sum_t* sums, uint shares, global const real4* accelerations, uint first,
                        uint drawn_count, uint bodies, sum_t gravity, global float* errors) {
  const uint k = get_global_id(0);
  if (k >= drawn_count || first + k >= bodies) return;
  sum_t reference[3];
  add_shares(reference, sums, shares, drawn_count, k, gravity);
  errors[first + k] = (float)error_of(reference, accelerations[first + k]);
}

// Derives the tree's accuracy from the errors of the last draws, in one work-group. An error is remembered as error ·
// accuracy^−slope, which hardly depends on the accuracy of its measurement. If 1 of 100 remembered errors would now be
// above `most`, or fewer than that above `least`, the accuracy changes so that they become `aimed`: by at most a factor
// of 2 where errors grow, and 1.25 where they shrink, since the requested error is a bound.
kernel void hold_error(global const sum_t* references, uint drawn_count, uint row, uint rows, float slope, float least,
                       float most, float aimed, float least_accuracy, float most_accuracy, global float* remembered,
                       global float* accuracy) {
  local float common;
  const uint item = get_local_id(0), items = get_local_size(0), all = rows * drawn_count, rank = all / 100;
  if (all == 0) return;
  const float now = accuracy[0];
  for (uint k = item; k < drawn_count; k += items) {
    const float error = (float)number_of(references[4 * k + 3]);
    remembered[row * drawn_count + k] = error >= 0 ? error * pow(now, -slope) : INFINITY;
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  // Finds the error that `rank` others exceed.
  for (uint k = item; k < all; k += items) {
    const float own = remembered[k];
    uint above = 0;
    for (uint other = 0; other < all; ++other)
      above += remembered[other] > own || (remembered[other] == own && other < k) ? 1 : 0;
    if (above == rank) common = own;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item > 0 || !(common > 0 && common < INFINITY)) return;
  const float expected = common * pow(now, slope);
  if (expected <= most && expected >= least) return;
  const float next = clamp(pow(aimed / common, 1 / slope), now / 2, now * 1.25f);
  accuracy[0] = clamp(next, least_accuracy, most_accuracy);
}
