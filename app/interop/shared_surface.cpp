#include "interop/shared_surface.hpp"

#include "base/text.hpp"
#include "render/gl.hpp"

namespace orrery {
namespace {

GLuint allocated_buffer(std::size_t bytes) {
  GLuint name = 0;
  glGenBuffers(1, &name);
  glBindBuffer(GL_ARRAY_BUFFER, name);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glFinish();  // once, so that OpenCL finds it allocated
  return name;
}

}  // namespace

SharedSurface::SharedSurface(const Device& device, std::size_t bytes) : Surface(allocated_buffer(bytes), bytes) {
  try {
    shared_ = cl::BufferGL(device.context(), CL_MEM_READ_WRITE, gl_buffer_);
  } catch (const cl::Error& error) {
    destroy_gl();
    throw opencl_error(error, "sharing a buffer of " + bytes_text(static_cast<double>(bytes)), device.info().name);
  }
}

SharedSurface::~SharedSurface() {
  shared_ = {};  // OpenCL releases it first
  destroy_gl();
}

}  // namespace orrery
