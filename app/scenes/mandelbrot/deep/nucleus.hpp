/// Nuclei: points c whose critical orbit returns to 0. Every copy of the set has one, of the copy's period.
///
/// Sources: R. Munafo, "Mu-Ency: exploration", newton's method and period by a ball (mrob.com/pub/muency);
/// C. Heiland-Allen, "Deep zoom theory and practice" (2013), for the size of a copy.
#pragma once

#include <array>
#include <optional>

#include "scenes/mandelbrot/deep/reference.hpp"

namespace orrery::mandelbrot {

/// The periods that a nucleus near the centre may have, by ball arithmetic: a disc of c, carried along the orbit, holds
/// a nucleus of period n only if its image after n steps contains 0.
///
/// Discs of several sizes are carried at once: where the largest has grown over everything before it met a nucleus of
/// its own, a smaller disc may still find a nucleus nearer to the centre.
class PeriodSearch {
 public:
  PeriodSearch(Formula formula, FloatExp radius);

  /// Takes z_n, n = 1, 2, …, rounded to doubles and in all bits; true if n is a candidate.
  bool is_candidate(const FloatExpComplex& z, const BigComplex& exact);
  /// Every point of the largest disc is proved to be interior: a disc of z has been carried into itself.
  bool interior() const { return interior_; }
  /// The period of the cycle that attracts them, or rarely a multiple of it.
  std::size_t interior_period() const { return n_ - trap_from_; }

 private:
  struct Ball {
    FloatExp added;   // the disc of c
    FloatExp radius;  // of its image around z_n
    int found = 0;
  };
  FloatExp carried(FloatExp radius, FloatExp added) const;
  void set_traps(const FloatExpComplex& z, const BigComplex& exact);

  Formula formula_;
  std::array<Ball, 3> balls_;
  FloatExp size_;  // |z| of the step before
  std::uint64_t n_ = 0, trap_from_ = 0;
  FloatExpComplex trap_center_;
  std::optional<BigComplex> exact_trap_center_;
  FloatExp trap_radius_, trapped_radius_;  // as it was set, and as carried since
  bool interior_ = false;
};

struct Nucleus {
  BigComplex c;
  ReferencePoints points;  ///< Z_0 … Z_period
};

/// The number with that many digits after the point.
Decimal decimal_of(const BigFloat& number, double digits);

struct NucleusRequest {
  Formula formula;
  BigComplex start;
  std::size_t period;
  FloatExp trust;      ///< the nucleus is no farther from the start
  FloatExp tolerance;  ///< in c
  bool pairs = false;  ///< the points have low parts
};

/// Newton's method. Nothing if it leads too far away or is cancelled. The period found may be a divisor of the
/// requested one.
std::optional<Nucleus> find_nucleus(const NucleusRequest& request, const Watch& watch);

/// The period, up to 4096, of the cycle that attracts the orbit of 0 at c, in doubles within a fraction of a
/// millisecond. 0: there is none, it is longer, or it attracts too slowly.
std::size_t attracting_period(Formula formula, Complex c);

/// A copy of the set in a view.
struct FoundCopy {
  std::size_t period = 0;
  double log10_size = 0;  ///< the whole set has the size 1
  Decimal re, im;         ///< the nucleus, with more digits than the copy's pixels need
  View copy;              ///< shows the copy as whole_set() shows the set
  View embedded_julia;    ///< around the nucleus, half way in the exponent from the view to the copy
};

/// The copy in the view with the lowest period that Newton's method finds from a grid of points; nothing where it finds
/// none of a period up to `most_steps`, or the search was cancelled.
std::optional<FoundCopy> find_copy(const View& view, Size size, std::size_t most_steps, const Watch& watch);

}  // namespace orrery::mandelbrot
