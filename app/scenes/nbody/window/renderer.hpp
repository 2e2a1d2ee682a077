/// Draws published bodies as additive sprites with their trails, developed with a glow, marks the followed one, and
/// finds the one under the cursor. Window thread, with a GL context.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "interop/surface.hpp"
#include "render/gl.hpp"
#include "render/glow.hpp"
#include "render/late_read.hpp"
#include "render/palette_texture.hpp"
#include "scene/scene.hpp"
#include "scenes/nbody/window/picture.hpp"
#include "scenes/nbody/window/splat.hpp"
#include "scenes/nbody/window/trails.hpp"

namespace orrery {

struct PickedBody {
  std::uint32_t index = 0;
  glm::vec3 place{0, 0, 0};  ///< as published
};

/// Finds the body under the cursor among those that are drawn. The GPU searches; the answer arrives some frames later,
/// and nothing waits for it.
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

// ---- the cells of the tree, as frames of light

/// The level that a look requests in a tree of `bodies`, limited to the finest level that can be drawn.
std::size_t chosen_cell_level(const NbodyLook& look, std::size_t bodies, const TreeShape& shape = {});
/// The levels whose cells the look requests, the root's first; may be empty.
std::vector<CellLevel> chosen_cells(const NbodyLook& look, std::size_t bodies, const TreeShape& shape = {});
/// The sRGB colour of a level: the root's is at the dark end of a palette, the leaves' at its bright end.
std::array<std::uint8_t, 3> color_of_level(std::size_t number, std::size_t levels);

class CellFrames {
 public:
  CellFrames();
  /// Adds this share of the light of the picture's cells to the bound framebuffer, blending set up. `boxes`: see
  /// NbodyTree::copy_boxes().
  void draw(const BodyPicture& picture, unsigned boxes, float share) const;

 private:
  gl::ShaderProgram program_;
  gl::VertexArray array_;
};

// ---- portions: of millions of bodies a frame draws a random portion, so that it is short; its light stands for
// all. While the picture stays the same, each frame adds another portion, until all bodies are drawn.

/// Up to this number, all bodies are drawn at once.
inline constexpr std::size_t most_drawn_at_once = std::size_t{1} << 18;

/// Determines the size of a portion from drawing times. A plain value.
class PortionPacer {
 public:
  static constexpr double in_motion = 0.012, at_rest = 0.036;  // seconds of a frame

  /// `guess`: seconds per body until they are measured.
  explicit PortionPacer(double guess) : each_(guess) {}
  void measured(double bodies, double seconds);

  /// A moving picture draws 1/n of the bodies: n, a power of two that changes rarely.
  std::size_t one_in(std::size_t bodies);
  /// The number of bodies added per frame to a picture at rest.
  double added() const { return at_rest / each_; }

 private:
  double each_;
  std::size_t one_in_ = 1;
};

// ---- the picture

class BodyRenderer {
 public:
  BodyRenderer();
  /// Surfaces of the picture's bodies, cells and ghost. Without bodies the sky is empty.
  struct Surfaces {
    Surface *bodies = nullptr, *cells = nullptr, *ghost = nullptr;
  };
  /// Draws into the default framebuffer.
  void draw(const BodyPicture& picture, const Surfaces& of, const Viewport& viewport);
  /// Continues the trails with the bodies of this generation, which are the previous ones after the edit.
  void carry_trails(const BodyEdit& edit, std::int64_t generation);
  /// The picture that draw() drew last.
  const BodyPicture& drawn() const { return drawn_; }
  /// The share of its bodies that is drawn; the others follow while the picture stays the same.
  double drawn_share() const { return Portion{0, drawn_to_}.share(); }

  /// Begins to search for the body drawn within `reach` of `cursor` (pixels from the viewport's middle, y up).
  void begin_pick(const BodyPicture& picture, Surface& surface, glm::vec2 cursor, float reach);
  std::optional<BodyPick::Answer> poll_pick() { return pick_.poll(); }

 private:
  void begin(const BodyPicture& picture, Surface* surface);
  void use_palette(const BodyPicture& picture);
  void keep_trails(const BodyPicture& picture, Surface& surface);
  std::uint32_t next_place(const BodyPicture& picture, bool kept);
  void draw_cells(const BodyPicture& picture, Surface& cells, float share);
  void draw_sprites(const BodyPicture& picture, Surface& surface, const Portion& portion);
  void draw_ghost(const BodyPicture& picture, Surface& ghost, const Portion& portion);
  void add_light(const BodyPicture& picture, Surface& surface, const SpriteScale& scale, const glm::vec4& tint,
                 const Portion& portion);
  void set_sprites(const gl::ShaderProgram& program, const BodyPicture& picture, const SpriteScale& scale,
                   const glm::vec4& tint) const;
  void draw_ring(const BodyPicture& picture, Surface& surface, std::uint32_t body);
  void bind_bodies(const BodyPicture& picture, Surface& surface) const;

  gl::ShaderProgram sprites_, ring_;
  gl::VertexArray array_;
  gl::Glow glow_;
  std::optional<gl::PaletteTexture> palette_;
  std::optional<BodyTrails> trails_;  // while they are wanted
  std::optional<CellFrames> frames_;  // null until first wanted
  BodyPick pick_;
  float largest_point_;
  BodyPicture drawn_;
  BodySplat splat_;
  std::uint32_t drawn_to_ = Portion::places;  // end of the drawn places of their order
  PortionPacer pacer_;
};

}  // namespace orrery
