#include "scenes/particles/window/renderer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/clock.hpp"

namespace orrery {
namespace {

constexpr GLuint group = 256, most_groups = 4096;  // shaders/particles/particle_pick.comp
constexpr std::uint32_t no_particle = 0xffffffffU;
enum Stage { nearest, lowest, read };  // likewise

// The std430 layout of the shader's result.
struct Result {
  std::uint32_t nearest = 0x7f7fffffU, best = no_particle;
  std::array<std::uint32_t, 2> unused{};
  std::array<float, 4> place_and_radius{}, quantities{};
};

}  // namespace

ParticlePick::ParticlePick(float largest) : program_("particle_pick.comp"), largest_(largest) {}

void ParticlePick::begin(const ParticlesPicture& picture, unsigned surface_buffer, std::uint32_t best) {
  asked_ = {best == no_particle, picture.generation, {}};
  const Result nothing{.best = best};
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, result_.buffer());
  glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof nothing, &nothing, GL_DYNAMIC_READ);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, result_.buffer());
  program_.use();
  program_.set("particles", static_cast<int>(picture.particles));
}

void ParticlePick::run(int stage, unsigned groups) {
  program_.set("stage", stage);
  glDispatchCompute(groups, 1, 1);
  glMemoryBarrier(stage == Stage::read ? GL_BUFFER_UPDATE_BARRIER_BIT : GL_SHADER_STORAGE_BARRIER_BIT);
}

void ParticlePick::end() {
  run(Stage::read, 1);
  result_.begin();
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
}

void ParticlePick::search(const ParticlesPicture& picture, unsigned surface_buffer, glm::vec2 cursor, float reach) {
  begin(picture, surface_buffer, no_particle);
  program_.set("view", picture.camera.view());
  program_.set("projection", picture.camera.projection(picture.size));
  program_.set("half_size", glm::vec2(picture.size) / 2.0F);
  program_.set("focal_pixels", static_cast<float>(picture.camera.focal_pixels(picture.size.y)));
  program_.set("grown", static_cast<float>(picture.look.size));
  program_.set("cursor", cursor);
  program_.set("largest", largest_);
  program_.set("reach", reach);
  const GLuint groups = std::clamp((static_cast<GLuint>(picture.particles) + group - 1) / group, 1U, most_groups);
  run(Stage::nearest, groups);
  run(Stage::lowest, groups);
  end();
}

void ParticlePick::look(const ParticlesPicture& picture, unsigned surface_buffer, std::uint32_t particle) {
  if (result_.under_way() || particle >= picture.particles) return;
  begin(picture, surface_buffer, particle);
  end();
}

std::optional<ParticlePick::Answer> ParticlePick::poll() {
  Result result;
  if (!result_.take(&result, sizeof result)) return std::nullopt;
  if (result.best == no_particle) return asked_;
  const auto& p = result.place_and_radius;
  const auto& q = result.quantities;
  asked_.particle = {result.best, {p[0], p[1], p[2]}, p[3], q[0], q[1], q[2], static_cast<std::uint32_t>(q[3] + 0.5F)};
  return asked_;
}

// ---- grains

namespace {

constexpr std::size_t splat_group = 256;  // shaders/particles/grain_splat.comp
enum Search { cells, depth, number };     // likewise …
constexpr int cell = 4;                   // … and pixels

}  // namespace

Grains::Grains() : splat_("grain_splat.comp"), color_("fullscreen.vert", "grain_splat.frag") {}

void Grains::make_room(glm::ivec2 size) {
  for (gl::Buffer* buffer : {&nearest_, &foremost_, &filled_}) {
    if (size != size_) {
      const glm::ivec2 places = buffer == &filled_ ? (size + cell - 1) / cell : size;
      *buffer = gl::make_buffer();
      glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name());
      glBufferData(GL_SHADER_STORAGE_BUFFER, GLsizeiptr{places.x} * places.y * GLsizeiptr{sizeof(GLuint)}, nullptr,
                   GL_DYNAMIC_COPY);
    }
    constexpr GLuint nothing = 0xffffffffU;
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer->name());
    glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &nothing);
  }
  size_ = size;
}

