// The values of bodies for drawing, always in single precision.
#include "precision.clh"

// Two blocks with a float4 for each body: (x, y, z, mass), then the quantities that may colour it: (speed, |a|, −φ,
// another measured quantity). Unknown values are published as 0: the field before its first evaluation, and an absent
// other quantity.
kernel void publish(global const real4* positions, global const real4* velocities, global const real4* accelerations,
                    uint bodies, uint field_known, global const float* measured, uint measured_known,
                    global float4* surface) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 v = velocities[i];
  const real speed = length((real4)(v.x, v.y, v.z, 0));
  surface[i] = convert_float4(positions[i]);
  float other = 0;
  if (measured_known) other = measured[i];
  if (!field_known) {
    surface[bodies + i] = (float4)((float)speed, 0, 0, other);
    return;
  }
  const real4 a = accelerations[i];
  const float4 known = convert_float4((real4)(speed, length((real4)(a.x, a.y, a.z, 0)), -a.w, 0));
  surface[bodies + i] = (float4)(known.x, known.y, known.z, other);
}
