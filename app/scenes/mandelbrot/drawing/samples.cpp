#include "scenes/mandelbrot/drawing/samples.hpp"

#include <algorithm>

namespace orrery {
namespace {

using Values = MandelbrotColors::Values;

constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;
constexpr double frame_seconds = 0.004;  // of drawing, for samples that are added again

void copy_buffer(GLuint from, GLuint to, std::size_t bytes) {
  glBindBuffer(GL_COPY_READ_BUFFER, from);
  glBindBuffer(GL_COPY_WRITE_BUFFER, to);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, static_cast<GLsizeiptr>(bytes));
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

}  // namespace

MandelbrotSamples::MandelbrotSamples() { glGenQueries(1, &timer_); }
MandelbrotSamples::~MandelbrotSamples() { glDeleteQueries(1, &timer_); }

void MandelbrotSamples::begin() {
  std::ranges::move(kept_, std::back_inserter(spare_));
  kept_.clear();
  recolor();
}

void MandelbrotSamples::recolor() {
  count_ = 1;
  caught_up_ = 0;
}

void MandelbrotSamples::bind_sum(mandelbrot::Size size) {
  sum_.bind({static_cast<int>(size.width), static_cast<int>(size.height)});
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
}

void MandelbrotSamples::add_to_sum(const Values& values, MandelbrotColors& colors) {
  bind_sum(values.size);
  colors.draw(values, MandelbrotColors::Output::light);
  glDisable(GL_BLEND);
}

bool MandelbrotSamples::keep(const Values& sample) {
  const std::size_t bytes = (sample.detail ? 2 : 1) * sample.size.pixels() * sizeof(float);
  if (bytes != bytes_each_) spare_.clear();
  bytes_each_ = bytes;
  if ((kept_.size() + 1) * bytes > most_kept_bytes) return false;
  if (spare_.empty()) {
    gl::Buffer buffer = gl::make_buffer();
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
    glBufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_STATIC_DRAW);
    spare_.push_back(std::move(buffer));
  }
  copy_buffer(sample.buffer, spare_.back().name(), bytes);
  kept_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  return true;
}

void MandelbrotSamples::add(const Values& first, const Values& sample, MandelbrotColors& colors) {
  if (keep(sample)) return;
  add_first(first, colors);
  add_to_sum(sample, colors);
  ++count_;
}

void MandelbrotSamples::add_first(const Values& first, MandelbrotColors& colors) {
  if (count_ > 1) return;
  bind_sum(first.size);
  glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT);
  add_to_sum(first, colors);
}

// The time of drawing decides how many samples a frame can take; it is known a frame or two later.
void MandelbrotSamples::take_time() {
  if (timed_ == 0) return;
  GLuint ready = 0;
  glGetQueryObjectuiv(timer_, GL_QUERY_RESULT_AVAILABLE, &ready);
  if (ready == 0) return;
  GLuint64 nanoseconds = 0;
  glGetQueryObjectui64v(timer_, GL_QUERY_RESULT, &nanoseconds);
  const double each = std::max(1e-9 * static_cast<double>(nanoseconds) / timed_, 1e-6);
  per_frame_ = static_cast<int>(std::clamp(frame_seconds / each, 1.0, 64.0));
  timed_ = 0;
}

void MandelbrotSamples::catch_up(const Values& first, MandelbrotColors& colors) {
  take_time();
  if (caught_up_ == kept_.size()) return;
  const bool measures = timed_ == 0;
  if (measures) glBeginQuery(GL_TIME_ELAPSED, timer_);
  int added = 0;
  for (; added < per_frame_ && caught_up_ < kept_.size(); ++added) {
    add_first(first, colors);
    Values values = first;
    values.buffer = kept_[caught_up_++].name();
    add_to_sum(values, colors);
    ++count_;
  }
  if (measures) {
    glEndQuery(GL_TIME_ELAPSED);
    timed_ = added;
  }
}

void MandelbrotSamples::mean(Layer& target, mandelbrot::Size size) {
  bind_target(target, size);
  glDisable(GL_BLEND);
  mean_.use();
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, sum_.texture());
  mean_.set("sum", 0);
  mean_.set("samples", static_cast<float>(count_));
  triangle_.draw();
}

}  // namespace orrery
