#include "scenes/nbody/window/renderer.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <numeric>
#include <random>

#include "base/files/gradient.hpp"

namespace orrery {
namespace {

constexpr GLuint pick_group = 256, most_groups = 4096;  // shaders/nbody/pick.comp
constexpr std::uint32_t nobody = 0xffffffffU, index_bits = 0x3ffffffU;

struct Result {
  std::uint32_t best = nobody;
  std::array<float, 3> place{};
};

}  // namespace

BodyPick::BodyPick() : search_("pick.comp") {}

void BodyPick::begin(const BodyPicture& picture, const SpriteScale& scale, unsigned surface_buffer, glm::vec2 cursor,
                     float reach) {
  const Result nothing;
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, result_.buffer());
  glBufferData(GL_SHADER_STORAGE_BUFFER, sizeof nothing, &nothing, GL_DYNAMIC_READ);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, surface_buffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, result_.buffer());
  search_.use();
  set_sprite_uniforms(search_, scale);
  search_.set("bodies", static_cast<int>(picture.bodies));
  search_.set("view", picture.camera.view());
  search_.set("projection", picture.camera.projection(picture.size));
  search_.set("half_size", glm::vec2(picture.size) / 2.0F);
  search_.set("cursor", cursor);
  search_.set("reach", reach);
  search_.set("visible", scale.visible());
  search_.set("decided", 0);
  glDispatchCompute(std::clamp((static_cast<GLuint>(picture.bodies) + pick_group - 1) / pick_group, 1U, most_groups), 1,
                    1);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  search_.set("decided", 1);
  glDispatchCompute(1, 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  result_.begin();
}

std::optional<BodyPick::Answer> BodyPick::poll() {
  Result result;
  if (!result_.take(&result, sizeof result)) return std::nullopt;
  if (result.best == nobody) return Answer{};
  return Answer{PickedBody{result.best & index_bits, {result.place[0], result.place[1], result.place[2]}}};
}

// ---- cells of the tree

namespace {

constexpr std::size_t clear_cells = 512;  // per level; more would confuse unless requested
constexpr std::string_view level_palette = "viridis";
constexpr double darkest_place = 0.15;  // in the palette: darker lines would be invisible

glm::vec3 light_of_level(std::size_t number, std::size_t levels) {
  const auto rgb = color_of_level(number, levels);
  const auto linear = [](std::uint8_t value) { return static_cast<float>(to_linear(value / 255.0)); };
  return {linear(rgb[0]), linear(rgb[1]), linear(rgb[2])};
}

// All frames of a level are about as long as the number of its cells to the power of 2/3: each sends less light, so
// that fine levels do not hide the bodies.
float weight_of(const CellLevel& level, bool alone) {
  const float of_one = alone ? 0.38F : 0.2F;
  return of_one * std::pow(static_cast<float>(level.count), -0.32F);
}

}  // namespace

std::size_t chosen_cell_level(const NbodyLook& look, std::size_t bodies, const TreeShape& shape) {
  const std::vector<CellLevel> levels = cell_levels(bodies, shape);
  if (look.cell_level > 0) return std::min(static_cast<std::size_t>(look.cell_level), levels.back().number);
  std::size_t finest = 1;
  for (const CellLevel& level : levels)
    if (level.count <= clear_cells) finest = level.number;
  return finest;
}

std::vector<CellLevel> chosen_cells(const NbodyLook& look, std::size_t bodies, const TreeShape& shape) {
  if (look.cells == "off") return {};
  const std::size_t chosen = chosen_cell_level(look, bodies, shape);
  std::vector<CellLevel> levels = cell_levels(bodies, shape);
  std::erase_if(levels, [&](const CellLevel& level) {
    return level.number > chosen || (look.cells == "level" && level.number < chosen);
  });
  return levels;
}

std::array<std::uint8_t, 3> color_of_level(std::size_t number, std::size_t levels) {
  constexpr std::size_t places = 256;
  static const std::vector<std::uint8_t> ramp = gradient_ramp(level_palette, places);
  const double along = levels > 1 ? static_cast<double>(number - 1) / static_cast<double>(levels - 1) : 1;
  const auto place = static_cast<std::size_t>(std::lround(std::lerp(darkest_place, 1, along) * (places - 1)));
  return {ramp[3 * place], ramp[3 * place + 1], ramp[3 * place + 2]};
}

CellFrames::CellFrames() : program_("cell.vert", "cell.frag"), array_(gl::make_vertex_array()) {}

