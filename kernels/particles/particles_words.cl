// Sets words between other kernels: flags, counters, sums that begin again.
#include "particles.clh"

kernel void set_words(global uint* words, uint first, uint count, uint value) {
  const uint i = get_global_id(0);
  if (i < count) words[first + i] = value;
}

// Resets all forces before groups add theirs.
kernel void clear_forces(global long* forces, uint count, global int* status) {
  const uint i = get_global_id(0);
  if (stopped(status)) return;
  if (i == 0) status[WELL_IN_RANGE] = status[OUT_OF_RANGE] = 0;
  if (i < count) forces[i] = 0;
}
