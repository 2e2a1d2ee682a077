/// The search for the copy of the set that has the lowest period in a view.
///
/// Sources: R. Munafo, "Mu-Ency: exploration", newton's method and period by a ball (mrob.com/pub/muency);
/// C. Heiland-Allen, "Deep zoom theory and practice" (2013), for the size of a copy.
#pragma once

#include <optional>

#include "scenes/mandelbrot/deep/reference.hpp"

namespace orrery::mandelbrot {

struct FoundCopy {
  std::size_t period = 0;
  double log10_size = 0;  ///< the whole set has the size 1
  Decimal re, im;         ///< the nucleus, with more digits than the copy's pixels need
  View copy;              ///< shows the copy as the default view shows the set
  View embedded_julia;    ///< around the nucleus, half way in the exponent from the view to the copy
};

/// The copy whose nucleus lies in the view and has the lowest period that Newton's method finds from a grid of points;
/// nothing where it finds none of a period up to `most_steps`, or the watch has called the search off.
std::optional<FoundCopy> find_copy(const View& view, Size size, std::size_t most_steps, const Watch& watch);

}  // namespace orrery::mandelbrot
