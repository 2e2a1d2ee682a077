#include "scenes/nbody/window/renderer.hpp"

#include <algorithm>
#include <array>
#include <glm/gtc/matrix_transform.hpp>

namespace orrery {
namespace {

constexpr float largest_sprite = 384;                                // pixels
constexpr double guess_on_processor = 1e-6, guess_on_device = 2e-9;  // seconds a body
constexpr glm::vec3 ring_ink{0.78F, 0.88F, 1.0F};

float largest_point_of_driver() {
  std::array<float, 2> range{1, 1};
  glGetFloatv(GL_POINT_SIZE_RANGE, range.data());
  return std::min(range[1], largest_sprite);
}

// OpenGL drops a point whose middle is outside the view. With a viewport that is larger all round by half of the
// largest sprite, and a projection that makes up for it, no sprite vanishes while a part of it is seen.
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

void BodyRenderer::draw(const BodyPicture& picture, Surface* surface, Surface* cells, const Viewport& viewport) {
  const bool bodies = surface != nullptr && picture.bodies > 0;
  if (picture != drawn_ || drawn_to_ < BodyOrder::places) {
    viewport.begin_pass("bodies");
    if (picture != drawn_) begin(picture, bodies ? surface : nullptr);
    glow_.resume();
    const std::uint32_t end = bodies ? next_place(picture, viewport.kept) : BodyOrder::places;
    if (bodies && cells != nullptr && !picture.cells.empty())
      draw_cells(picture, *cells, static_cast<float>(end - drawn_to_) / BodyOrder::places);
    if (bodies) draw_sprites(picture, *surface, end);
    drawn_to_ = end;
    viewport.begin_pass("glow");
    glow_.end();
  }
  viewport.begin_pass("tone map");
  glow_.show(viewport.origin, static_cast<float>(picture.look.exposure / drawn_share()));
  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  if (bodies && picture.followed) draw_ring(picture, *surface);
}

void BodyRenderer::begin(const BodyPicture& picture, Surface* surface) {
  if (surface != nullptr) keep_trails(picture, *surface);
  glow_.begin(picture.size, picture.bodies > most_drawn_at_once ? gl::Glow::Sums::floats : gl::Glow::Sums::halves);
  drawn_ = picture;
  drawn_to_ = 0;
}

std::uint32_t BodyRenderer::next_place(const BodyPicture& picture, bool kept) {
  if (const auto measured = timer_.take()) pacer_.measured(measured->amount, measured->seconds);
  const std::size_t one_in = pacer_.one_in(picture.bodies);
  if (kept || one_in == 1) return BodyOrder::places;
  if (drawn_to_ == 0) return static_cast<std::uint32_t>(BodyOrder::places / one_in);
  const double added = BodyOrder::places * pacer_.added() / static_cast<double>(picture.bodies);
  return drawn_to_ +
         static_cast<std::uint32_t>(std::clamp(added, 1.0, static_cast<double>(BodyOrder::places - drawn_to_)));
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

void BodyRenderer::draw_sprites(const BodyPicture& picture, Surface& surface, std::uint32_t end) {
  const double share = static_cast<double>(end - drawn_to_) / BodyOrder::places;
  const SpriteScale scale = sprite_scale(picture, largest_point_);
  use_palette(picture);
  if (trails_) trails_->draw(picture, scale, static_cast<float>(share));
  bind_bodies(picture, surface);
  sprites_.use();
  const int margin = static_cast<int>(largest_point_ / 2) + 1;
  sprites_.set("view", picture.camera.view());
  sprites_.set("projection", with_margin(picture.camera.projection(picture.size), picture.size, margin));
  sprites_.set("surface_light", scale.surface_light);
  sprites_.set("disc", scale.disc);
  sprites_.set("quantity", quantity_of(picture.look));
  set_sprite_uniforms(sprites_, scale);
  set_palette_uniforms(sprites_, picture);
  timer_.begin();
  order_.draw(picture.bodies, drawn_to_, end);
  timer_.end(share * static_cast<double>(picture.bodies));
  surface.drawn();
}

void BodyRenderer::draw_ring(const BodyPicture& picture, Surface& surface) {
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
  glDrawArrays(GL_POINTS, static_cast<GLint>(*picture.followed), 1);
  glDisable(GL_BLEND);
  surface.drawn();
}

void BodyRenderer::begin_pick(const BodyPicture& picture, Surface& surface, glm::vec2 cursor, float reach) {
  pick_.begin(picture, sprite_scale(picture, largest_point_), surface.gl_buffer(), cursor, reach);
  surface.drawn();
}

}  // namespace orrery
