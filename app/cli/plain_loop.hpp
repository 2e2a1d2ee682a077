/// Gravity and a sum as plain loops over arrays, which a compiler may vectorise and spread over threads:
/// the speed of a processor without OpenCL.
///
/// Only plain_loop.cpp is compiled for this machine's processor and with relaxed arithmetic (see CMakeLists.txt). It
/// therefore includes no header and shares no inline function with other files.
#pragma once

namespace orrery::cli {

template <class Real>
struct PlainBodies {
  const Real *mass, *x, *y, *z;  ///< arrays of `count`
  unsigned long long count;
};

/// Writes the accelerations of all bodies to arrays of the same length.
void plain_accelerations(const PlainBodies<float>& bodies, float softening2, float* ax, float* ay, float* az);
void plain_accelerations(const PlainBodies<double>& bodies, double softening2, double* ax, double* ay, double* az);

/// The sum of `count` values; each thread adds a part of them.
double plain_sum(const float* values, unsigned long long count);

/// True if this processor has the instructions that the loop was compiled for.
bool plain_loop_runs_here();
/// The number of threads of the loop.
int plain_loop_threads();

}  // namespace orrery::cli
