#include "scenes/mandelbrot/window/cursor_readout.hpp"

#include <cmath>

namespace orrery {

using namespace mandelbrot;

CursorReadout::CursorReadout() {
  glBindBuffer(GL_COPY_WRITE_BUFFER, read_.buffer());
  glBufferData(GL_COPY_WRITE_BUFFER, sizeof(float), nullptr, GL_STREAM_READ);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void CursorReadout::ask(PublishedPicture& picture, const View& view, Size size, double x, double y) {
  value_.reset();
  read_.forget();
  const Mapping map = mapping(view, size, picture.view, picture.size);
  const Offset there = map(x, y);
  const double i = std::floor(there.x), j = std::floor(there.y);
  if (!(i >= 0 && j >= 0 && i < picture.size.width && j < picture.size.height)) return;
  const auto index = static_cast<GLintptr>(j) * picture.size.width + static_cast<GLintptr>(i);
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, read_.buffer());
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, index * GLintptr{sizeof(float)}, 0, sizeof(float));
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  read_.begin();
}

std::optional<float> CursorReadout::answer() {
  float value = 0;
  if (read_.take(&value, sizeof value)) value_ = value;
  return value_;
}

}  // namespace orrery
