// The smooth values as whoever draws them wants them: one float a pixel, whatever is not known yet filled from the
// coarser passes.
#include "mandelbrot.clh"

#define INTERIOR_VALUE -1e30f
#define UNKNOWN_VALUE -3e38f

inline float value_of(uint2 cell) {
  if (cell.x == UNDECIDED) return UNKNOWN_VALUE;
  return cell.x >= PROVED_INTERIOR ? INTERIOR_VALUE : (float)cell.x + as_float(cell.y);
}

// One work-item a pixel. `coarsest` is the stride of the first pass, a power of two.
kernel void publish(uint width, uint height, uint coarsest, global const uint2* cells, global float* values) {
  const uint i = (uint)get_global_id(0), j = (uint)get_global_id(1);
  if (i >= width || j >= height) return;
  uint2 cell = cells[j * width + i];
  for (uint stride = 2; cell.x == UNDECIDED && stride <= coarsest; stride *= 2)
    cell = cells[(j & ~(stride - 1)) * width + (i & ~(stride - 1))];
  values[j * width + i] = value_of(cell);
}
