// What a pair law says at some distances, and its energy a little nearer and a little farther, for the host to compare.
#include "particles.clh"
#include "particles_law.clh"

// `columns`: for each sample those of the first particle, then those of the second. `results`: energy, dEdR, the energy
// at r − h and at r + h.
kernel void check_pair_law(uint law, global const real* distances, global const real* columns, constant real* sliders,
                           uint samples, real step, global real* results) {
  const uint i = get_global_id(0);
  if (i >= samples) return;
  real column1[COLUMNS + 1], column2[COLUMNS + 1];
  for (uint c = 0; c < COLUMNS; ++c) {
    column1[c] = columns[2 * COLUMNS * i + c];
    column2[c] = columns[2 * COLUMNS * i + COLUMNS + c];
  }
  const real4 along = (real4)((real)0.48, (real)0.6, (real)0.64, 0);  // a unit vector
  for (uint k = 0; k < 3; ++k) {
    const real r = distances[i] * (k == 0 ? 1 : k == 1 ? 1 - step : 1 + step);
    real energy = 0;
    const real slope = single_law(law, (real4)(0), r * along, r * along, r * r, r, 1 / r, 0, 1, false, column1, column2,
                                  sliders, &energy);
    results[4 * i + (k == 0 ? 0 : k + 1)] = energy;
    if (k == 0) results[4 * i + 1] = slope;
  }
}
