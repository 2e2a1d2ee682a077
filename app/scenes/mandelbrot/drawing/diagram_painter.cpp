#include "scenes/mandelbrot/drawing/diagram_painter.hpp"

#include <algorithm>
#include <string>

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr std::size_t most_marks = 16;  // capacity of the shader

}  // namespace

void DiagramPainter::draw(PublishedDiagram* diagram, const Scenery& scenery, const Viewport& viewport) {
  const DiagramFrame& frame = scenery.frame;
  program_.use();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_BUFFER, values_.name());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, diagram != nullptr ? diagram->surface->gl_buffer() : 0);
  program_.set("values", 0);
  program_.set("known", diagram != nullptr ? 1 : 0);
  if (diagram != nullptr) {
    const DiagramFrame& from = diagram->frame;
    const Placement at = placement(from.view, on_axis(frame.view));
    const double columns = from.columns, rows = from.rows;
    const double wide = at.factor * columns / frame.columns;
    const double high = frame.half_height / from.half_height * rows / frame.rows;
    program_.set("from_size", glm::ivec2(static_cast<int>(from.columns), static_cast<int>(from.rows)));
    program_.set("steps", glm::vec2(static_cast<float>(wide), static_cast<float>(high)));
    program_.set("first", glm::vec2(static_cast<float>(columns * (0.5 + at.x) - 0.5 * wide * frame.columns),
                                    static_cast<float>(0.5 * rows - 0.5 * high * frame.rows -
                                                       (frame.middle - from.middle) / from.half_height * 0.5 * rows)));
  }
  program_.set("corner", glm::vec2(viewport.origin));
  program_.set("picture_height", static_cast<float>(viewport.size.y));
  program_.set("rows", static_cast<float>(frame.rows));
  program_.set("zero", static_cast<float>(0.5 * frame.rows * (1 + frame.middle / frame.half_height)));
  program_.set("axis", scenery.axis);
  program_.set("pixel", viewport.scale);
  const std::size_t count = std::min(most_marks, scenery.marks.size());
  program_.set("mark_count", static_cast<int>(count));
  for (std::size_t k = 0; k < count; ++k) program_.set(("marks[" + std::to_string(k) + "]").c_str(), scenery.marks[k]);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  triangle_.draw();
  glDisable(GL_BLEND);
  if (diagram != nullptr) diagram->surface->drawn();
  serial_ = diagram != nullptr ? diagram->serial : 0;
  frame_ = frame;
}

bool DiagramPainter::shows_other(const PublishedDiagram* diagram, const DiagramFrame& frame) const {
  return (diagram != nullptr ? diagram->serial : 0) != serial_ || !(frame == frame_);
}

}  // namespace orrery
