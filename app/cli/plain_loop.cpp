#include "cli/plain_loop.hpp"

#ifdef _OPENMP
extern "C" int omp_get_max_threads(void);
#endif

namespace orrery::cli {
namespace {

float root(float value) { return __builtin_sqrtf(value); }
double root(double value) { return __builtin_sqrt(value); }

template <class Real>
void accelerate(const PlainBodies<Real>& bodies, Real softening2, Real* ax, Real* ay, Real* az) {
  const Real* const m = bodies.mass;
  const Real* const x = bodies.x;
  const Real* const y = bodies.y;
  const Real* const z = bodies.z;
  const unsigned long long count = bodies.count;
#pragma omp parallel for schedule(static)
  for (unsigned long long i = 0; i < count; ++i) {
    Real sum_x = 0, sum_y = 0, sum_z = 0;
    for (unsigned long long j = 0; j < count; ++j) {
      const Real dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const Real over_r = 1 / root(dx * dx + dy * dy + dz * dz + softening2);
      const Real pull = m[j] * over_r * over_r * over_r;
      sum_x += pull * dx;
      sum_y += pull * dy;
      sum_z += pull * dz;
    }
    ax[i] = sum_x;
    ay[i] = sum_y;
    az[i] = sum_z;
  }
}

}  // namespace

void plain_accelerations(const PlainBodies<float>& bodies, float softening2, float* ax, float* ay, float* az) {
  accelerate(bodies, softening2, ax, ay, az);
}

void plain_accelerations(const PlainBodies<double>& bodies, double softening2, double* ax, double* ay, double* az) {
  accelerate(bodies, softening2, ax, ay, az);
}

double plain_sum(const float* values, unsigned long long count) {
  double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (unsigned long long i = 0; i < count; ++i) sum += values[i];
  return sum;
}

bool plain_loop_runs_here() {
#if defined(__x86_64__)
#ifdef __AVX512F__
  if (!__builtin_cpu_supports("avx512f")) return false;
#endif
#ifdef __AVX2__
  if (!__builtin_cpu_supports("avx2")) return false;
#endif
#ifdef __FMA__
  if (!__builtin_cpu_supports("fma")) return false;
#endif
#endif
  return true;
}

int plain_loop_threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

}  // namespace orrery::cli
