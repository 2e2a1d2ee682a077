#include "scene/mandelbrot_painter.hpp"

#include <cmath>

namespace orrery {
namespace {

using namespace mandelbrot;

constexpr int ramp_unit = 2;

bool is_identity(const Mapping& map) {
  constexpr double hundredth = 0.01;  // of a pixel
  return std::abs(map.scale - 1) < 1e-6 && std::abs(map.x) < hundredth && std::abs(map.y) < hundredth;
}

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
  if (base != nullptr) kept_.reset();
  std::optional<Source> first = base != nullptr ? source_of(base) : kept_, second = source_of(latest);
  const bool sharper = latest != nullptr && base != nullptr && latest->resolution() <= 1.01 * base->resolution();
  if (sharper || !first) std::swap(first, second);
  const Size here{static_cast<std::uint32_t>(viewport.size.x), static_cast<std::uint32_t>(viewport.size.y)};
  const auto map_of = [&](const Source& source) { return mapping(scenery.view, here, source.view, source.size); };
  const bool still = first && !scenery.box && first->size == here && is_identity(map_of(*first)) &&
                     (sharper ? latest->stride == 1 : base != nullptr && base->stride == 1);
  const gl::ShaderProgram& program = still ? still_ : moving_;

  glViewport(viewport.origin.x, viewport.origin.y, viewport.size.x, viewport.size.y);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  program.use();
  program.set("origin", glm::vec2(viewport.origin));
  program.set("height", static_cast<float>(viewport.size.y));
  program.set("first_size", glm::vec2(0));
  program.set("second_size", glm::vec2(0));
  if (first) set_source(program, "first", 0, *first, map_of(*first));
  program.set("second", 1);
  if (second && !still) set_source(program, "second", 1, *second, map_of(*second));
  set_colors(program, scenery.colors, first ? first->limit : 1);
  const Box box = scenery.box.value_or(Box{});
  program.set("box", glm::vec4(glm::min(box.from, box.to), glm::max(box.from, box.to)));
  program.set("box_line", scenery.box ? 1.0F * viewport.scale : 0.0F);
  triangle_.draw();
  if (base != nullptr) base->surface->drawn();
  if (latest != nullptr) latest->surface->drawn();
}

void MandelbrotPainter::set_source(const gl::ShaderProgram& program, const char* prefix, int unit, const Source& source,
                                   const Mapping& map) {
  const std::string name(prefix);
  glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
  glBindTexture(GL_TEXTURE_BUFFER, values_[static_cast<std::size_t>(unit)].name());
  glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, source.buffer);
  program.set(prefix, unit);
  program.set((name + "_size").c_str(), glm::vec2(source.size.width, source.size.height));
  program.set((name + "_map").c_str(),
              glm::vec3(static_cast<float>(map.scale), static_cast<float>(map.x), static_cast<float>(map.y)));
}

void MandelbrotPainter::set_colors(const gl::ShaderProgram& program, const ColorSettings& colors, double limit) {
  glActiveTexture(GL_TEXTURE0 + ramp_unit);
  glBindTexture(GL_TEXTURE_2D, ramp_.name());
  if (ramp_of_ != colors.palette) {
    static_assert(ramp_colors == 1024, "the shaders count on it");
    const std::vector<std::uint8_t> ramp = palette_ramp(colors.palette);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, ramp_colors, 1, 0, GL_RGB, GL_UNSIGNED_BYTE, ramp.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    ramp_of_ = colors.palette;
  }
  const bool classic = colors.palette == "classic";
  program.set("ramp", ramp_unit);
  program.set("color_scale", classic ? 3 : scale_number(colors.scale));
  program.set("density",
              static_cast<float>(classic ? colors.density / limit : colors.density * cycles_per_unit(colors.scale)));
  program.set("offset", static_cast<float>(colors.offset + (classic ? 0 : first_phase)));
  const Rgb inside = classic ? Rgb{0, 0, 0} : interior_color;
  program.set("interior", glm::vec3(inside[0], inside[1], inside[2]) / 255.0F);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace orrery