void Grains::draw(unsigned surface_buffer, std::size_t particles, std::size_t every, glm::ivec2 size) {
  make_room(size);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, nearest_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, foremost_.name());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, filled_.name());
  splat_.use();
  splat_.set("particles", static_cast<int>(particles));
  splat_.set("every", static_cast<int>(every));
  splat_.set("pixels", size);
  const std::size_t drawn = (particles + every - 1) / every;
  for (const Search what : {Search::cells, Search::depth, Search::number}) {
    splat_.set("stage", static_cast<int>(what));
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glDispatchCompute(static_cast<GLuint>((drawn + splat_group - 1) / splat_group), 1, 1);
  }
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  color_.use();
  color_.set("particles", static_cast<int>(particles));
  color_.set("pixels", size);
  triangle_.draw();
  for (GLuint binding = 0; binding < 4; ++binding) glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, 0);
}

// ---- the picture

namespace {

constexpr int samples_of_few = 4;                           // samples of a pixel
constexpr std::size_t crowd = 200'000;                      // beyond this number, particles are drawn as grains
constexpr float largest_sphere = 512;                       // pixels
constexpr double haze_begins = 1.0, haze_reaches = 2.6;     // in extents, from the nearest
constexpr float bond_width = 0.22F;                         // in smallest radii
constexpr glm::vec3 background{0.0233F, 0.0285F, 0.0524F};  // shaders/particles/particle_light.glsl's, encoded
constexpr glm::vec3 box_ink{0.11F, 0.14F, 0.2F}, bond_ink{0.42F, 0.45F, 0.5F}, ring_ink{0.95F, 0.97F, 1.0F};

constexpr std::size_t most_kind_colors = 32;  // shaders/particles/particle_look.glsl
constexpr int quads_around = 128;             // a sphere or a cylinder

constexpr std::array<particles::Color, 8> kind_colors{{{122, 176, 232},
                                                       {233, 138, 84},
                                                       {140, 204, 134},
                                                       {224, 198, 96},
                                                       {184, 140, 226},
                                                       {226, 112, 142},
                                                       {96, 200, 192},
                                                       {190, 196, 206}}};

glm::vec3 linear(const particles::Color& rgb) {
  const auto decode = [](std::uint8_t byte) { return std::pow(static_cast<float>(byte) / 255.0F, 2.2F); };
  return {decode(rgb[0]), decode(rgb[1]), decode(rgb[2])};
}

float largest_point_of_driver() {
  std::array<float, 2> range{1, 1};
  glGetFloatv(GL_POINT_SIZE_RANGE, range.data());
  return std::min(range[1], largest_sphere);
}

float encoded(float light) { return std::pow(std::clamp(light, 0.0F, 1.0F), 1 / 2.2F); }

int quantity_of(const ParticlesLook& look) {
  constexpr std::array<std::string_view, 4> known{"speed", "kind", "charge", "energy"};
  return static_cast<int>(std::ranges::find(known, look.color_by) - known.begin());
}

glm::vec3 vec3_of(const particles::Vector& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

int quads_of(particles::Shape::Form form) {
  switch (form) {
    case particles::Shape::Form::sphere:
      return quads_around * quads_around / 2;
    case particles::Shape::Form::box:
      return 6;
    case particles::Shape::Form::cylinder:
      return 3 * quads_around;
    case particles::Shape::Form::plane:
      return 1;
  }
  return 0;
}

glm::vec3 lengths_of(const particles::World& world) {
  if (!world.box.lengths) return glm::vec3(0);
  return vec3_of(*world.box.lengths);
}

float smallest_radius(const particles::World& world) {
  float smallest = std::numeric_limits<float>::max();
  for (const particles::Kind& kind : world.kinds) smallest = std::min(smallest, static_cast<float>(kind.radius));
  return world.kinds.empty() ? 0.5F : smallest;
}

double largest_radius(const particles::World& world) {
  double largest = 0;
  for (const particles::Kind& kind : world.kinds) largest = std::max(largest, kind.radius);
  return largest;
}

}  // namespace

News news_of(ParticlesPicture picture, const ParticlesPicture& drawn) {
  if (picture == drawn) return News::none;
  picture.published = drawn.published;
  picture.low = drawn.low;
  picture.high = drawn.high;
  return picture == drawn ? News::progress : News::motion;
}

particles::Color kind_color(const particles::World& world, std::size_t kind) {
  return world.kinds[kind].color.value_or(kind_colors[kind % kind_colors.size()]);
}

std::vector<std::uint8_t> charge_ramp(std::size_t count) {
  constexpr glm::vec3 negative{0.07F, 0.24F, 0.85F}, neutral{0.62F},
      positive{0.85F, 0.11F, 0.07F};  // shaders/particles/particle.vert
  std::vector<std::uint8_t> ramp;
  for (std::size_t i = 0; i < count; ++i) {
    const float charge = 2 * static_cast<float>(i) / static_cast<float>(std::max<std::size_t>(count - 1, 1)) - 1;
    const glm::vec3 light = glm::mix(neutral, charge < 0 ? negative : positive, std::sqrt(std::abs(charge)));
    for (int k = 0; k < 3; ++k) ramp.push_back(static_cast<std::uint8_t>(std::lround(255 * encoded(light[k]))));
  }
  return ramp;
}

ParticlesRenderer::ParticlesRenderer()
    : spheres_("particle.vert", "particle.frag"),
      grains_("grain.vert", "grain.frag"),
      segments_("segment.vert", "segment.frag"),
      ring_("particle_ring.vert", "ring.frag"),
      shapes_("shape.vert", "shape.frag"),
      pick_(largest_point_of_driver()),
      array_(gl::make_vertex_array()),
      nothing_(gl::make_vertex_array()),
      largest_point_(largest_point_of_driver()) {}

void ParticlesRenderer::make_canvas(glm::ivec2 size, int samples) {
  if (size == canvas_.size && samples == canvas_.samples) return;
  canvas_ = {size,
             samples,
             gl::make_texture(),
             gl::make_texture(),
             gl::make_framebuffer(),
             gl::make_texture(),
             gl::make_framebuffer()};
  const auto multisampled = [&](const gl::Texture& texture, GLenum format) {
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture.name());
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, format, size.x, size.y, GL_TRUE);
  };
  multisampled(canvas_.color, GL_RGBA8);
  multisampled(canvas_.depth, GL_DEPTH_COMPONENT24);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas_.sampled.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, canvas_.color.name(), 0);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D_MULTISAMPLE, canvas_.depth.name(), 0);
  glBindTexture(GL_TEXTURE_2D, canvas_.resolved.name());
  glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, size.x, size.y);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas_.picture.name());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, canvas_.resolved.name(), 0);
}

