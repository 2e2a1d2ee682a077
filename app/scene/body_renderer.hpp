/// Draws published bodies as additive sprites, developed with a glow. Window thread, with a GL context.
#pragma once

#include <optional>

#include "interop/surface.hpp"
#include "render/camera.hpp"
#include "render/glow.hpp"
#include "render/palette.hpp"
#include "scene/nbody_look.hpp"
#include "scene/scene.hpp"

namespace orrery {

/// All that the picture depends on; an equal one is not drawn anew.
struct BodyPicture {
  std::int64_t published = -1;  ///< which bodies
  std::size_t bodies = 0;
  Camera camera;
  double home_distance = 1;  ///< where the sprites have the size that the look gives
  double mean_mass = 1;
  double log_low = 0, log_high = 1;  ///< of the quantity
  NbodyLook look;
  glm::ivec2 size{0, 0};
  bool operator==(const BodyPicture&) const = default;
};

class BodyRenderer {
 public:
  BodyRenderer();
  /// Into the default framebuffer. `surface` may be nothing: then an empty sky.
  void draw(const BodyPicture& picture, Surface* surface, const Viewport& viewport);

 private:
  void draw_sprites(const BodyPicture& picture, Surface& surface);
  void set_uniforms(const BodyPicture& picture) const;

  gl::ShaderProgram sprites_;
  gl::VertexArray array_;
  gl::Glow glow_;
  std::optional<gl::PaletteTexture> palette_;
  BodyPicture drawn_;
};

}  // namespace orrery
