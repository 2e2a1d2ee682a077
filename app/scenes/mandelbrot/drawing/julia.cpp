#include "scenes/mandelbrot/drawing/julia.hpp"

#include <algorithm>

namespace orrery {
namespace {

constexpr float side = 168;    // at scale 1 …
constexpr float margin = 16;   // … in pixels
constexpr float most = 0.35F;  // of the viewport's height
constexpr float radius = 1.6F;

}  // namespace

void JuliaPreview::draw(glm::vec2 c, const MandelbrotColors& colors, const Viewport& viewport) {
  const int pixels = static_cast<int>(std::min(side * viewport.scale, most * static_cast<float>(viewport.size.y)));
  const int inset = static_cast<int>(margin * viewport.scale), line = std::max(1, static_cast<int>(viewport.scale));
  if (pixels < 16 || viewport.size.x < pixels + 2 * inset) return;
  const bool resized = picture_.size() != glm::ivec2(pixels);
  picture_.bind(glm::ivec2(pixels));
  if (resized || drawn_ != c || palette_ != colors.palette_serial()) {
    program_.use();
    colors.bind_ramp(0);
    program_.set("ramp", 0);
    program_.set("c", c);
    program_.set("size", glm::vec2(static_cast<float>(pixels)));
    program_.set("radius", radius);
    program_.set("interior", colors.interior());
    triangle_.draw();
    drawn_ = c;
    palette_ = colors.palette_serial();
  }
  const glm::ivec2 corner(viewport.origin.x + viewport.size.x - pixels - inset, viewport.origin.y + inset);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glEnable(GL_SCISSOR_TEST);
  glScissor(corner.x - line, corner.y - line, pixels + 2 * line, pixels + 2 * line);
  glClearColor(0.55F, 0.58F, 0.63F, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
  glBlitFramebuffer(0, 0, pixels, pixels, corner.x, corner.y, corner.x + pixels, corner.y + pixels, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace orrery
