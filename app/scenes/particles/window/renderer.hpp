/// Draws published particles as lit spheres, their bonds as rods, the shapes of their world and the box as lines.
/// Window thread, with a GL context.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "interop/surface.hpp"
#include "render/camera.hpp"
#include "render/palette_texture.hpp"
#include "scene/scene.hpp"
#include "scenes/particles/window/grains.hpp"
#include "scenes/particles/window/pick.hpp"
#include "scenes/particles/window/settings.hpp"
#include "scenes/particles/world/shapes.hpp"

namespace orrery {

/// What a picture depends on; an equal one is not drawn anew.
struct ParticlesPicture {
  std::int64_t published = -1;   ///< which particles …
  std::int64_t generation = -1;  ///< … of which world
  std::int64_t sketch = 0;       ///< which sketch, where it shows no simulation
  std::size_t particles = 0;
  std::size_t every = 1;  ///< one of so many is drawn (ParticlesRenderer::every)
  Camera camera;
  double extent = 1;         ///< half of the size of all of it
  double low = 0, high = 1;  ///< of the quantity, along the palette
  ParticlesLook look;
  std::vector<particles::SolidShape> shapes;
  glm::ivec2 size{0, 0};
  float scale = 1;  ///< of the display
  bool operator==(const ParticlesPicture&) const = default;
};

/// How a picture differs from what is drawn. Particles that have moved on, in the range of their colours, are progress.
News news_of(ParticlesPicture picture, const ParticlesPicture& drawn);

/// The colour of a kind: the world's, or one of the program's own.
particles::Color kind_color(const particles::World& world, std::size_t kind);

/// From the most negative charge to the most positive, sRGB triples.
std::vector<std::uint8_t> charge_ramp(std::size_t count);

class ParticlesRenderer {
 public:
  ParticlesRenderer();
  /// Into the default framebuffer. `surface` may be nothing: then an empty space. `world` tells box and bonds.
  void draw(const ParticlesPicture& picture, Surface* surface, const particles::World* world, const Viewport& viewport);
  /// One of so many particles is to be drawn: of a crowd fewer where drawing takes too long, or before it is known how
  /// long it takes.
  std::size_t every(std::size_t particles) const;
  /// What draw() has drawn last.
  const ParticlesPicture& drawn() const { return drawn_; }
  ParticlePick& pick() { return pick_; }

 private:
  /// Colour and depth with several samples a pixel, and the picture that they resolve to.
  struct Canvas {
    glm::ivec2 size{0, 0};
    int samples = 0;  // of a pixel
    gl::Texture color, depth;
    gl::Framebuffer sampled;
    gl::Texture resolved;
    gl::Framebuffer picture;
  };
  void make_canvas(glm::ivec2 size, int samples);
  void set_camera(const gl::ShaderProgram& program, const ParticlesPicture& picture) const;
  void keep_pace(std::size_t particles, double seconds);
  void set_look(const gl::ShaderProgram& program, const ParticlesPicture& picture, const particles::World* world) const;
  bool splats(const ParticlesPicture& picture, const particles::World& world) const;
  void draw_spheres(const ParticlesPicture& picture, Surface& surface, const particles::World* world);
  void draw_bonds(const ParticlesPicture& picture, Surface& surface, const particles::World& world);
  void draw_ring(const ParticlesPicture& picture, Surface& surface);
  void draw_shapes(const ParticlesPicture& picture);
  void draw_box(const ParticlesPicture& picture, const particles::World& world);
  void keep_bonds(const ParticlesPicture& picture, const particles::World& world);

  gl::ShaderProgram spheres_, grains_, segments_, ring_, shapes_;
  Grains splat_grains_;
  ParticlePick pick_;
  gl::VertexArray array_, nothing_;
  gl::Buffer bonds_;
  std::pair<std::int64_t, std::int64_t> bonds_of_{-1, -1};  // generation and sketch
  std::optional<gl::PaletteTexture> palette_;
  Canvas canvas_;
  std::size_t of_crowd_ = 16;  // one of so many particles is drawn
  float largest_point_;
  ParticlesPicture drawn_;
};

}  // namespace orrery
