/// Finds the body under the cursor among those that are drawn. The GPU searches; the answer is there some frames later,
/// and nothing waits for it. Window thread.
#pragma once

#include "render/late_read.hpp"
#include "scenes/nbody/window/picture.hpp"

namespace orrery {

struct PickedBody {
  std::uint32_t index = 0;
  glm::vec3 place{0, 0, 0};  ///< as published
};

class BodyPick {
 public:
  BodyPick();

  /// Begins the search at `cursor` (pixels from the viewport's middle, y up), for a body drawn within `reach` pixels.
  void begin(const BodyPicture& picture, const SpriteScale& scale, unsigned surface_buffer, glm::vec2 cursor,
             float reach);
  struct Answer {
    std::optional<PickedBody> body;
  };
  /// The answer, once.
  std::optional<Answer> poll();

 private:
  gl::ShaderProgram search_;
  gl::LateRead result_;
};

}  // namespace orrery
