// The scenes of app/scenes.cpp, and one more.
#include <array>

#include "scene/scene_kind.hpp"

namespace orrery {

const SceneKind &nbody_kind(), &mandelbrot_kind(), &particles_kind(), &life_kind();

SceneKinds scene_kinds() {
  static const std::array kinds{&nbody_kind(), &mandelbrot_kind(), &particles_kind(), &life_kind()};
  return kinds;
}

}  // namespace orrery
