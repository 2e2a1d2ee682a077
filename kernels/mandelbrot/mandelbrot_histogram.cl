// The histogram of a published picture (mandelbrot_publish.cl) over even steps of log2(1 + nu - lowest nu), which
// spreads colours evenly. Every `step`-th pixel counts, unless it is interior or unknown.
#include "reduce.clh"

#define BINS 2048
#define STEPS_PER_OCTAVE 64.0f
#define LOWEST BINS  // behind the bins: the bits of the smallest value
#define INTERIOR_LIMIT -1e29f

kernel void reset_histogram(volatile global uint* counts) {
  const uint i = (uint)get_global_id(0);
  if (i <= LOWEST) counts[i] = i == LOWEST ? 0x7f7fffffu : 0u;
}

// The bits of non-negative floats are ordered like the floats.
kernel void find_lowest(uint count, uint step, global const float* values, volatile global uint* counts) {
  local uint group;
  uint own = 0x7f7fffffu;
  for (uint i = (uint)get_global_id(0); i < count / step; i += (uint)get_global_size(0)) {
    const float value = values[i * step];
    if (value > INTERIOR_LIMIT) own = min(own, as_uint(fmax(value, 0.0f)));
  }
  const uint least = group_minimum(own, &group);
  if (get_local_id(0) == 0) atomic_min(&counts[LOWEST], least);
}

kernel void count_values(uint count, uint step, global const float* values, volatile global uint* counts) {
  local uint bins[BINS];
  for (uint bin = (uint)get_local_id(0); bin < BINS; bin += (uint)get_local_size(0)) bins[bin] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const float lowest = as_float(counts[LOWEST]);
  for (uint i = (uint)get_global_id(0); i < count / step; i += (uint)get_global_size(0)) {
    const float value = values[i * step];
    if (!(value > INTERIOR_LIMIT)) continue;
    const uint bin = (uint)(log2(1.0f + fmax(value - lowest, 0.0f)) * STEPS_PER_OCTAVE);
    atomic_inc(&bins[min(bin, (uint)(BINS - 1))]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint bin = (uint)get_local_id(0); bin < BINS; bin += (uint)get_local_size(0))
    if (bins[bin] != 0) atomic_add(&counts[bin], bins[bin]);
}
