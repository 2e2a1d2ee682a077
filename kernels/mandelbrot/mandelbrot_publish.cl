// Smooth values in the form for drawing: one float per pixel. Two values mark unknown pixels, and pixels that may still
// escape at a higher limit. With -D DETAIL=1, a second plane follows (mandelbrot_detail.clh).
#include "mandelbrot_detail.clh"

#define INTERIOR_VALUE -1e30f
#define AT_LIMIT_VALUE -2e30f
#define UNKNOWN_VALUE -3e38f

// One work-item per pixel. `first` is the picture's first cell.
kernel void publish(uint width, uint height, uint first, global const uint2* cells,
                    global float* values DETAILS_PARAMETER) {
  const uint i = (uint)get_global_id(0), j = (uint)get_global_id(1);
  if (i >= width || j >= height) return;
  const uint2 cell = cells[first + j * width + i];
  const float interior = cell.x == PROVED_INTERIOR ? INTERIOR_VALUE : AT_LIMIT_VALUE;
  const float value = cell.x >= PROVED_INTERIOR ? interior : (float)cell.x + as_float(cell.y);
  values[j * width + i] = cell.x == UNDECIDED ? UNKNOWN_VALUE : value;
#if DETAIL
  values[(height + j) * width + i] = cell.x == UNDECIDED ? UNKNOWN_DETAIL : details[first + j * width + i];
#endif
}
