#include "scene/mandelbrot_probe.hpp"

#include <cmath>

namespace orrery {

using namespace mandelbrot;

MandelbrotProbe::MandelbrotProbe() : buffer_(gl::make_buffer()) {
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer_.name());
  glBufferData(GL_COPY_WRITE_BUFFER, sizeof(float), nullptr, GL_STREAM_READ);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

MandelbrotProbe::~MandelbrotProbe() {
  if (fence_ != nullptr) glDeleteSync(static_cast<GLsync>(fence_));
}

void MandelbrotProbe::ask(MandelbrotPicture& picture, const View& view, Size size, double x, double y) {
  value_.reset();
  if (fence_ != nullptr) glDeleteSync(static_cast<GLsync>(fence_));
  fence_ = nullptr;
  const Mapping map = mapping(view, size, picture.view, picture.size);
  const double i = std::floor(map.scale * x + map.x), j = std::floor(map.scale * y + map.y);
  if (!(i >= 0 && j >= 0 && i < picture.size.width && j < picture.size.height)) return;
  const auto index = static_cast<GLintptr>(j) * picture.size.width + static_cast<GLintptr>(i);
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer_.name());
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, index * GLintptr{sizeof(float)}, 0, sizeof(float));
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<float> MandelbrotProbe::answer() {
  if (fence_ == nullptr) return value_;
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence_), 0, 0);
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) return std::nullopt;
  glDeleteSync(static_cast<GLsync>(fence_));
  fence_ = nullptr;
  float value = 0;
  glBindBuffer(GL_COPY_READ_BUFFER, buffer_.name());
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, sizeof value, &value);
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  value_ = value;
  return value_;
}

}  // namespace orrery
