#include "scenes/mandelbrot/window/live_proof.hpp"

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr std::size_t pixels_of_proof = 32, rows_of_proof = 24;

GLsizeiptr bytes_of(std::size_t values) { return static_cast<GLsizeiptr>(values * sizeof(float)); }

}  // namespace

MandelbrotProof::MandelbrotProof() = default;

void MandelbrotProof::follow(PictureEngine& engine) {
  PublishedPicture* picture = engine.finished() ? engine.base() : nullptr;
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

void MandelbrotProof::begin(PublishedPicture& picture, const Frame& frame) {
  request_ = {.frame = frame, .exponent = picture.exponent, .pixels = {}};
  rows_ = ProofRows::wanted(picture.size, rows_of_proof, serial_);
  const GLsizeiptr row_bytes = bytes_of(rows_.width);
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, values_.buffer());
  glBufferData(GL_COPY_WRITE_BUFFER, bytes_of(rows_.width * rows_.rows.size()), nullptr, GL_STREAM_READ);
  GLintptr to = 0;
  for (const std::uint32_t row : rows_.rows) {
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, GLintptr{row} * row_bytes, to, row_bytes);
    to += row_bytes;
  }
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  picture.surface->drawn();
  values_.begin();
  summary_.under_way = true;
}

bool MandelbrotProof::take_values() {
  if (!values_.under_way()) return false;
  const std::size_t count = rows_.width * rows_.rows.size();
  rows_.values.resize(count);
  if (!values_.take(rows_.values.data(), bytes_of(count))) return false;
  request_.pixels = pick_pixels(rows_, pixels_of_proof, serial_);
  return true;
}

}  // namespace orrery
