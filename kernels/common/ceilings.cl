// Peak rates of a device: arithmetic on independent values, and memory that is only read or copied. Each kernel ends in
// a known value, which proves that the work was done.
//
//   -D CHAINS=n       independent values of a work-item: more than enough to hide the latency of an operation
#include "precision.clh"
#include "share.clh"

#define UNROLL 16

typedef EXPAND(WIDE_REAL, 4) quads;  // one load

static real sum_of(const reals* x) {
  real sum = 0;
  for (uint c = 0; c < CHAINS; ++c) {
    reals value = x[c];
    for (uint k = 0; k < LANES; ++k) sum += lane_of(value, k);
  }
  return sum;
}

// x -> x / 2 + 1, which ends at 2.
kernel void multiply_adds(global real* results, uint rounds, real half_, real one) {
  reals x[CHAINS];
  for (uint c = 0; c < CHAINS; ++c) x[c] = (reals)((real)(get_global_id(0) % 64 + c));
  for (uint round = 0; round < rounds; ++round)
#pragma unroll
    for (uint k = 0; k < UNROLL; ++k)
#pragma unroll
      for (uint c = 0; c < CHAINS; ++c) x[c] = multiply_add(x[c], (reals)half_, (reals)one);
  results[get_global_id(0)] = sum_of(x);
}

#ifndef DOUBLE
// x -> 1 / sqrt(x), which ends at 1.
kernel void roots(global real* results, uint rounds) {
  reals x[CHAINS];
  for (uint c = 0; c < CHAINS; ++c) x[c] = (reals)((real)(get_global_id(0) % 64 + c + 1));
  for (uint round = 0; round < rounds; ++round)
#pragma unroll
    for (uint k = 0; k < UNROLL; ++k)
#pragma unroll
      for (uint c = 0; c < CHAINS; ++c) x[c] = native_rsqrt(x[c]);
  results[get_global_id(0)] = sum_of(x);
}

// The sum of all values of `data`.
kernel void read_all(global real* results, global const quads* data, uint count) {
  const share_t share = own_share(count);
  quads sum = (quads)(0);
#pragma unroll 8
  for (uint i = share.first; i < share.end; i += share.stride) sum += data[i];
  results[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

kernel void copy_all(global quads* to, global const quads* from, uint count) {
  const uint i = get_global_id(0);
  if (i < count) to[i] = from[i];
}

// Reads a tile of ones repeatedly.
kernel void read_local(global real* results, uint rounds, local quads* tile) {
  const uint item = get_local_id(0), size = get_local_size(0);
  tile[item] = (quads)(1);
  barrier(CLK_LOCAL_MEM_FENCE);
  quads sum = (quads)(0);
  uint place = item;
  for (uint round = 0; round < rounds; ++round) {
#pragma unroll
    for (uint k = 0; k < UNROLL; ++k) sum += tile[(place + k) & (size - 1)];
    place += UNROLL;
  }
  results[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}

kernel void nothing(global real* results) {
  if (get_global_id(0) == 0) results[0] = 1;
}
#endif
