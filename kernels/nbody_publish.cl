// What the bodies look like to whoever draws them, in single precision whatever they are computed in.
#include "precision.clh"

// Two blocks with a float4 for each body: (x, y, z, mass), then the quantities that may colour it: (speed, |a|, −φ, 0).
// Before the first evaluation of the field there is none: then it is published as 0.
kernel void publish(global const real4* positions, global const real4* velocities, global const real4* accelerations,
                    uint bodies, uint field_known, global float4* surface) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 v = velocities[i];
  const real speed = length((real4)(v.x, v.y, v.z, 0));
  surface[i] = convert_float4(positions[i]);
  if (!field_known) {
    surface[bodies + i] = (float4)(speed, 0, 0, 0);
    return;
  }
  const real4 a = accelerations[i];
  surface[bodies + i] = convert_float4((real4)(speed, length((real4)(a.x, a.y, a.z, 0)), -a.w, 0));
}
