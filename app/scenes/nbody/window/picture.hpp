/// The inputs of a picture of bodies, and the size and brightness of each body in it. Plain values.
#pragma once

#include <glm/glm.hpp>
#include <optional>

#include "render/camera.hpp"
#include "render/gl.hpp"
#include "scene/gliding_range.hpp"
#include "scene/news.hpp"
#include "scenes/nbody/model/tree.hpp"
#include "scenes/nbody/window/look.hpp"

namespace orrery {

/// An equal picture is not drawn again.
struct BodyPicture {
  std::int64_t published = -1;   ///< serial number of the bodies …
  std::int64_t generation = -1;  ///< … generation of their simulation …
  std::int64_t step = -1;        ///< … and their step
  std::int64_t sketch = 0;       ///< serial number of a sketch, if it shows no simulation
  std::size_t bodies = 0;
  std::int64_t ghost = 0;  ///< serial number of the ghost over them …
  std::size_t ghosts = 0;  ///< … and its number of bodies; 0: no ghost
  Camera camera;
  double home_distance = 1;  ///< camera distance at which sprites have the look's size
  double mean_mass = 1;
  std::optional<PaletteRange> range;  ///< range of the quantity's logarithm, if known
  NbodyLook look;
  std::optional<std::uint32_t> followed, chosen;  // marked bodies: the camera's and the hand's
  std::int64_t hand = 0;                          // counts the changes of the hand's overlay
  struct Part {
    std::uint32_t first = 0;  ///< index of its first body
    float value = 0;          ///< logarithm of the quantity that colours it
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;       ///< parts of one origin or age
  std::vector<CellLevel> cells;  ///< drawn levels …
  TreeShape tree = {};           ///< … of a tree of this shape
  glm::ivec2 size{0, 0};
  float scale = 1;  ///< scale of the display
  bool operator==(const BodyPicture&) const = default;
};

/// Compares a picture with the drawn one. Bodies that have moved on, in the range of their colours, are progress; but
/// with trails each of their moments is drawn.
News news_of(BodyPicture picture, const BodyPicture& drawn);

/// The look of bodies by their number: a handful are discs in a halo; the more there are, the smaller and fainter each.
struct SpriteScale {
  float focal_pixels, diameter, mean_mass;  // see shaders/nbody/sprite.glsl
  float smallest, comfortable, largest;     // pixels
  float disc;                               ///< 0 a star, 1 a disc in a halo
  float surface_light;                      ///< in the middle of a sprite
  /// The share of a sprite's size that its body seems to fill.
  float visible() const;
};

/// `largest`: the driver's largest sprite, in pixels.
SpriteScale sprite_scale(const BodyPicture& picture, float largest);
/// Sets the uniforms of shaders/nbody/sprite.glsl, of the program in use.
void set_sprite_uniforms(const gl::ShaderProgram& program, const SpriteScale& scale);
/// … and of shaders/nbody/palette.glsl; the palette's texture is in unit 0.
void set_palette_uniforms(const gl::ShaderProgram& program, const BodyPicture& picture);
/// … and of shaders/nbody/quantity.glsl: the colours show a component of the published values, or 4: the mass, 5:
/// origin and age. Any measured quantity is in the last component.
void set_quantity_uniforms(const gl::ShaderProgram& program, const BodyPicture& picture);
/// The range of the palette where each part has a colour of its own, evenly spaced: quantity.glsl gives the k-th e^k.
PaletteRange range_of_parts(std::size_t count);

}  // namespace orrery
