/// The same view computed in two ways. Any thread; waits for the devices.
#pragma once

#include "compute/measure/side_by_side.hpp"
#include "scenes/mandelbrot/model/settings.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {
class ProgramLibrary;
}

namespace orrery::mandelbrot {

struct ComparedPicture {
  View view;
  Size size;
  double limit = 100;      ///< N
  bool automatic = false;  ///< N was not set by the user
};

/// Settings may differ in precision and work-group. Throws a usage Error for settings that a side's device, or its
/// numbers, do not support.
Comparison compare_pictures(const std::array<ProgramLibrary*, 2>& sides,
                            const std::array<MandelbrotSettings, 2>& settings, const ComparedPicture& picture,
                            const BetweenSlices& between);

}  // namespace orrery::mandelbrot
