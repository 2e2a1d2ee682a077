// Sum, minimum and maximum of an array, one value per group.
//
//   -D LANES=n   values per load: 1, 2, 4, 8 or 16
//   -D UNROLL=n  loads in flight
//   and those of reduce.clh, share.clh and precision.clh
#include "reduce.clh"

// With few lanes some loops are not unrolled, and a compiler in this process would print a warning.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

#if LANES == 1
#define wide_sums_of(values) ((wide_sums)(values))
#else
#define WIDE_CONVERT(n) convert_double##n
#define wide_sums_of(values) EXPAND(WIDE_CONVERT, LANES)(values)
#endif

// Sums side by side, one per lane.
#ifdef SUM_DOUBLE
#define WIDE_SUM(n) double##n
#if LANES == 1
typedef double wide_sums;
#else
typedef EXPAND(WIDE_SUM, LANES) wide_sums;
#endif
typedef wide_sums lane_sums;
#define no_sums ((lane_sums)(0))
static lane_sums with_values(lane_sums sums, reals values) { return sums + wide_sums_of(values); }
static sum_t lane_sum(const lane_sums* sums, uint k) { return ((const double*)sums)[k]; }
#else
typedef struct {
  reals high, low;  // the rounding error of `high` is in `low`
} lane_sums;
#define no_sums ((lane_sums){(reals)(0), (reals)(0)})
static lane_sums with_values(lane_sums sums, reals values) {
  const reals high = sums.high + values;
  const reals part = high - sums.high;
  return (lane_sums){high, sums.low + ((sums.high - (high - part)) + (values - part))};
}
static sum_t lane_sum(const lane_sums* sums, uint k) {
  return plus(sum_of(lane_of(sums->high, k)), sum_of(lane_of(sums->low, k)));
}
#endif

static reals values_at(global const real* values, uint i) { return reals_from(values + (size_t)i * LANES); }

kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void sum_values(global const real* values, uint count,
                                                                              global sum_t* sums) {
  local sum_t scratch[WORK_GROUP];
  const share_t share = own_share(count / LANES);
  lane_sums lanes = no_sums;
#pragma unroll UNROLL
  for (uint i = share.first; i < share.end; i += share.stride) lanes = with_values(lanes, values_at(values, i));
  sum_t sum = sum_of(0);
  for (uint k = 0; k < LANES; ++k) sum = plus(sum, lane_sum(&lanes, k));
  // The last values, too few for a load, one per item.
  const uint last = count / LANES * LANES + get_global_id(0);
  for (uint i = last; i < count; i += get_global_size(0)) sum = plus(sum, sum_of(values[i]));
  const sum_t all = group_sum(sum, scratch);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = all;
}

#ifndef DOUBLE
// Minimum and maximum as ordered_bits, the maximum with all bits inverted. NaN is ignored; without other values both
// are 0xffffffff.
kernel __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1))) void find_extremes(global const float* values, uint count,
                                                                                 global uint2* extremes) {
  local uint least[2];
  const share_t share = own_share(count / LANES);
  reals low = (reals)(NAN), high = (reals)(NAN);
#pragma unroll UNROLL
  for (uint i = share.first; i < share.end; i += share.stride) {
    const reals some = values_at(values, i);
    low = fmin(low, some);
    high = fmax(high, some);
  }
  float lowest = NAN, highest = NAN;
  for (uint k = 0; k < LANES; ++k) {
    lowest = fmin(lowest, lane_of(low, k));
    highest = fmax(highest, lane_of(high, k));
  }
  const uint last = count / LANES * LANES + get_global_id(0);
  for (uint i = last; i < count; i += get_global_size(0)) {
    lowest = fmin(lowest, values[i]);
    highest = fmax(highest, values[i]);
  }
  const uint smallest = group_minimum(isnan(lowest) ? 0xffffffffu : ordered_bits(lowest), &least[0]);
  const uint greatest = group_minimum(isnan(highest) ? 0xffffffffu : ~ordered_bits(highest), &least[1]);
  if (get_local_id(0) == 0) extremes[get_group_id(0)] = (uint2)(smallest, greatest);
}
#endif
