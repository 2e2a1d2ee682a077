#include "scene/mandelbrot_proof.hpp"

#include <array>

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr std::size_t pixels_of_proof = 32;
constexpr auto bytes_of_proof = static_cast<GLsizeiptr>(pixels_of_proof * sizeof(float));

}  // namespace

MandelbrotProof::MandelbrotProof() {
  glBindBuffer(GL_COPY_WRITE_BUFFER, values_.buffer());
  glBufferData(GL_COPY_WRITE_BUFFER, bytes_of_proof, nullptr, GL_STREAM_READ);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void MandelbrotProof::follow(MandelbrotEngine& engine) {
  MandelbrotPicture* picture = engine.finished() ? engine.base() : nullptr;
  const std::uint64_t serial = picture != nullptr ? picture->serial : 0;
  if (serial != serial_) {
    serial_ = serial;
    values_.forget();
    prover_.cancel();
    if (picture != nullptr || !engine.tightened()) summary_ = {};  // else the reason is still worth seeing
    if (picture != nullptr) begin(*picture, engine.finished_frame());
  }
  if (take_values()) prover_.begin(request_);
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
  glBindBuffer(GL_COPY_WRITE_BUFFER, values_.buffer());
  GLintptr to = 0;
  for (const ProofPixel& pixel : request_.pixels) {
    const auto index = static_cast<GLintptr>(pixel.j) * picture.size.width + static_cast<GLintptr>(pixel.i);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, index * GLintptr{sizeof(float)}, to, sizeof(float));
    to += GLintptr{sizeof(float)};
  }
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  values_.begin();
  summary_.under_way = true;
}

bool MandelbrotProof::take_values() {
  std::array<float, pixels_of_proof> values{};
  if (!values_.take(values.data(), bytes_of_proof)) return false;
  for (std::size_t k = 0; k < values.size(); ++k) request_.pixels[k].published = values[k];
  return true;
}

}  // namespace orrery
