/// A whole picture computed without a window, of any size, by bands of rows within bounded device memory.
///
/// Any thread; waits for the device.
#pragma once

#include <functional>
#include <span>

#include "model/mandelbrot/iteration_limit.hpp"
#include "model/mandelbrot/renderer.hpp"

namespace orrery::mandelbrot {

struct PictureRequest {
  View view;
  Size size;
  std::uint32_t limit = 100;  ///< 0: automatic
  double escape_radius = 100;
  int samples = 1;  ///< of each pixel
};

struct PictureResult {
  std::uint32_t limit = 0;  ///< the one that was used
  double iterations = 0;
  std::size_t interior = 0;  ///< of all samples
};

/// Called for each band and sample: rows [first, first + cells.size() / width), the index of the sample.
using TakeRows = std::function<void(std::uint32_t first, std::span<const Cell> cells, int sample)>;
/// Where the sample of that index lies in its pixel, 0 … 1: M. Roberts' R2 sequence, of which any number of samples is
/// spread evenly. The first lies in the middle.
struct SampleShift {
  double x = 0.5, y = 0.5;
};
SampleShift sample_shift(int sample);

using ShowProgress = std::function<void(double fraction)>;

PictureResult compute_picture(const Device& device, const Kernels& kernels, const PictureRequest& request,
                              std::uint32_t limit, const TakeRows& take, const ShowProgress& show);
/// The limit of the request, or the one that AutomaticLimit finds for it on a picture of at most a million pixels.
std::uint32_t limit_of(const Device& device, const Kernels& kernels, const PictureRequest& request);

}  // namespace orrery::mandelbrot
