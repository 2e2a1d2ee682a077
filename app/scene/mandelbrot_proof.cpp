#include "scene/mandelbrot_proof.hpp"

#include <utility>

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr std::size_t pixels_of_proof = 32;
constexpr auto bytes_of_proof = static_cast<GLsizeiptr>(pixels_of_proof * sizeof(float));

}  // namespace

MandelbrotProof::MandelbrotProof() : buffer_(gl::make_buffer()) {
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer_.name());
  glBufferData(GL_COPY_WRITE_BUFFER, bytes_of_proof, nullptr, GL_STREAM_READ);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

MandelbrotProof::~MandelbrotProof() { drop_fence(); }

void MandelbrotProof::drop_fence() {
  if (fence_ != nullptr) glDeleteSync(static_cast<GLsync>(std::exchange(fence_, nullptr)));
}

void MandelbrotProof::follow(MandelbrotEngine& engine) {
  MandelbrotPicture* picture = engine.finished() ? engine.base() : nullptr;
  const std::uint64_t serial = picture != nullptr ? picture->serial : 0;
  if (serial != serial_) {
    serial_ = serial;
    drop_fence();
    prover_.cancel();
    if (picture != nullptr || !engine.tightened()) summary_ = {};  // else the reason is still worth seeing
    if (picture != nullptr) begin(*picture, engine.finished_frame());
  }
  if (fence_ != nullptr && take_values()) prover_.begin(request_);
  const std::optional<ProofResult> result = prover_.collect();
  if (!result) return;
  summary_ = {.under_way = false,
              .checked = result->checked,
              .left_out = result->left_out,
              .wrong_kind = result->wrong_kind,
              .misses = result->misses,
              .median_error = result->median_error,
              .largest_error = result->largest_error,
              .bits = result->bits,
              .fails = result->fails()};
  if (result->fails()) engine.tighten();
}

void MandelbrotProof::begin(MandelbrotPicture& picture, const Frame& frame) {
  request_ = {.frame = frame, .exponent = picture.exponent, .pixels = pick_pixels(frame, pixels_of_proof, serial_)};
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, buffer_.name());
  GLintptr to = 0;
  for (const ProofPixel& pixel : request_.pixels) {
    const auto index = static_cast<GLintptr>(pixel.j) * picture.size.width + static_cast<GLintptr>(pixel.i);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, index * GLintptr{sizeof(float)}, to, sizeof(float));
    to += GLintptr{sizeof(float)};
  }
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  summary_.under_way = true;
}

bool MandelbrotProof::take_values() {
  const GLenum state = glClientWaitSync(static_cast<GLsync>(fence_), 0, 0);
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) return false;
  drop_fence();
  std::vector<float> values(pixels_of_proof);
  glBindBuffer(GL_COPY_READ_BUFFER, buffer_.name());
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, bytes_of_proof, values.data());
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  for (std::size_t k = 0; k < values.size(); ++k) request_.pixels[k].published = values[k];
  return true;
}

}  // namespace orrery
