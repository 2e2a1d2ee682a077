#include "scenes/mandelbrot/drawing/layer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace orrery {
namespace {

using mandelbrot::Mapping;
using mandelbrot::Offset;
using mandelbrot::Size;

constexpr double soft_pixels = 24;  // width of soft edges, in pixels of the viewport
constexpr double shrunk = 1.5;      // pixels of the layer for one of the viewport; above this it needs smaller levels

bool is_identity(const Mapping& map) {
  constexpr double hundredth = 0.01;  // of a pixel
  constexpr double millionth = 1e-6;
  const double away = std::max({std::abs(map.xx - 1), std::abs(map.yy - 1), std::abs(map.xy), std::abs(map.yx)});
  return away < millionth && std::abs(map.x - std::round(map.x)) < hundredth &&
         std::abs(map.y - std::round(map.y)) < hundredth;
}

void make_smaller_levels(Layer& layer) {
  if (layer.shrinks) return;
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1000);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_NEAREST);
  glGenerateMipmap(GL_TEXTURE_2D);
  layer.shrinks = true;
}

}  // namespace

void bind_target(Layer& layer, Size size) {
  if (!(layer.size == size) || !layer.texture) {
    layer.texture = gl::make_texture();
    layer.size = size;
    const auto width = static_cast<GLsizei>(size.width), height = static_cast<GLsizei>(size.height);
    glBindTexture(GL_TEXTURE_2D, layer.texture.name());
    glTexStorage2D(GL_TEXTURE_2D, std::bit_width(std::max(size.width, size.height)), GL_RGBA8, width, height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (!layer.framebuffer) layer.framebuffer = gl::make_framebuffer();
    glBindFramebuffer(GL_FRAMEBUFFER, layer.framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, layer.texture.name(), 0);
  }
  glBindTexture(GL_TEXTURE_2D, layer.texture.name());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  layer.shrinks = false;
  glBindFramebuffer(GL_FRAMEBUFFER, layer.framebuffer.name());
  glViewport(0, 0, static_cast<GLsizei>(size.width), static_cast<GLsizei>(size.height));
}

LayerPainter::LayerPainter() : array_(gl::make_vertex_array()) {}

LayerPainter::Place LayerPainter::place(const Layer& layer, const mandelbrot::View& view, const Viewport& viewport) {
  const Size here{static_cast<std::uint32_t>(viewport.size.x), static_cast<std::uint32_t>(viewport.size.y)};
  Place at{.map = mandelbrot::mapping(view, here, layer.view, layer.size)};
  // The box around the viewport, in pixels of the layer.
  const double width = here.width, height = here.height;
  const double left = at.map.x + std::min(0.0, at.map.xx * width) + std::min(0.0, at.map.xy * height);
  const double right = at.map.x + std::max(0.0, at.map.xx * width) + std::max(0.0, at.map.xy * height);
  const double top = at.map.y + std::min(0.0, at.map.yx * width) + std::min(0.0, at.map.yy * height);
  const double bottom = at.map.y + std::max(0.0, at.map.yx * width) + std::max(0.0, at.map.yy * height);
  const double slack = 0.01 + layer.border;  // pixels
  at.covers =
      left >= -slack && top >= -slack && right <= layer.size.width + slack && bottom <= layer.size.height + slack;
  at.visible = at.map.scale() > 0 && std::isfinite(left) && std::isfinite(right) && std::isfinite(top) &&
               std::isfinite(bottom) && right > 0 && bottom > 0 && left < layer.size.width && top < layer.size.height;
  at.exact = at.covers && is_identity(at.map);
  return at;
}

// Sets the part of the viewport that the layer fills, in pixels, y down. False where there is none.
bool LayerPainter::set_level(const Layer& layer, const Place& at, const Viewport& viewport, bool stretched) {
  const auto edge = [&](double there, double offset, int limit) {
    return std::clamp((there - offset) / at.map.xx, 0.0, 1.0 * limit);
  };
  const double width = layer.size.width, height = layer.size.height;
  const double border = layer.border;
  const double left = stretched ? 0 : edge(-border, at.map.x, viewport.size.x);
  const double right = stretched ? viewport.size.x : edge(width + border, at.map.x, viewport.size.x);
  const double top = stretched ? 0 : edge(-border, at.map.y, viewport.size.y);
  const double bottom = stretched ? viewport.size.y : edge(height + border, at.map.y, viewport.size.y);
  if (right <= left || bottom <= top) return false;
  const auto across = [&](double x) { return static_cast<float>(2 * x / viewport.size.x - 1); };
  const auto up = [&](double y) { return static_cast<float>(1 - 2 * y / viewport.size.y); };
  const auto u = [&](double x) { return static_cast<float>((at.map.xx * x + at.map.x) / width); };
  const auto v = [&](double y) { return static_cast<float>(1 - (at.map.yy * y + at.map.y) / height); };
  program_.set("place", glm::vec4(across(left), up(bottom), across(right), up(top)));
  program_.set("part", glm::vec4(u(left), v(bottom), u(right), v(top)));
  program_.set("place_lean", glm::vec2(0));
  program_.set("part_lean", glm::vec2(0));
  return true;
}

// Stretched, all of the viewport shows some part of the layer; else the layer lies in it as a parallelogram.
bool LayerPainter::set_turned(const Layer& layer, const Place& at, const Viewport& viewport, bool stretched) {
  const Mapping& map = at.map;
  const double width = layer.size.width, height = layer.size.height;
  const double view_width = viewport.size.x, view_height = viewport.size.y;
  const double determinant = map.xx * map.yy - map.xy * map.yx;
  if (determinant == 0) return false;
  // Lower left corner, then the lower and the left side from it: x, y in the viewport and u, v in the layer.
  const auto set = [&](const char* box, const char* lean, Offset corner, Offset along, Offset up) {
    program_.set(box, glm::vec4(corner.x, corner.y, corner.x + along.x, corner.y + up.y));
    program_.set(lean, glm::vec2(up.x, along.y));
  };
  if (stretched) {
    const Offset corner = map(0, view_height);
    set("place", "place_lean", {-1, -1}, {2, 0}, {0, 2});
    set("part", "part_lean", {corner.x / width, 1 - corner.y / height},
        {map.xx * view_width / width, -map.yx * view_width / height},
        {-map.xy * view_height / width, map.yy * view_height / height});
    return true;
  }
  const auto here = [&](double x, double y) {
    return Offset{(map.yy * (x - map.x) - map.xy * (y - map.y)) / determinant,
                  (map.xx * (y - map.y) - map.yx * (x - map.x)) / determinant};
  };
  const auto clip = [&](Offset pixel) { return Offset{2 * pixel.x / view_width - 1, 1 - 2 * pixel.y / view_height}; };
  const double border = layer.border;
  const Offset corner = clip(here(-border, height + border)), right = clip(here(width + border, height + border)),
               above = clip(here(-border, -border));
  set("place", "place_lean", corner, {right.x - corner.x, right.y - corner.y},
      {above.x - corner.x, above.y - corner.y});
  set("part", "part_lean", {-border / width, -border / height}, {1 + 2 * border / width, 0},
      {0, 1 + 2 * border / height});
  return true;
}

void LayerPainter::draw(Layer& layer, const Place& at, const Viewport& viewport, Edges edges) {
  const bool stretched = edges == Edges::stretched, soft = edges == Edges::soft && !at.covers;
  const bool blends = soft || layer.holes;
  program_.use();
  const bool drawn =
      at.map.turns() ? set_turned(layer, at, viewport, stretched) : set_level(layer, at, viewport, stretched);
  if (!drawn) return;
  program_.set("picture", 0);
  const double per_pixel = soft ? 1 / (soft_pixels * viewport.scale * at.map.scale()) : 0;
  program_.set("slope", glm::vec2(per_pixel * layer.size.width, per_pixel * layer.size.height));
  if (blends) {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  }
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, layer.texture.name());
  if (at.map.scale() > shrunk) make_smaller_levels(layer);
  glBindVertexArray(array_.name());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  if (blends) glDisable(GL_BLEND);
}

