/// The path from one view to another, out and in again where it is far: J. J. van Wijk and W. A. A. Nuij, "Smooth and
/// efficient zooming and panning" (2003), in logarithms, so that it leads to any depth.
///
/// A plain value.
#pragma once

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

class Flight {
 public:
  /// `octaves_per_second`: how fast a flight straight in zooms.
  Flight(const mandelbrot::View& from, const mandelbrot::View& to, double octaves_per_second);

  /// Seconds; the speed is constant but for the first and the last moment.
  double duration() const { return duration_; }
  /// The view after that time; exactly `from` before the beginning and `to` after the end.
  mandelbrot::View at(double seconds) const;

 private:
  double way_after(double seconds) const;
  double log_span(double r) const;

  mandelbrot::View from_, to_;
  double log_from_, log_to_;                  // of the spans
  bool apart_;                                // the centres are not the same
  double direction_x_ = 0, direction_y_ = 0;  // from the one centre to the other
  double begin_ = 0, end_ = 0, length_ = 0;   // r₀, r₁ and S of the paper
  double speed_, ramp_, duration_;            // of S a second; seconds
};

}  // namespace orrery