void ParticlesRenderer::draw(const ParticlesPicture& picture, Surface* surface, const particles::World* world,
                             const Viewport& viewport) {
  const glm::ivec2 size = glm::max(picture.size, glm::ivec2(1));
  if (picture != drawn_ || size != canvas_.size) {
    viewport.begin_pass("particles");
    const double began = now_seconds();
    make_canvas(size, picture.particles > crowd ? 1 : samples_of_few);
    glBindFramebuffer(GL_FRAMEBUFFER, canvas_.sampled.name());
    glViewport(0, 0, size.x, size.y);
    glClearColor(background.r, background.g, background.b, 1);
    glClearDepth(1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    draw_shapes(picture);
    if (world != nullptr && picture.look.box) draw_box(picture, *world);
    if (surface != nullptr && picture.particles > 0) {
      draw_spheres(picture, *surface, world);
      if (world != nullptr && picture.look.bonds && !world->bonds.empty()) draw_bonds(picture, *surface, *world);
      glDisable(GL_DEPTH_TEST);
      if (picture.look.follow >= 0) draw_ring(picture, *surface);
      surface->drawn();
    }
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas_.sampled.name());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas_.picture.name());
    glBlitFramebuffer(0, 0, size.x, size.y, 0, 0, size.x, size.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    if (!viewport.offline) keep_pace(picture.particles, now_seconds() - began);
    drawn_ = picture;
  }
  const glm::ivec2 low = viewport.origin, high = viewport.origin + viewport.size;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas_.picture.name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, viewport.target);
  glBlitFramebuffer(0, 0, size.x, size.y, low.x, low.y, high.x, high.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, viewport.target);
}

