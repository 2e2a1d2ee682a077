// The scenes of the program. A new scene needs a folder under scenes/ and a line here.
#include <array>

#include "scene/scene_kind.hpp"

namespace orrery {

const SceneKind &nbody_kind(), &mandelbrot_kind(), &particles_kind();

SceneKinds scene_kinds() {
  static const std::array kinds{
      &nbody_kind(),
      &mandelbrot_kind(),
      &particles_kind(),
  };
  return kinds;
}

}  // namespace orrery
