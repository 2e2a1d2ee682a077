#include "scene/nbody_look.hpp"

#include "base/gradient.hpp"

namespace orrery {

std::vector<Parameter> parameters(NbodyLook& look) {
  std::vector<std::string_view> palettes;
  for (const GradientInfo& gradient : gradients())
    if (!gradient.cyclic) palettes.push_back(gradient.name);
  return {
      {{.name = "color-by",
        .label = "Colour by",
        .help = "the quantity that runs along the palette",
        .choices = {"speed", "mass", "acceleration"}},
       &look.color_by},
      {{.name = "palette", .label = "Palette", .help = "from low to high", .choices = palettes}, &look.palette},
      {{.name = "sprite-size",
        .label = "Sprite size",
        .unit = "px",
        .help = "of a body of mean mass, seen from where the camera begins",
        .minimum = 1,
        .maximum = 64,
        .logarithmic = true},
       &look.sprite_size},
      {{.name = "exposure",
        .label = "Exposure",
        .help = "brightness before tone mapping",
        .minimum = 0.01,
        .maximum = 100,
        .logarithmic = true},
       &look.exposure},
  };
}

}  // namespace orrery
