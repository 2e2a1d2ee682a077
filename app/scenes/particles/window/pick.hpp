/// Finds the particle under the cursor among those that are drawn, and reads what is published of one. The GPU does
/// both; the answer is there some frames later, and nothing waits for it. Window thread.
#pragma once

#include <cstdint>
#include <optional>

#include "render/late_read.hpp"

namespace orrery {

struct ParticlesPicture;

struct SeenParticle {
  std::uint32_t index = 0;  ///< its identity
  glm::vec3 place{0, 0, 0};
  float radius = 0, speed = 0, charge = 0, energy = 0;
  std::uint32_t kind = 0;
};

class ParticlePick {
 public:
  /// Particles are drawn with so many pixels across at most.
  explicit ParticlePick(float largest);

  /// Begins the search at `cursor` (pixels from the viewport's middle, y up), for a particle drawn within `reach`
  /// pixels. What was begun before is forgotten.
  void search(const ParticlesPicture& picture, unsigned surface_buffer, glm::vec2 cursor, float reach);
  /// Begins to read that particle; nothing while something is under way.
  void look(const ParticlesPicture& picture, unsigned surface_buffer, std::uint32_t particle);

  struct Answer {
    bool searched = false;
    std::int64_t generation = 0;  ///< of the picture
    std::optional<SeenParticle> particle;
  };
  /// The answer, once.
  std::optional<Answer> poll();

 private:
  void begin(const ParticlesPicture& picture, unsigned surface_buffer, std::uint32_t best);
  void run(int stage, unsigned groups);
  void end();

  gl::ShaderProgram program_;
  gl::LateRead result_;
  float largest_;
  Answer asked_;
};

}  // namespace orrery