std::size_t ParticlesRenderer::every(std::size_t particles) const { return particles > crowd ? of_crowd_ : 1; }

// A software OpenGL draws on this thread, which must also serve the window.
void ParticlesRenderer::keep_pace(std::size_t particles, double seconds) {
  constexpr double too_long = 0.08, short_enough = too_long / 2;
  constexpr std::size_t most = 64;
  if (particles <= crowd) return;
  if (seconds > too_long)
    of_crowd_ = std::min(2 * of_crowd_, most);
  else if (seconds < short_enough)
    of_crowd_ = std::max<std::size_t>(of_crowd_ / 2, 1);
}

void ParticlesRenderer::set_camera(const gl::ShaderProgram& program, const ParticlesPicture& picture) const {
  const Camera& camera = picture.camera;
  program.set("view", camera.view());
  program.set("projection", camera.projection(picture.size));
  program.set("focal_pixels", static_cast<float>(camera.focal_pixels(picture.size.y)));
  const double nearest = std::max(camera.distance - haze_begins * picture.extent, 0.0);
  program.set("haze", glm::vec2(static_cast<float>(nearest), static_cast<float>(1 / (haze_reaches * picture.extent))));
}

void ParticlesRenderer::set_look(const gl::ShaderProgram& program, const ParticlesPicture& picture,
                                 const particles::World* world) const {
  set_camera(program, picture);
  program.set("grown", static_cast<float>(picture.look.size));
  program.set("largest", largest_point_);
  program.set("quantity", quantity_of(picture.look));
  program.set("palette", 0);
  const bool charge = picture.look.color_by == "charge";
  const double spread = std::max(charge ? picture.high : picture.high - picture.low, 1e-30);
  program.set("ramp", glm::vec2(static_cast<float>(1 / spread), static_cast<float>(-picture.low / spread)));
  const std::size_t kinds = world != nullptr ? std::min(world->kinds.size(), most_kind_colors) : 0;
  for (std::size_t k = 0; k < kinds; ++k)
    program.set(("kinds[" + std::to_string(k) + "]").c_str(), linear(kind_color(*world, k)));
}

// True if no particle can be wider than a grain may be, anywhere in the scene.
bool ParticlesRenderer::splats(const ParticlesPicture& picture, const particles::World& world) const {
  if (picture.particles <= crowd) return false;
  const double nearest = picture.camera.distance - glm::length(picture.camera.target) - picture.extent;
  const double widest = 2 * largest_radius(world) * picture.look.size * picture.camera.focal_pixels(picture.size.y);
  return widest < (Grains::widest - 1) * nearest;
}

void ParticlesRenderer::draw_spheres(const ParticlesPicture& picture, Surface& surface, const particles::World* world) {
  if (!palette_ || palette_->gradient() != picture.look.palette)
    palette_.emplace(picture.look.palette, gl::PaletteTexture::Encoding::linear);
  palette_->bind(0);
  if (world != nullptr && splats(picture, *world)) {
    for (const gl::ShaderProgram* program : {&splat_grains_.places(), &splat_grains_.colors()}) {
      program->use();
      set_look(*program, picture, world);
    }
    return splat_grains_.draw(surface.gl_buffer(), picture.particles, picture.every, canvas_.size);
  }
  glBindVertexArray(array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, surface.gl_buffer());
  for (GLuint index = 0; index < 2; ++index) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(picture.every * sizeof(glm::vec4)),
                          reinterpret_cast<const void*>(index * picture.particles * sizeof(glm::vec4)));
  }
  const bool crowded = picture.particles > crowd;
  const gl::ShaderProgram& program = crowded ? grains_ : spheres_;
  program.use();
  set_look(program, picture, world);
  glEnable(GL_PROGRAM_POINT_SIZE);
  if (!crowded) glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(picture.particles / picture.every));
  glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
}

