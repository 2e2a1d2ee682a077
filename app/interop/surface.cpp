#include "interop/surface.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/log.hpp"
#include "base/text.hpp"
#include "render/gl.hpp"

namespace orrery {
namespace {

GLuint new_buffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return name;
}

GLuint allocated_buffer(std::size_t bytes) {
  const GLuint name = new_buffer();
  glBindBuffer(GL_ARRAY_BUFFER, name);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  glFinish();  // once, so that the buffer is allocated for OpenCL
  return name;
}

}  // namespace

Surface::Lease::~Lease() {
  try {
    surface_.written_ = surface_.release(queue_);
    surface_.handed_over_ = false;
  } catch (const std::exception& error) {  // the frame is lost; the next call reports the same fault
    log(Level::error, as_error(error).what());
  }
}

Surface::Surface(unsigned gl_buffer, std::size_t bytes) : gl_buffer_(gl_buffer), bytes_(bytes) {}

bool Surface::idle() const {
  if (!is_complete(written_)) return false;
  if (fence_ == nullptr) return true;
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence_), 0, 0);
  return state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED;
}

bool Surface::arrived() {
  if (!is_complete(written_)) return false;
  if (handed_over_) return true;
  const std::optional<cl::Event> handed = hand_over();
  if (!handed) return false;
  written_ = *handed;
  handed_over_ = true;
  return is_complete(written_);
}

void Surface::drawn() {
  if (fence_ != nullptr) glDeleteSync(static_cast<GLsync>(fence_));
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void Surface::destroy_gl() noexcept {
  if (fence_ != nullptr) glDeleteSync(static_cast<GLsync>(fence_));
  fence_ = nullptr;
  glDeleteBuffers(1, &gl_buffer_);
  gl_buffer_ = 0;
}

UploadedSurface::UploadedSurface(const void* data, std::size_t bytes) : Surface(new_buffer(), bytes) {
  glBindBuffer(GL_ARRAY_BUFFER, gl_buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void UploadedSurface::refuse() { throw std::logic_error("UploadedSurface: OpenCL cannot write it"); }

CopiedSurface::CopiedSurface(const Device& device, std::size_t bytes, Queue& queue)
    : Surface(new_buffer(), bytes),
      device_buffer_(device.buffer(bytes)),
      mirror_(device, queue, bytes, HostMirror::Mapping::queued) {}

std::optional<cl::Event> CopiedSurface::hand_over() {
  constexpr std::size_t most_at_once = std::size_t{32} << 20;  // bytes; takes about as long as a frame may
  glBindBuffer(GL_ARRAY_BUFFER, gl_buffer_);
  const std::size_t part = std::min(most_at_once, bytes_ - uploaded_);
  const auto* const from = static_cast<const std::byte*>(mirror_.data()) + uploaded_;
  // Allocates a new store each time, so that the driver need not wait for draws that read the old one.
  if (uploaded_ == 0)
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes_), part == bytes_ ? from : nullptr, GL_STREAM_DRAW);
  if (part < bytes_)
    glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(uploaded_), static_cast<GLsizeiptr>(part), from);
  glBindBuffer(GL_ARRAY_BUFFER, 0);
  uploaded_ += part;
  if (uploaded_ < bytes_) return std::nullopt;
  return cl::Event();
}

SharedSurface::SharedSurface(const Device& device, std::size_t bytes)
    : Surface(allocated_buffer(bytes), bytes), device_(device) {
  try {
    shared_ = cl::BufferGL(device.context(), CL_MEM_READ_WRITE, gl_buffer_);
  } catch (const cl::Error& error) {
    destroy_gl();
    throw opencl_error(error, "sharing a buffer of " + bytes_text(static_cast<double>(bytes)), device.info().name);
  }
}

void SharedSurface::acquire(Queue& queue, Path path) {
  if (path == Path::beside && !hand_) {
    beside_ = device_.buffer(bytes());
    hand_.emplace(device_);
  }
  path_ = path;
  if (path == Path::direct) queue.acquire_gl(shared_);
}

cl::Event SharedSurface::release(Queue& queue) {
  return path_ == Path::beside ? queue.marker() : queue.release_gl(shared_);
}

std::optional<cl::Event> SharedSurface::hand_over() {
  if (path_ == Path::direct) return cl::Event();
  hand_->harvest();
  hand_->acquire_gl(shared_);
  hand_->copy(beside_, shared_, bytes());
  const cl::Event handed = hand_->release_gl(shared_);
  hand_->flush();
  return handed;
}

SharedSurface::~SharedSurface() {
  shared_ = {};  // OpenCL releases it first
  destroy_gl();
}

}  // namespace orrery
