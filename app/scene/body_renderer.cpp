#include "scene/body_renderer.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

constexpr double reference_height = 720;  // pixels, of the viewport in which the sprite size is as the look says
constexpr float smallest_sprite = 2.5F;   // pixels
constexpr double reference_bodies = 4096;

int quantity_of(const NbodyLook& look) {
  if (look.color_by == "speed") return 0;
  return look.color_by == "mass" ? 3 : 1;
}

// More bodies, each fainter: the picture's light grows with the root of their number.
float surface_light(const BodyPicture& picture) {
  const double bodies = std::max(static_cast<double>(picture.bodies), 64.0);
  return static_cast<float>(0.5 * std::sqrt(reference_bodies / bodies));
}

// A handful of bodies are drawn larger, so that they are seen at all.
double enlargement(const BodyPicture& picture) {
  return std::clamp(std::cbrt(64 / std::max(static_cast<double>(picture.bodies), 1.0)), 1.0, 3.0);
}

void attribute(GLuint index, std::size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, 4 * sizeof(float), reinterpret_cast<const void*>(offset));
}

}  // namespace

BodyRenderer::BodyRenderer() : sprites_("body.vert", "body.frag"), array_(gl::make_vertex_array()) {}

void BodyRenderer::draw(const BodyPicture& picture, Surface* surface, const Viewport& viewport) {
  if (picture != drawn_) {
    glow_.begin(picture.size);
    if (surface != nullptr && picture.bodies > 0) draw_sprites(picture, *surface);
    glow_.end();
    drawn_ = picture;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  glow_.develop(static_cast<float>(picture.look.exposure));
}

void BodyRenderer::draw_sprites(const BodyPicture& picture, Surface& surface) {
  if (!palette_ || palette_->gradient() != picture.look.palette)
    palette_.emplace(picture.look.palette, gl::PaletteTexture::Encoding::linear);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glBindVertexArray(array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, surface.gl_buffer());
  attribute(0, 0);
  attribute(1, picture.bodies * 4 * sizeof(float));
  sprites_.use();
  set_uniforms(picture);
  palette_->bind(0);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(picture.bodies));
  surface.drawn();
}

void BodyRenderer::set_uniforms(const BodyPicture& picture) const {
  const Camera& camera = picture.camera;
  const double length_of_pixel = picture.home_distance / camera.focal_pixels(static_cast<int>(reference_height));
  const double spread = picture.log_high - picture.log_low;
  sprites_.set("view", camera.view());
  sprites_.set("projection", camera.projection(picture.size));
  sprites_.set("focal_pixels", static_cast<float>(camera.focal_pixels(picture.size.y)));
  sprites_.set("diameter", static_cast<float>(picture.look.sprite_size * enlargement(picture) * length_of_pixel));
  sprites_.set("mean_mass", static_cast<float>(std::max(picture.mean_mass, 1e-30)));
  sprites_.set("smallest", smallest_sprite);
  sprites_.set("surface_light", surface_light(picture));
  sprites_.set("quantity", quantity_of(picture.look));
  // Equal values all round stand in the middle of the palette.
  sprites_.set("log_range",
               spread > 1e-9 ? glm::vec2(picture.log_low, 1 / spread) : glm::vec2(picture.log_low - 0.5, 1));
  sprites_.set("palette", 0);
}

}  // namespace orrery
