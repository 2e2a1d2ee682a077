#include "scenes/mandelbrot/window/display.hpp"

namespace orrery {

std::vector<Parameter> parameters(MandelbrotDisplay& display) {
  return {
      {{.name = "cycling",
        .label = "Cycling",
        .unit = "cycles/s",
        .help = "speed at which the palette moves",
        .minimum = -2,
        .maximum = 2},
       &display.cycling},
      {{.name = "samples",
        .label = "Samples",
        .help = "samples per pixel, accumulated while the view is still",
        .minimum = 1,
        .maximum = 64},
       &display.samples},
      {{.name = "fly-speed",
        .label = "Flight",
        .unit = "octaves/s",
        .help = "zoom speed of a flight to a location, in factors of two; a flight that is ahead of its pictures slows "
                "down",
        .minimum = 0.25,
        .maximum = 60,
        .logarithmic = true},
       &display.fly_speed},
      {{.name = "julia", .label = "Julia set", .help = "show the Julia set of the point under the cursor in a corner"},
       &display.julia},
  };
}

}  // namespace orrery