void LayerPainter::mix(Layer& layer, const Place& at, const Viewport& viewport, float part) {
  glEnable(GL_BLEND);
  glBlendColor(0, 0, 0, part);
  glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  draw(layer, at, viewport, Edges::plain);
  glDisable(GL_BLEND);
}

void LayerPainter::copy(const Layer& layer, const Place& at, const Viewport& viewport) {
  const auto x = static_cast<GLint>(std::lround(at.map.x));
  const auto y = static_cast<GLint>(layer.size.height) - viewport.size.y - static_cast<GLint>(std::lround(at.map.y));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, layer.framebuffer.name());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, viewport.target);
  glBlitFramebuffer(x, y, x + viewport.size.x, y + viewport.size.y, viewport.origin.x, viewport.origin.y,
                    viewport.origin.x + viewport.size.x, viewport.origin.y + viewport.size.y, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, viewport.target);
}

// ---- samples

namespace {

using Values = MandelbrotColors::Values;

constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;
constexpr double frame_seconds = 0.004;  // drawing time for samples that are added again

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

// The time of drawing limits the samples of a frame; it is known a frame or two later.
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

void MandelbrotSamples::catch_up(const Values& first, MandelbrotColors& colors, bool all) {
  take_time();
  if (caught_up_ == kept_.size()) return;
  const bool measures = timed_ == 0;
  if (measures) glBeginQuery(GL_TIME_ELAPSED, timer_);
  int added = 0;
  for (; (all || added < per_frame_) && caught_up_ < kept_.size(); ++added) {
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
