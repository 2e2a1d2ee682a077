/// Draws published particles as lit spheres, their bonds as rods, the shapes of their world and the box as lines,
/// and finds the particle under the cursor. Window thread, with a GL context.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "interop/surface.hpp"
#include "render/camera.hpp"
#include "render/gl.hpp"
#include "render/late_read.hpp"
#include "render/palette_texture.hpp"
#include "scene/scene.hpp"
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

struct SeenParticle {
  std::uint32_t index = 0;  ///< its identity
  glm::vec3 place{0, 0, 0};
  float radius = 0, speed = 0, charge = 0, energy = 0;
  std::uint32_t kind = 0;
};

/// Finds the particle under the cursor among those that are drawn, and reads what is published of one. The GPU does
/// both; the answer is there some frames later, and nothing waits for it.
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
  bool under_way() const { return result_.under_way(); }
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

/// Draws a crowd of small particles without the rasteriser: each writes its pixels itself, and the nearest wins. The
/// picture is that of points of these sizes (shaders/particles/grain.vert).
class Grains {
 public:
  /// A particle writes its pixels one after the other: so wide it may be.
  static constexpr double widest = 64;  // pixels

  Grains();
  /// The program whose uniforms tell camera and look, before draw(); it is current then.
  const gl::ShaderProgram& places() const { return splat_; }
  /// Likewise for the colours.
  const gl::ShaderProgram& colors() const { return color_; }
  /// Of `particles` published in the buffer one of `every` so many, into the framebuffer that is bound, which is of
  /// that size, with depths.
  void draw(unsigned surface_buffer, std::size_t particles, std::size_t every, glm::ivec2 size);

 private:
  void make_room(glm::ivec2 size);

  gl::ShaderProgram splat_, color_;
  gl::FullscreenTriangle triangle_;
  gl::Buffer nearest_, foremost_, filled_;
  glm::ivec2 size_{0, 0};
};

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
