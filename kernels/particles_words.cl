// Words that are given a value between other kernels: flags, counters, sums that begin anew.
#include "particles.clh"

kernel void set_words(global uint* words, uint first, uint count, uint value) {
  const uint i = get_global_id(0);
  if (i < count) words[first + i] = value;
}

// No force on anybody, before groups add theirs.
kernel void clear_forces(global long* forces, uint count, global int* status) {
  const uint i = get_global_id(0);
  if (stopped(status)) return;
  if (i == 0) status[WELL_IN_RANGE] = status[OUT_OF_RANGE] = 0;
  if (i < count) forces[i] = 0;
}
