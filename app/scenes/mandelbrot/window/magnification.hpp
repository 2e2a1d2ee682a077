/// The size of a view as in Kalles Fraktaler: 4 / height, 1 where the picture is 4 high. `aspect` is its width /
/// height.
#pragma once

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

/// To a dozen digits; the inverse of magnification_of().
Decimal span_of_magnification(const Decimal& magnification, double aspect);
/// A parameter row for it, computed from the row of the span.
Parameter magnification_row(Decimal& magnification, double aspect);

}  // namespace orrery
