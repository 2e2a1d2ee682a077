/// The user's settings of the particles scene, besides its laws. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/parameter.hpp"
#include "scenes/particles/model/law_kernels.hpp"
#include "scenes/particles/world/world.hpp"

namespace orrery {

struct ParticlesSettings {
  std::string world = "argon";  ///< name in assets/worlds, or a file
  std::string thermostat = "none";
  double dt = 0.005;
  double temperature = 1;
  double friction = 1;
  double relaxation = 1;
  std::int64_t burst = 1;  ///< steps between two pictures
  std::string precision = "single";
  std::int64_t work_group = 0;
  bool operator==(const ParticlesSettings&) const = default;
};
std::vector<Parameter> parameters(ParticlesSettings& settings, bool fp64);

/// Replaces settings by the world's values.
void take(ParticlesSettings& settings, const particles::World& world);
/// The ensemble of the settings; another temperature than the world's ends the world's own cooling or heating.
particles::Ensemble ensemble_of(const ParticlesSettings& settings, const particles::Ensemble& of_world);
/// Throws a usage Error for a precision that the device does not have.
particles::ForceVariant variant_of(const ParticlesSettings& settings, const DeviceInfo& device);

/// The user's choices for drawing particles.
struct ParticlesLook {
  std::string color_by = "speed";
  std::string palette = "ember";
  double size = 1;  ///< factor of the radius of a particle's kind
  bool box = true;
  bool bonds = true;
  std::int64_t steps_per_second = 0;  ///< limit; 0: none
  std::int64_t follow = -1;           ///< the particle that stays in the middle; -1: none
  bool operator==(const ParticlesLook&) const = default;
};
std::vector<Parameter> parameters(ParticlesLook& look);
void take(ParticlesLook& look, const particles::ViewHints& hints);

}  // namespace orrery