void ParticlesRenderer::keep_bonds(const ParticlesPicture& picture, const particles::World& world) {
  const std::pair of{picture.generation, picture.sketch};
  if (bonds_ && bonds_of_ == of) return;
  bonds_ = gl::make_buffer();
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, bonds_.name());
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(world.bonds.size() * sizeof(world.bonds[0])),
               world.bonds.data(), GL_STATIC_DRAW);
  bonds_of_ = of;
}

void ParticlesRenderer::draw_bonds(const ParticlesPicture& picture, Surface& surface, const particles::World& world) {
  keep_bonds(picture, world);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface.gl_buffer());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, bonds_.name());
  glBindVertexArray(nothing_.name());
  segments_.use();
  set_camera(segments_, picture);
  segments_.set("box", lengths_of(world));
  segments_.set("edges", 0);
  segments_.set("width", bond_width * smallest_radius(world) * static_cast<float>(picture.look.size));
  segments_.set("thinnest", 1.5F * picture.scale);
  segments_.set("ink", bond_ink);
  segments_.set("round_", 1.0F);
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(6 * world.bonds.size()));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
}

// Draws the ring over everything: the followed particle may be hidden.
void ParticlesRenderer::draw_ring(const ParticlesPicture& picture, Surface& surface) {
  if (picture.look.follow >= static_cast<std::int64_t>(picture.particles)) return;
  glBindVertexArray(array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, surface.gl_buffer());
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, sizeof(glm::vec4), nullptr);
  ring_.use();
  ring_.set("view", picture.camera.view());
  ring_.set("projection", picture.camera.projection(picture.size));
  ring_.set("focal_pixels", static_cast<float>(picture.camera.focal_pixels(picture.size.y)));
  ring_.set("grown", static_cast<float>(picture.look.size));
  ring_.set("largest", largest_point_);
  ring_.set("scale", picture.scale);
  ring_.set("ink", ring_ink);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArrays(GL_POINTS, static_cast<GLint>(picture.look.follow), 1);
  glDisable(GL_BLEND);
}

void ParticlesRenderer::draw_shapes(const ParticlesPicture& picture) {
  if (picture.shapes.empty()) return;
  glBindVertexArray(nothing_.name());
  shapes_.use();
  set_camera(shapes_, picture);
  shapes_.set("around", quads_around);
  for (const particles::SolidShape& shape : picture.shapes) {
    shapes_.set("form", static_cast<int>(shape.form));
    shapes_.set("center", vec3_of(shape.center));
    shapes_.set("axis", vec3_of(shape.axis));
    shapes_.set("size", vec3_of(shape.size));
    shapes_.set("ink", linear(shape.color));
    glDrawArrays(GL_TRIANGLES, 0, 6 * quads_of(shape.form));
  }
}

void ParticlesRenderer::draw_box(const ParticlesPicture& picture, const particles::World& world) {
  if (!world.box.lengths) return;
  constexpr GLsizei edges = 12;
  glBindVertexArray(nothing_.name());
  segments_.use();
  set_camera(segments_, picture);
  segments_.set("box", lengths_of(world));
  segments_.set("edges", 1);
  segments_.set("width", 0.0F);
  segments_.set("thinnest", 1.5F * picture.scale);
  segments_.set("ink", box_ink);
  segments_.set("round_", 0.0F);
  glDrawArrays(GL_TRIANGLES, 0, 6 * edges);
}

}  // namespace orrery
