/// Makes data right where a double's digits do not decide a pixel: so near to the set that ν hangs on the last of them.
///
/// A pixel is computed once more, from as far beside it as the first result may be off. Where ν differs, it is computed
/// in pairs of doubles, which have digits to spare.
#pragma once

#include <functional>
#include <span>

#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {

/// Waits for the device; one thread at a time.
class Refinement {
 public:
  /// For pictures that these kernels compute; they must have `exact` ones.
  Refinement(const Device& device, Queue& queue, const Kernels& kernels);

  /// Puts what is computed again into the cells of the frame's rows, and the details where there are any, and returns
  /// how many pixels that were.
  std::size_t refine(Queue& queue, const Frame& frame, std::span<Cell> cells, std::span<float> details,
                     double slice_seconds, const std::function<void()>& during);
  /// Of the last refine().
  double iterations() const { return iterations_; }

 private:
  Renderer again_, exact_;
  double iterations_ = 0;
};

}  // namespace orrery::mandelbrot
