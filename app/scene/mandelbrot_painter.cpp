#include "scene/mandelbrot_painter.hpp"

#include <cmath>

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr int ramp_unit = 2;

// Cycles at density 1, as coloring.cpp has them; ν itself is at 0, 1 and 2.
int scale_number(const std::string& scale) { return scale == "log" ? 0 : scale == "sqrt" ? 1 : 2; }

}  // namespace

MandelbrotPainter::MandelbrotPainter()
    : values_{gl::make_texture(), gl::make_texture()}, ramp_(gl::make_texture()), kept_buffer_(gl::make_buffer()) {}

void MandelbrotPainter::keep(const MandelbrotPicture& picture) {
  const auto bytes = static_cast<GLsizeiptr>(picture.size.pixels() * sizeof(float));
  glBindBuffer(GL_COPY_READ_BUFFER, picture.surface->gl_buffer());
  glBindBuffer(GL_COPY_WRITE_BUFFER, kept_buffer_.name());
  glBufferData(GL_COPY_WRITE_BUFFER, bytes, nullptr, GL_STATIC_DRAW);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes);
  glBindBuffer(GL_COPY_READ_BUFFER, 0);
  glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
  kept_ = Source{kept_buffer_.name(), picture.view, picture.size, static_cast<double>(picture.limit)};
}

void MandelbrotPainter::draw(MandelbrotPicture* base, MandelbrotPicture* latest, const Scenery& scenery,
                             const Viewport& viewport) {
  const auto source_of = [](const MandelbrotPicture* picture) -> std::optional<Source> {
    if (picture == nullptr) return std::nullopt;
    return Source{picture->surface->gl_buffer(), picture->view, picture->size, static_cast<double>(picture->limit)};
  };
  // The first of the two is asked first; where it knows nothing, the other.
  const bool latest_first = latest != nullptr && (base == nullptr || latest->resolution() <= 1.01 * base->resolution());
  std::optional<Source> below = source_of(base), above = source_of(latest);
  if (!below) below = kept_;
  if (base != nullptr) kept_.reset();
  if (!latest_first) std::swap(below, above);
  if (!above) std::swap(below, above);

  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  program_.use();
  program_.set("origin", glm::vec2(viewport.origin));
  program_.set("height", static_cast<float>(viewport.size.y));
  set_source("first", 0, above ? &*above : nullptr, scenery, viewport);
  set_source("second", 1, below ? &*below : nullptr, scenery, viewport);
  set_colors(scenery.colors, above ? above->limit : 1);
  const Box box = scenery.box.value_or(Box{});
  program_.set("box", glm::vec4(glm::min(box.from, box.to), glm::max(box.from, box.to)));
  program_.set("box_line", scenery.box ? 1.5F * viewport.scale : 0.0F);
  triangle_.draw();
  if (base != nullptr) base->surface->drawn();
  if (latest != nullptr) latest->surface->drawn();
}

void MandelbrotPainter::set_source(const char* prefix, int unit, const Source* source, const Scenery& scenery,
                                   const Viewport& viewport) {
  const std::string name(prefix);
  program_.set(prefix, unit);
  program_.set((name + "_size").c_str(), source == nullptr ? glm::vec2(0) : glm::vec2(source->size.width, source->size.height));
  if (source == nullptr) return;
  glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
  glBindTexture(GL_TEXTURE_BUFFER, values_[static_cast<std::size_t>(unit)].name());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, source->buffer);
  const Size here{static_cast<std::uint32_t>(viewport.size.x), static_cast<std::uint32_t>(viewport.size.y)};
  const Mapping map = mapping(scenery.view, here, source->view, source->size);
  program_.set((name + "_map").c_str(), glm::vec3(static_cast<float>(map.scale), static_cast<float>(map.x), static_cast<float>(map.y)));
  const bool aligned = std::abs(map.scale - 1) < 1e-6 && std::abs(map.x - std::round(map.x)) < 1e-2 &&
                       std::abs(map.y - std::round(map.y)) < 1e-2;
  program_.set((name + "_aligned").c_str(), aligned ? 1 : 0);
}

void MandelbrotPainter::set_colors(const ColorSettings& colors, double limit) {
  glActiveTexture(GL_TEXTURE0 + ramp_unit);
  glBindTexture(GL_TEXTURE_2D, ramp_.name());
  if (ramp_of_ != colors.palette) {
    const std::vector<std::uint8_t> ramp = palette_ramp(colors.palette);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, ramp_colors, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, ramp.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    ramp_of_ = colors.palette;
  }
  const bool classic = colors.palette == "classic";
  program_.set("ramp", ramp_unit);
  program_.set("color_scale", classic ? 3 : scale_number(colors.scale));
  program_.set("density", static_cast<float>(classic ? colors.density / limit : colors.density * cycles_per_unit(colors.scale)));
  program_.set("offset", static_cast<float>(colors.offset));
  const Rgb inside = classic ? Rgb{0, 0, 0} : interior_color;
  program_.set("interior", glm::vec3(inside[0], inside[1], inside[2]) / 255.0F);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace orrery
