// A time step as in tutorials: one body per work-item, which reads all others from global memory. It is not optimised,
// and the compiler may use its defaults; benchmarks compare with it.
//
//   -D DOUBLE=1  real is double; else it is float

#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

// positions (x, y, z, mass): x += v·dt + ½·a·dt², then v += a·dt.
kernel void tutorial_step(global const real4* old_positions, global real4* positions, global real4* velocities,
                          uint bodies, real softening2, real dt) {
  const uint i = get_global_id(0);
  if (i >= bodies) return;
  const real4 body = old_positions[i];
  real4 a = (real4)(0);
  for (uint j = 0; j < bodies; ++j) {
    const real4 other = old_positions[j];
    const real4 r = other - body;
    const real over_r = rsqrt(r.x * r.x + r.y * r.y + r.z * r.z + softening2);
    a += other.w * over_r * over_r * over_r * r;
  }
  a.w = 0;
  const real4 v = velocities[i];
  positions[i] = body + v * dt + (real)0.5 * dt * dt * a;
  velocities[i] = v + a * dt;
}
