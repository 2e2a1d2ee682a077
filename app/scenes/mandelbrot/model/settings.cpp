#include "scenes/mandelbrot/model/settings.hpp"

#include "compute/tuning/variant_text.hpp"

namespace orrery {

std::vector<Parameter> parameters(MandelbrotSettings& settings) {
  return {
      {{.name = "iterations",
        .label = "Iterations",
        .help = "iteration limit N; auto: raised while more points escape",
        .minimum = 1,
        .maximum = 4294967293.0,
        .automatic = true},
       &settings.iterations},
      {{.name = "escape-radius",
        .label = "Escape radius",
        .help = "radius R of the escape test |z| > R",
        .minimum = 2,
        .maximum = 1e9,
        .soft_minimum = 2,
        .soft_maximum = 1e4,
        .logarithmic = true},
       &settings.escape_radius},
      {{.name = "precision",
        .label = "Precision",
        .help = "arithmetic; auto: chosen by the pixel spacing",
        .choices = {"auto", "single", "double", "perturbation", {"ladder", "Renormalised"}},
        .compared = true},
       &settings.precision},
      {{.name = "work-group",
        .label = "Work-group",
        .unit = "work-items",
        .help = "work-items in a work-group",
        .minimum = 1,
        .maximum = 4096,
        .automatic = true,
        .compared = true},
       &settings.work_group},
      {{.name = "variant",
        .label = "Variant",
        .help = "kernel variants in the tuner's notation, KERNEL: AXIS VALUE, AXIS VALUE; KERNEL: ..., or auto",
        .compared = true},
       &settings.variant},
  };
}

void check_variant(const MandelbrotSettings& settings) {
  check_variants(settings.variant, {"single", "double", "renormalised", "perturbation", "publish"},
                 {"work-group", "lanes", "unroll", "width", "height"});
}

}  // namespace orrery
