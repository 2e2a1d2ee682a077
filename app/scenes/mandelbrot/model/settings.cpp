#include "scenes/mandelbrot/model/settings.hpp"

#include "compute/tuning/variant_text.hpp"

namespace orrery {

std::vector<Parameter> parameters(MandelbrotSettings& settings) {
  return {
      {{.name = "iterations",
        .label = "Iterations",
        .help = "limit N; auto raises it while that still finds escapes",
        .minimum = 1,
        .maximum = 4294967293.0,
        .logarithmic = true,
        .automatic = true},
       &settings.iterations},
      {{.name = "escape-radius",
        .label = "Escape radius",
        .help = "R of the escape test |z| > R",
        .minimum = 2,
        .maximum = 1e9,
        .logarithmic = true},
       &settings.escape_radius},
      {{.name = "precision",
        .label = "Precision",
        .help = "of the numbers; auto follows the pixel spacing",
        .choices = {"auto", "single", "double", "perturbation", "ladder"}},
       &settings.precision},
      {{.name = "work-group",
        .label = "Work-group",
        .unit = "work-items",
        .help = "size of a work-group",
        .minimum = 1,
        .maximum = 4096,
        .automatic = true},
       &settings.work_group},
      {{.name = "variant",
        .label = "Variant",
        .help = "of kernels, as tuning names them: KERNEL: AXIS VALUE, AXIS VALUE; KERNEL: ...; or auto"},
       &settings.variant},
  };
}

void check_variant(const MandelbrotSettings& settings) {
  check_variants(settings.variant, {"single", "double", "renormalised", "perturbation", "publish"},
                 {"work-group", "lanes", "unroll", "width", "height"});
}

}  // namespace orrery
