#include "interop/copied_surface.hpp"

#include "render/gl.hpp"

namespace orrery {
namespace {

GLuint new_buffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return name;
}

}  // namespace

CopiedSurface::CopiedSurface(const Device& device, std::size_t bytes, Queue& queue)
    : Surface(new_buffer(), bytes),
      device_buffer_(device.buffer(bytes)),
      mirror_(device, queue, bytes, HostMirror::Mapping::queued) {}

void CopiedSurface::upload() {
  glBindBuffer(GL_ARRAY_BUFFER, gl_buffer_);
  // A new store each time, so that the driver need not wait for draws that still read the old one.
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes_), mirror_.data(), GL_STREAM_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

}  // namespace orrery
