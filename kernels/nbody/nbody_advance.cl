// Moves the bodies between two evaluations of their field.
//
// A substep of an integrator (integrator.hpp) is opened with a kick and a drift, its field is evaluated, and it is closed
// with a second kick. The closing kick and the opening kick of the next substep are never merged into one, so that the
// bits do not depend on the burst.
//
//   -D TUTORIAL=1    x += v·dt + ½·a·dt², v += a·dt with a(t)
#include "nbody_field.clh"

enum { CLOSES = 1, OPENS = 2, KICKS = 4 };

// A merged body keeps its place and its velocity, which is 0.
static void rest(global const real4* old_positions, global const real4* old_low, global real4* positions,
                 global real4* low, uint what, uint i) {
  if (!(what & OPENS)) return;
  positions[i] = old_positions[i];
#ifdef MIXED
  low[i] = old_low[i];
#endif
}

// CLOSES: the step ends with the field of `parts`; otherwise the stored field is used. OPENS: the next step begins;
// otherwise the field is stored. KICKS: the step begins with a kick; otherwise no field needs to be known. `close_kick`,
// `open_kick` and `drift` are durations. The range begins at its offset and ends at `end`. `gravity` is G. The buffers of old and new positions may be the same.
kernel void advance(global const real4* old_positions, global const real4* old_low, global real4* positions,
                    global real4* low, global real4* velocities, global real4* velocities_low, global const real4* parts,
                    uint part_count, global real4* accelerations, uint bodies, uint end, uint what,
                    wide close_kick, wide open_kick, wide drift, wide gravity) {
  const uint i = get_global_id(0);
  if (i >= end) return;
  const real mass = old_positions[i].w;
  real4 a = (real4)(0, 0, 0, 0);
  if (what & CLOSES)
    a = sum_of_parts(parts, part_count, bodies, i, gravity);
  else if (what & KICKS)
    a = accelerations[i];
  if (is_gone(mass)) {
    rest(old_positions, old_low, positions, low, what, i);
    if (!(what & OPENS)) accelerations[i] = a;
    return;
  }
  const wide3 pull = {wide_of(a.x), wide_of(a.y), wide_of(a.z)};
  wide3 v;
  load(&v, velocities, velocities_low, i);
#ifndef TUTORIAL
  if (what & CLOSES) {
    move(&v, &pull, close_kick);
    round_to_stored(&v);
  }
#endif
  if (what & OPENS) {
    wide3 x;
    load(&x, old_positions, old_low, i);
#ifdef TUTORIAL
    move(&x, &v, drift);
    move(&x, &pull, wide_multiply_add(drift, open_kick, wide_of((real)0)));
    move(&v, &pull, drift);
#else
    move(&v, &pull, open_kick);
    move(&x, &v, drift);
#endif
    store(&x, mass, positions, low, i);
  } else {
    accelerations[i] = a;
  }
  store(&v, 0, velocities, velocities_low, i);
}
