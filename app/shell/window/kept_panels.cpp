#include "shell/window/kept_panels.hpp"

#include <algorithm>

namespace orrery::shell {
namespace {

bool overlap(const PixelBox& a, const PixelBox& b) {
  return a.from.x < b.to.x && b.from.x < a.to.x && a.from.y < b.to.y && b.from.y < a.to.y;
}

}  // namespace

std::vector<PixelBox> apart(std::vector<PixelBox> boxes) {
  std::vector<PixelBox> result;
  while (!boxes.empty()) {
    PixelBox box = boxes.back();
    boxes.pop_back();
    if (box.from.x >= box.to.x || box.from.y >= box.to.y) continue;
    const auto touched = std::ranges::find_if(result, [&](const PixelBox& other) { return overlap(box, other); });
    if (touched == result.end()) {
      result.push_back(box);
      continue;
    }
    boxes.push_back({glm::min(box.from, touched->from), glm::max(box.to, touched->to)});
    result.erase(touched);
  }
  return result;
}

void KeptPanels::begin(glm::ivec2 size, const std::vector<PixelBox>& parts) {
  picture_.bind(size);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  parts_ = apart(parts);
}

bool KeptPanels::show(glm::ivec2 size) const {
  if (picture_.size() != size) return false;
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, size.x, size.y);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_SCISSOR_TEST);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, picture_.texture());
  lay_over_.use();
  lay_over_.set("panels", 0);
  for (const PixelBox& part : parts_) {
    glScissor(part.from.x, part.from.y, part.to.x - part.from.x, part.to.y - part.from.y);
    triangle_.draw();
  }
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_BLEND);
  return true;
}

}  // namespace orrery::shell
