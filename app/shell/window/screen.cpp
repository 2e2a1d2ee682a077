#include "shell/window/screen.hpp"

#include <glad/gl.h>

#include <algorithm>

namespace orrery::shell {

Viewport Screen::viewport(const ui::UiState& ui, bool panels) const {
  const glm::ivec2 framebuffer = window_.framebuffer();
  const glm::vec2 size = window_.size();
  const glm::vec2 pixels_per_unit = glm::vec2(framebuffer) / glm::max(size, glm::vec2(1));
  const ui::Rect area = ui::picture_area(ui, size.x, size.y, imgui_.scale(), panels);
  const glm::ivec2 origin = glm::vec2(area.x, size.y - area.y - area.height) * pixels_per_unit;
  const glm::ivec2 extent = glm::vec2(area.width, area.height) * pixels_per_unit;
  return {origin, glm::max(extent, glm::ivec2(1)), framebuffer, imgui_.scale()};
}

void Screen::draw_scene(Scene* scene, const Viewport& view) {
  const gl::PassTimer::Pass pass(passes_, "clear");
  drawn_ = view.framebuffer;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0.02F, 0.02F, 0.03F, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  Viewport timed = view;
  timed.passes = &passes_;
  if (scene != nullptr) scene->draw(timed);
}

void Screen::draw_panels(const WindowSnapshot& seen, ui::UiState& ui, command::Commands& commands,
                         const Viewport& view) {
  ui::draw_ui(seen, ui, imgui_.fonts(), commands);
  imgui_.end();
  const gl::PassTimer::Pass pass(passes_, "panels");
  if (kept_panels_) {
    kept_panels_->begin(view.framebuffer, imgui_.drawn_parts());
    imgui_.draw();
    kept_panels_->show(view.framebuffer);
    return;
  }
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, view.framebuffer.x, view.framebuffer.y);
  imgui_.draw();
}

bool Screen::draw_panels_again(const Viewport& view) {
  const gl::PassTimer::Pass pass(passes_, "panels");
  return kept_panels_ && kept_panels_->show(view.framebuffer);
}

namespace {

/// Of the framebuffer that is bound for reading.
Image image_of(glm::ivec2 size) {
  Image image(static_cast<std::uint32_t>(size.x), static_cast<std::uint32_t>(size.y));
  std::vector<std::uint8_t> rows(image.rgb.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, size.x, size.y, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
  const std::size_t row = 3 * static_cast<std::size_t>(size.x);
  for (std::size_t y = 0; y < image.height; ++y)
    std::copy_n(rows.data() + (image.height - 1 - y) * row, row, image.rgb.data() + y * row);
  return image;
}

}  // namespace

Image Screen::read_back() const {
  glReadBuffer(GL_BACK);
  return image_of(window_.framebuffer());
}

Image Screen::picture_of(ImDrawList& drawing, const ui::Rect& area) const {
  const glm::vec2 pixels_per_unit =
      glm::vec2(window_.framebuffer()) / glm::max(glm::vec2(window_.size()), glm::vec2(1));
  const glm::ivec2 size = glm::max(glm::ivec2(glm::vec2(area.width, area.height) * pixels_per_unit), glm::ivec2(1));
  gl::RenderTarget picture(GL_RGBA8);
  picture.bind(size);
  imgui_.draw(drawing, area, pixels_per_unit);
  Image image = image_of(size);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return image;
}

}  // namespace orrery::shell