void CellFrames::draw(const BodyPicture& picture, unsigned boxes, float share) const {
  constexpr GLuint edges = 12;
  program_.use();
  program_.set("view", picture.camera.view());
  program_.set("projection", picture.camera.projection(picture.size));
  program_.set("half_size", glm::vec2(picture.size) / 2.0F);
  program_.set("half_width", 1.1F * picture.scale);
  program_.set("focal_pixels", static_cast<float>(picture.camera.focal_pixels(picture.size.y)));
  program_.set("scale", picture.scale);
  program_.set("middle", static_cast<float>(picture.camera.distance));
  glBindVertexArray(array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, boxes);
  for (GLuint corner = 0; corner < 2; ++corner) {
    glEnableVertexAttribArray(corner);
    glVertexAttribDivisor(corner, edges);
  }
  const std::size_t levels = TreeLevels(picture.bodies, picture.tree).rows.size();
  for (const CellLevel& level : picture.cells) {
    for (GLuint corner = 0; corner < 2; ++corner)
      glVertexAttribPointer(corner, 4, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(cell_bytes),
                            reinterpret_cast<const void*>(level.first * cell_bytes + corner * sizeof(glm::vec4)));
    program_.set("light", glm::vec4(light_of_level(level.number, levels), 1.0F) *
                              (share * weight_of(level, picture.cells.size() == 1)));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(edges * level.count));
  }
}

// ---- portions

void PortionPacer::measured(double bodies, double seconds) {
  constexpr double rise = 0.5, fall = 0.2;
  if (!(bodies > 0) || !(seconds > 0)) return;
  const double now = seconds / bodies;
  each_ += (now > each_ ? rise : fall) * (now - each_);
}

std::size_t PortionPacer::one_in(std::size_t bodies) {
  constexpr double spare = 0.7;  // share of the time below which n decreases
  if (bodies <= most_drawn_at_once) return 1;
  const auto least = [&](double seconds) {
    const double times = std::ceil(static_cast<double>(bodies) * each_ / seconds);
    return std::bit_ceil(static_cast<std::size_t>(std::clamp(times, 1.0, double{Portion::places})));
  };
  one_in_ = std::clamp(one_in_, least(in_motion), least(spare * in_motion));
  return one_in_;
}

// ---- the picture

namespace {

constexpr float largest_sprite = 384;                                // pixels
constexpr double guess_on_processor = 5e-8, guess_on_device = 2e-9;  // seconds a body
constexpr glm::vec3 ring_ink{0.78F, 0.88F, 1.0F};

float largest_point_of_driver() {
  std::array<float, 2> range{1, 1};
  glGetFloatv(GL_POINT_SIZE_RANGE, range.data());
  return std::min(range[1], largest_sprite);
}

// OpenGL drops a point whose middle is outside the view. With a viewport that is larger on all sides by half of the
// largest sprite, and a projection that compensates for it, no sprite vanishes while a part of it is seen.
glm::mat4 with_margin(const glm::mat4& projection, glm::ivec2 size, int margin) {
  glViewport(-margin, -margin, size.x + 2 * margin, size.y + 2 * margin);
  const glm::vec2 share = glm::vec2(size) / glm::vec2(size + 2 * margin);
  return glm::scale(glm::mat4(1), glm::vec3(share, 1)) * projection;
}

}  // namespace

BodyRenderer::BodyRenderer()
    : sprites_("body.vert", "body.frag"),
      ring_("ring.vert", "ring.frag"),
      array_(gl::make_vertex_array()),
      largest_point_(largest_point_of_driver()),
      pacer_(gl::draws_on_processor() ? guess_on_processor : guess_on_device) {}

void BodyRenderer::draw(const BodyPicture& picture, const Surfaces& of, const Viewport& viewport) {
  Surface* const surface = of.bodies;
  const bool bodies = surface != nullptr && picture.bodies > 0;
  if (picture != drawn_ || drawn_to_ < Portion::places) {
    viewport.begin_pass("bodies");
    if (picture != drawn_) begin(picture, bodies ? surface : nullptr);
    glow_.resume();
    const Portion portion{drawn_to_, bodies ? next_place(picture, viewport.kept) : Portion::places};
    if (bodies && of.cells != nullptr && !picture.cells.empty())
      draw_cells(picture, *of.cells, static_cast<float>(portion.share()));
    if (bodies) draw_sprites(picture, *surface, portion);
    if (bodies && of.ghost != nullptr && picture.ghosts > 0) draw_ghost(picture, *of.ghost, portion);
    drawn_to_ = portion.end;
    viewport.begin_pass("glow");
    glow_.end();
  }
  viewport.begin_pass("tone map");
  glow_.show(viewport.target, viewport.origin, static_cast<float>(picture.look.exposure / drawn_share()));
  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  if (bodies && picture.followed) draw_ring(picture, *surface, *picture.followed);
  if (bodies && picture.chosen && picture.chosen != picture.followed) draw_ring(picture, *surface, *picture.chosen);
}

void BodyRenderer::begin(const BodyPicture& picture, Surface* surface) {
  if (surface != nullptr) keep_trails(picture, *surface);
  glow_.begin(picture.size, picture.bodies > most_drawn_at_once ? gl::Glow::Sums::floats : gl::Glow::Sums::halves);
  drawn_ = picture;
  drawn_to_ = 0;
}

