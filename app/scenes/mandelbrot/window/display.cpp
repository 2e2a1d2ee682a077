#include "scenes/mandelbrot/window/display.hpp"

namespace orrery {

std::vector<Parameter> parameters(MandelbrotDisplay& display) {
  return {
      {{.name = "cycling",
        .label = "Cycling",
        .unit = "cycles/s",
        .help = "the palette moves by itself",
        .minimum = -2,
        .maximum = 2},
       &display.cycling},
      {{.name = "samples",
        .label = "Samples",
        .help = "a pixel, averaged in colour while the picture rests",
        .minimum = 1,
        .maximum = 64},
       &display.samples},
      {{.name = "fly-speed",
        .label = "Flight",
        .unit = "octaves/s",
        .help = "how fast a flight to a place zooms, in factors of two",
        .minimum = 0.25,
        .maximum = 60,
        .logarithmic = true},
       &display.fly_speed},
      {{.name = "julia", .label = "Julia set", .help = "of the point under the cursor, in a corner"}, &display.julia},
  };
}

}  // namespace orrery
