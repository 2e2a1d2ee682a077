// Blocks of random numbers in bulk, one per work-item.
#include "random.clh"

// The generator itself.
kernel void random_bits(global uint4* bits, global const uint4* counters, global const uint2* keys, uint count) {
  const uint i = get_global_id(0);
  if (i < count) bits[i] = philox4x32(counters[i], keys[i]);
}

kernel void random_normals(global float4* normals, ulong seed, uint purpose, ulong step, uint count) {
  const uint i = get_global_id(0);
  if (i < count) normals[i] = normals_of(random_block(seed, purpose, step, i));
}

// Maxwell–Boltzmann velocities: each component is normal with standard deviation `spreads` (√(kT/m)).
kernel void maxwell_velocities(global float4* velocities, global const float* spreads, ulong seed, uint count) {
  const uint i = get_global_id(0);
  if (i >= count) return;
  const float4 deviates = normals_of(random_block(seed, RANDOM_VELOCITIES, 0, i));
  velocities[i] = spreads[i] * (float4)(deviates.x, deviates.y, deviates.z, 0);
}
