#include "render/glow.hpp"

#include <utility>

namespace orrery::gl {
namespace {

void bind_picture(const RenderTarget& target, GLuint unit = 0) {
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, target.texture());
}

}  // namespace

Glow::Glow()
    : shrink_("fullscreen.vert", "shrink.frag"),
      blur_("fullscreen.vert", "blur.frag"),
      glow_("fullscreen.vert", "glow.frag"),
      tone_map_("fullscreen.vert", "tone_map.frag") {}

void Glow::begin(glm::ivec2 size, Sums sums) {
  if (sums != std::exchange(sums_, sums)) light_ = RenderTarget(sums == Sums::floats ? GL_RGBA32F : GL_RGBA16F);
  light_.bind(size);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  resume();
}

void Glow::resume() {
  light_.bind(light_.size());
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
}

void Glow::end() {
  glDisable(GL_BLEND);
  stage_ = Stage::lit;
  shrink_and_blur(light_, near_);
  shrink_and_blur(near_.shrunk, far_);
  near_.blurred.bind(near_.shrunk.size());
  bind_picture(near_.shrunk, 0);
  bind_picture(far_.shrunk, 1);
  glow_.use();
  glow_.set("near_glow", 0);
  glow_.set("far_glow", 1);
  triangle_.draw();
}

// The result is in level.shrunk; level.blurred is free again.
void Glow::shrink_and_blur(const RenderTarget& from, Level& level) {
  const glm::ivec2 size = glm::max(from.size() / 4, glm::ivec2(1));
  level.shrunk.bind(size);
  bind_picture(from);
  shrink_.use();
  shrink_.set("picture", 0);
  triangle_.draw();
  blur_.use();
  blur_.set("picture", 0);
  level.blurred.bind(size);
  bind_picture(level.shrunk);
  blur_.set("direction", glm::vec2(1.0F / static_cast<float>(size.x), 0));
  triangle_.draw();
  level.shrunk.bind(size);
  bind_picture(level.blurred);
  blur_.set("direction", glm::vec2(0, 1.0F / static_cast<float>(size.y)));
  triangle_.draw();
}

void Glow::draw_colors(glm::ivec2 origin, float exposure) {
  tone_map_.use();
  bind_picture(light_, 0);
  bind_picture(near_.blurred, 1);
  tone_map_.set("picture", 0);
  tone_map_.set("glow", 1);
  tone_map_.set("exposure", exposure);
  tone_map_.set("origin", glm::vec2(origin));
  triangle_.draw();
}

void Glow::show(GLuint framebuffer, glm::ivec2 origin, float exposure) {
  const glm::ivec2 size = light_.size(), end = origin + size;
  if (stage_ == Stage::lit) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(origin.x, origin.y, size.x, size.y);
    draw_colors(origin, exposure);
    stage_ = Stage::shown;
    return;
  }
  if (stage_ == Stage::shown) {
    developed_.bind(size);
    draw_colors({0, 0}, exposure);
    stage_ = Stage::developed;
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, developed_.framebuffer());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  glBlitFramebuffer(0, 0, size.x, size.y, origin.x, origin.y, end.x, end.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace orrery::gl
