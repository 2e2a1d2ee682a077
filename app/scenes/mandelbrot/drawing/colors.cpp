#include "scenes/mandelbrot/drawing/colors.hpp"

#include <cmath>
#include <vector>

namespace orrery {
namespace {

using namespace mandelbrot;

// Published values below these are unknown (mandelbrot_publish.cl), or have not escaped at the limit.
constexpr float unknown_limit = -2e38F, at_limit = -1.5e30F;
constexpr int values_unit = 0, ramp_unit = 1, ranks_unit = 2;

void bind(int unit, GLenum target, const gl::Texture& texture) {
  glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + unit));
  glBindTexture(target, texture.name());
}

void filter(GLint how) {
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, how);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, how);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
}

int scale_number(const std::string& scale) {
  return scale == "log" ? 0 : scale == "sqrt" ? 1 : scale == "linear" ? 2 : 3;
}

}  // namespace

MandelbrotColors::MandelbrotColors()
    : values_(gl::make_texture()), ramp_(gl::make_texture()), ranks_(gl::make_texture()) {
  upload_ranks();
}

bool MandelbrotColors::set(const ColorSettings& settings, const Equalization& equalization) {
  const bool other_ranks = settings.scale == "histogram" && !(equalization == equalization_);
  if (set_ && settings == settings_ && !other_ranks) return false;
  settings_ = settings;
  set_ = true;
  if (other_ranks) {
    equalization_ = equalization;
    upload_ranks();
  }
  if (ramp_of_ != settings.palette) upload_ramp();
  return true;
}

void MandelbrotColors::upload_ramp() {
  static_assert(ramp_colors == 1024, "the shader counts on it");
  const std::vector<std::uint8_t> ramp = palette_ramp(settings_.palette);
  std::vector<Light> light;
  for (std::size_t i = 0; i < ramp_colors; ++i)
    light.push_back(light_of({ramp[3 * i], ramp[3 * i + 1], ramp[3 * i + 2]}));
  bind(ramp_unit, GL_TEXTURE_2D, ramp_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, ramp_colors, 1, 0, GL_RGB, GL_FLOAT, light.data());
  filter(GL_NEAREST);
  ramp_of_ = settings_.palette;
  ++ramp_serial_;
}

void MandelbrotColors::upload_ranks() {
  const std::vector<float> none(1, 0.0F);
  const std::vector<float>& ranks = equalization_.ranks.empty() ? none : equalization_.ranks;
  bind(ranks_unit, GL_TEXTURE_2D, ranks_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, static_cast<GLsizei>(ranks.size()), 1, 0, GL_RED, GL_FLOAT, ranks.data());
  filter(GL_LINEAR);
}

const gl::ShaderProgram& MandelbrotColors::program_for(const Values& values, Output output) {
  std::string definitions;
  if (detailed(values)) definitions += "#define DETAIL\n";
  if (shaded()) definitions += "#define SHADED\n";
  if (classic()) definitions += "#define CLASSIC\n";
  if (cascades(values)) definitions += "#define CASCADE\n";
  if (output == Output::light) definitions += "#define LIGHT\n";
  return programs_.try_emplace(definitions, "fullscreen.vert", "mandelbrot_color.frag", definitions).first->second;
}

void MandelbrotColors::draw(const Values& values, Output output) {
  const gl::ShaderProgram& program = program_for(values, output);
  program.use();
  bind(values_unit, GL_TEXTURE_BUFFER, values_);
  glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, values.buffer);
  bind(ramp_unit, GL_TEXTURE_2D, ramp_);
  bind(ranks_unit, GL_TEXTURE_2D, ranks_);
  program.set("values", values_unit);
  program.set("ramp", ramp_unit);
  program.set("ranks", ranks_unit);
  program.set("size", glm::ivec2(values.size.width, values.size.height));
  program.set("grid", values.grid);
  program.set("refines", values.refines ? 1 : 0);
  program.set("unknown_limit", values.settled ? unknown_limit : at_limit);
  set_colors(program, values);
  if (cascades(values)) set_cascade(program, values);
  if (shaded()) set_shading(program, values);
  triangle_.draw();
  glActiveTexture(GL_TEXTURE0);
}

void MandelbrotColors::set_colors(const gl::ShaderProgram& program, const Values& values) {
  const double density =
      classic() ? settings_.density / values.limit : settings_.density * cycles_per_unit(settings_.scale);
  program.set("color_scale", scale_number(settings_.scale));
  program.set("density", static_cast<float>(density));
  program.set("offset", static_cast<float>(settings_.offset + (classic() ? 0 : first_phase)));
  program.set("rank_origin", static_cast<float>(equalization_.origin));
  program.set("interior", interior());
  if (!detailed(values)) return;
  program.set("by_period", settings_.interior == "period" ? 1 : 0);
  program.set("palette_offset", static_cast<float>(settings_.offset));
}

// Deep there, even the cycles of 2^exponent alone exceed a float's digits.
void MandelbrotColors::set_cascade(const gl::ShaderProgram& program, const Values& values) {
  const double density = settings_.density * cycles_per_unit("log");
  const double offset = settings_.offset + cascade_phase(settings_.density) + density * values.exponent;
  program.set("cascade_middle", glm::vec2(values.cascade.x, values.cascade.y));
  const mandelbrot::Matrix& turn = values.cascade.turn;
  const double spacing = values.cascade.spacing;
  program.set("cascade_steps", glm::vec4(spacing * turn.xx, spacing * turn.yx, spacing * turn.xy, spacing * turn.yy));
  program.set("one", static_cast<float>(std::exp2(-values.exponent)));
  program.set("cascade_density", static_cast<float>(density));
  program.set("cascade_offset", static_cast<float>(offset - std::floor(offset)));
  program.set("cascade_pivot", static_cast<float>(cascade_pivot));
}

glm::vec3 MandelbrotColors::interior() const {
  const Light inside = light_of(classic() ? Rgb{0, 0, 0} : interior_color);
  return {inside[0], inside[1], inside[2]};
}

void MandelbrotColors::bind_ramp(GLuint unit) const { bind(static_cast<int>(unit), GL_TEXTURE_2D, ramp_); }

void MandelbrotColors::set_shading(const gl::ShaderProgram& program, const Values& values) {
  const Shading shading = shading_of(settings_, values.size.width);
  program.set("light", glm::vec3(shading.light[0], shading.light[1], shading.light[2]));
  program.set("relief", static_cast<float>(shading.relief));
  program.set("slopes", static_cast<float>(shading.slopes));
  program.set("distances", static_cast<float>(shading.distances));
  program.set("ink", static_cast<float>(shading.ink));
}

}  // namespace orrery
