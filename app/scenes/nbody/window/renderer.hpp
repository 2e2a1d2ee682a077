/// Draws published bodies as additive sprites with their trails, developed with a glow, and marks the followed one.
/// Window thread, with a GL context.
#pragma once

#include <optional>

#include "interop/surface.hpp"
#include "render/glow.hpp"
#include "render/palette_texture.hpp"
#include "scene/scene.hpp"
#include "scenes/nbody/window/cells.hpp"
#include "scenes/nbody/window/pick.hpp"
#include "scenes/nbody/window/portions.hpp"
#include "scenes/nbody/window/trails.hpp"

namespace orrery {

class BodyRenderer {
 public:
  BodyRenderer();
  /// Into the default framebuffer. `surface` may be nothing: then an empty sky; `cells` holds the picture's cells,
  /// where it has some.
  void draw(const BodyPicture& picture, Surface* surface, Surface* cells, const Viewport& viewport);
  /// What draw() has drawn last.
  const BodyPicture& drawn() const { return drawn_; }
  /// The share of its bodies that are drawn; the others follow while the picture stays the same.
  double drawn_share() const { return static_cast<double>(drawn_to_) / BodyOrder::places; }

  /// Begins to search for the body drawn within `reach` of `cursor` (pixels from the viewport's middle, y up).
  void begin_pick(const BodyPicture& picture, Surface& surface, glm::vec2 cursor, float reach);
  std::optional<BodyPick::Answer> poll_pick() { return pick_.poll(); }

 private:
  void begin(const BodyPicture& picture, Surface* surface);
  void use_palette(const BodyPicture& picture);
  void keep_trails(const BodyPicture& picture, Surface& surface);
  std::uint32_t next_place(const BodyPicture& picture, bool kept);
  void draw_cells(const BodyPicture& picture, Surface& cells, float share);
  void draw_sprites(const BodyPicture& picture, Surface& surface, std::uint32_t end);
  void draw_ring(const BodyPicture& picture, Surface& surface);
  void bind_bodies(const BodyPicture& picture, Surface& surface) const;

  gl::ShaderProgram sprites_, ring_;
  gl::VertexArray array_;
  gl::Glow glow_;
  std::optional<gl::PaletteTexture> palette_;
  std::optional<BodyTrails> trails_;  // while they are wanted
  std::optional<CellFrames> frames_;  // from when they were wanted first
  BodyPick pick_;
  float largest_point_;
  BodyPicture drawn_;
  BodyOrder order_;
  std::uint32_t drawn_to_ = BodyOrder::places;  // this place of their order
  PortionPacer pacer_;
  gl::WorkTimer timer_;
};

}  // namespace orrery
