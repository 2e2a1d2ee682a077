// What the bodies look like to whoever draws them, in single precision whatever they are computed in.
#include "precision.clh"

// Two float4 a body: (x, y, z, mass) and (vx, vy, vz, |a|).
kernel void publish(global const real4* positions, global const real4* velocities, global const real4* accelerations,
                    uint bodies, global float4* surface) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 a = accelerations[i];
  const real strength = length((real4)(a.x, a.y, a.z, 0));
  const real4 v = velocities[i];
  surface[2 * i] = convert_float4(positions[i]);
  surface[2 * i + 1] = convert_float4((real4)(v.x, v.y, v.z, strength));
}
