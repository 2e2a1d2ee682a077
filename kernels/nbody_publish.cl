// What the bodies look like to whoever draws them, in single precision whatever they are computed in.
#include "precision.clh"

// Two float4 a body: (x, y, z, mass) and (vx, vy, vz, |a|).
kernel void publish(global const real4* positions, global const real4* velocities, global const real4* accelerations,
                    uint bodies, global float4* surface) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 x = positions[i];
  const real4 v = velocities[i];
  const real4 a = accelerations[i];
  surface[2 * i] = (float4)((float)x.x, (float)x.y, (float)x.z, (float)x.w);
  surface[2 * i + 1] = (float4)((float)v.x, (float)v.y, (float)v.z, length((float4)((float)a.x, (float)a.y, (float)a.z, 0)));
}
