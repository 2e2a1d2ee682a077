#include "scenes/nbody/window/look.hpp"

#include "base/files/gradient.hpp"

namespace orrery {

std::vector<Parameter> parameters(NbodyLook& look) {
  return {
      {{.name = "color-by",
        .label = "Colour by",
        .help = "the quantity that runs along the palette; error is what accelerations are off by, each summed again "
                "in double, which takes a share of the device",
        .choices = {"speed", "acceleration", "potential", "mass", "error"}},
       &look.color_by},
      {{.name = "palette", .label = "Palette", .help = "from low to high", .choices = sequential_gradient_names()},
       &look.palette},
      {{.name = "sprite-size",
        .label = "Sprite size",
        .unit = "px",
        .help = "of a body of mean mass, seen from where the camera begins; beyond 4096 bodies smaller",
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
      {{.name = "trails",
        .label = "Trails",
        .help = "where bodies were; auto is on for up to 64",
        .choices = {"auto", "on", "off"}},
       &look.trails},
      {{.name = "trail-length",
        .label = "Trail length",
        .unit = "frames",
        .help = "published frames that a trail reaches back; many bodies share 1,048,576 positions",
        .minimum = 2,
        .maximum = 4096,
        .logarithmic = true},
       &look.trail_length},
      {{.name = "follow",
        .label = "Follow",
        .help = "index of the body that stays in the middle, from 0 in the order of the bodies; -1 is nobody",
        .minimum = -1,
        .maximum = 16777215},
       &look.follow},
  };
}

}  // namespace orrery
