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

/// The inputs of a picture; an equal picture is not drawn again.
struct ParticlesPicture {
  std::int64_t published = -1;   ///< serial number of the particles …
  std::int64_t generation = -1;  ///< … and generation of their world
  std::int64_t sketch = 0;       ///< serial number of a sketch, if it shows no simulation
  std::size_t particles = 0;
  std::size_t every = 1;  ///< every n-th particle is drawn (ParticlesRenderer::every)
  Camera camera;
  double extent = 1;         ///< half of the world's size
  double low = 0, high = 1;  ///< range of the quantity along the palette
  ParticlesLook look;
  std::vector<particles::SolidShape> shapes;
  glm::ivec2 size{0, 0};
  float scale = 1;  ///< scale of the display
  bool operator==(const ParticlesPicture&) const = default;
};

/// Compares a picture with the drawn one. Particles that have moved on, in the range of their colours, are progress.
News news_of(ParticlesPicture picture, const ParticlesPicture& drawn);

/// The colour of a kind: the world's, or one of the program's own.
particles::Color kind_color(const particles::World& world, std::size_t kind);

/// The sRGB triples from the most negative charge to the most positive.
std::vector<std::uint8_t> charge_ramp(std::size_t count);

struct SeenParticle {
  std::uint32_t index = 0;  ///< its identity
  glm::vec3 place{0, 0, 0};
  float radius = 0, speed = 0, charge = 0, energy = 0;
  std::uint32_t kind = 0;
};

/// Finds the particle under the cursor among the drawn ones, and reads the published values of one. The GPU does both;
/// the answer arrives some frames later, and nothing waits for it.
class ParticlePick {
 public:
  /// `largest`: the largest drawn diameter in pixels.
  explicit ParticlePick(float largest);

  /// Begins the search at `cursor` (pixels from the viewport's middle, y up), for a particle drawn within `reach`
  /// pixels. Cancels an earlier search.
  void search(const ParticlesPicture& picture, unsigned surface_buffer, glm::vec2 cursor, float reach);
  /// Begins to read that particle; does nothing while another request is under way.
  void look(const ParticlesPicture& picture, unsigned surface_buffer, std::uint32_t particle);

  struct Answer {
    bool searched = false;
    std::int64_t generation = 0;  ///< generation of the picture
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
  /// The largest diameter, because a particle writes its pixels one after another.
  static constexpr double widest = 64;  // pixels

  Grains();
  /// The program whose uniforms camera and look are set before draw(), while it is current.
  const gl::ShaderProgram& places() const { return splat_; }
  /// Likewise for the colours.
  const gl::ShaderProgram& colors() const { return color_; }
  /// Draws every `every`-th of the published `particles` with depths into the bound framebuffer of this size.
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
  /// Draws into the default framebuffer; a null `surface` gives empty space. `world` has the box and the bonds.
  void draw(const ParticlesPicture& picture, Surface* surface, const particles::World* world, const Viewport& viewport);
  /// Draw every n-th particle: n is larger for a crowd if drawing is too slow, or its time is not known yet.
  std::size_t every(std::size_t particles) const;
  /// The picture that draw() drew last.
  const ParticlesPicture& drawn() const { return drawn_; }
  ParticlePick& pick() { return pick_; }

 private:
  /// Colour and depth with several samples a pixel, and the picture that they resolve to.
  struct Canvas {
    glm::ivec2 size{0, 0};
    int samples = 0;  // samples of a pixel
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
  std::size_t of_crowd_ = 16;  // every n-th particle of a crowd is drawn
  float largest_point_;
  ParticlesPicture drawn_;
};

}  // namespace orrery