std::uint32_t BodyRenderer::next_place(const BodyPicture& picture, bool kept) {
  if (const auto measured = splat_.take_time()) pacer_.measured(measured->amount, measured->seconds);
  const std::size_t one_in = pacer_.one_in(picture.bodies);
  if (kept || one_in == 1) return Portion::places;
  if (drawn_to_ == 0) return static_cast<std::uint32_t>(Portion::places / one_in);
  const double added = Portion::places * pacer_.added() / static_cast<double>(picture.bodies);
  return drawn_to_ +
         static_cast<std::uint32_t>(std::clamp(added, 1.0, static_cast<double>(Portion::places - drawn_to_)));
}

void BodyRenderer::use_palette(const BodyPicture& picture) {
  if (!palette_ || palette_->gradient() != picture.look.palette)
    palette_.emplace(picture.look.palette, gl::PaletteTexture::Encoding::linear);
  palette_->bind(0);
}

void BodyRenderer::keep_trails(const BodyPicture& picture, Surface& surface) {
  if (!wants_trails(picture.look, picture.bodies)) return trails_.reset();
  if (!trails_) trails_.emplace();
  trails_->record(picture, surface.gl_buffer());
  surface.drawn();
}

void BodyRenderer::carry_trails(const BodyEdit& edit, std::int64_t generation) {
  if (trails_) trails_->carry(edit, generation);
}

void BodyRenderer::bind_bodies(const BodyPicture& picture, Surface& surface) const {
  glBindVertexArray(array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, surface.gl_buffer());
  const std::array offsets{std::size_t{0}, picture.bodies * sizeof(glm::vec4)};
  for (GLuint index = 0; index < offsets.size(); ++index) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, 0, reinterpret_cast<const void*>(offsets[index]));
  }
  glEnable(GL_PROGRAM_POINT_SIZE);
}

void BodyRenderer::draw_cells(const BodyPicture& picture, Surface& cells, float share) {
  if (!frames_) frames_.emplace();
  frames_->draw(picture, cells.gl_buffer(), share);
  cells.drawn();
}

void BodyRenderer::draw_sprites(const BodyPicture& picture, Surface& surface, const Portion& portion) {
  const SpriteScale scale = sprite_scale(picture, largest_point_);
  use_palette(picture);
  if (trails_) trails_->draw(picture, scale, static_cast<float>(portion.share()));
  add_light(picture, surface, scale, {0, 0, 0, 0}, portion);
}

void BodyRenderer::draw_ghost(const BodyPicture& picture, Surface& ghost, const Portion& portion) {
  constexpr float faint = 0.35F;
  constexpr glm::vec4 green{0.25F, 1.0F, 0.55F, 1.0F};  // the default palette has no green
  BodyPicture other = picture;
  other.bodies = picture.ghosts;
  SpriteScale scale = sprite_scale(other, largest_point_);
  scale.surface_light *= faint;
  add_light(other, ghost, scale, green, portion);
}

void BodyRenderer::add_light(const BodyPicture& picture, Surface& surface, const SpriteScale& scale,
                             const glm::vec4& tint, const Portion& portion) {
  const bool crowd = picture.bodies > most_drawn_at_once || !portion.whole();
  if (crowd) {
    splat_.program().use();
    set_sprites(splat_.program(), picture, scale, tint);
    splat_.program().set("projection", picture.camera.projection(picture.size));
    glow_.resume();
    splat_.draw({surface.gl_buffer(), picture.bodies}, portion, picture.size, scale.surface_light);
  }
  sprites_.use();
  set_sprites(sprites_, picture, scale, tint);
  const int margin = static_cast<int>(largest_point_ / 2) + 1;
  sprites_.set("projection", with_margin(picture.camera.projection(picture.size), picture.size, margin));
  bind_bodies(picture, surface);
  crowd ? splat_.draw_large() : glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(picture.bodies));
  surface.drawn();
}

void BodyRenderer::set_sprites(const gl::ShaderProgram& program, const BodyPicture& picture, const SpriteScale& scale,
                               const glm::vec4& tint) const {
  program.set("view", picture.camera.view());
  program.set("surface_light", scale.surface_light);
  program.set("disc", scale.disc);
  program.set("tint", tint);
  set_quantity_uniforms(program, picture);
  set_sprite_uniforms(program, scale);
  set_palette_uniforms(program, picture);
}

void BodyRenderer::draw_ring(const BodyPicture& picture, Surface& surface, std::uint32_t body) {
  const SpriteScale scale = sprite_scale(picture, largest_point_);
  bind_bodies(picture, surface);
  ring_.use();
  set_sprite_uniforms(ring_, scale);
  ring_.set("view", picture.camera.view());
  ring_.set("projection", picture.camera.projection(picture.size));
  ring_.set("visible", scale.visible());
  ring_.set("scale", picture.scale);
  ring_.set("ink", ring_ink);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDrawArrays(GL_POINTS, static_cast<GLint>(body), 1);
  glDisable(GL_BLEND);
  surface.drawn();
}

void BodyRenderer::begin_pick(const BodyPicture& picture, Surface& surface, glm::vec2 cursor, float reach) {
  pick_.begin(picture, sprite_scale(picture, largest_point_), surface.gl_buffer(), cursor, reach);
  surface.drawn();
}

}  // namespace orrery
