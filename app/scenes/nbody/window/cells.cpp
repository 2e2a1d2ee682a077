#include "scenes/nbody/window/cells.hpp"

#include <algorithm>
#include <cmath>

#include "base/files/gradient.hpp"

namespace orrery {
namespace {

constexpr std::size_t clear_cells = 512;  // of a level: more are confusing where nobody has asked for them
constexpr std::string_view level_palette = "viridis";
constexpr double darkest_place = 0.15;  // of the palette: below, lines would not be seen

glm::vec3 light_of_level(std::size_t number, std::size_t levels) {
  const auto rgb = color_of_level(number, levels);
  const auto linear = [](std::uint8_t value) { return static_cast<float>(to_linear(value / 255.0)); };
  return {linear(rgb[0]), linear(rgb[1]), linear(rgb[2])};
}

// All frames of a level are about as long as the number of its cells to the power of 2/3: each sends less light, so
// that fine levels do not hide the bodies.
float weight_of(const CellLevel& level, bool alone) {
  const float of_one = alone ? 0.38F : 0.2F;
  return of_one * std::pow(static_cast<float>(level.count), -0.32F);
}

}  // namespace

std::size_t chosen_cell_level(const NbodyLook& look, std::size_t bodies, const TreeShape& shape) {
  const std::vector<CellLevel> levels = cell_levels(bodies, shape);
  if (look.cell_level > 0) return std::min(static_cast<std::size_t>(look.cell_level), levels.back().number);
  std::size_t finest = 1;
  for (const CellLevel& level : levels)
    if (level.count <= clear_cells) finest = level.number;
  return finest;
}

std::vector<CellLevel> chosen_cells(const NbodyLook& look, std::size_t bodies, const TreeShape& shape) {
  if (look.cells == "off") return {};
  const std::size_t chosen = chosen_cell_level(look, bodies, shape);
  std::vector<CellLevel> levels = cell_levels(bodies, shape);
  std::erase_if(levels, [&](const CellLevel& level) {
    return level.number > chosen || (look.cells == "level" && level.number < chosen);
  });
  return levels;
}

std::array<std::uint8_t, 3> color_of_level(std::size_t number, std::size_t levels) {
  constexpr std::size_t places = 256;
  static const std::vector<std::uint8_t> ramp = gradient_ramp(level_palette, places);
  const double along = levels > 1 ? static_cast<double>(number - 1) / static_cast<double>(levels - 1) : 1;
  const auto place = static_cast<std::size_t>(std::lround(std::lerp(darkest_place, 1, along) * (places - 1)));
  return {ramp[3 * place], ramp[3 * place + 1], ramp[3 * place + 2]};
}

CellFrames::CellFrames() : program_("cell.vert", "cell.frag"), array_(gl::make_vertex_array()) {}

void CellFrames::draw(const BodyPicture& picture, unsigned boxes, float share) const {
  constexpr GLuint edges = 12;
  program_.use();
  program_.set("view", picture.camera.view());
  program_.set("projection", picture.camera.projection(picture.size));
  program_.set("half_size", glm::vec2(picture.size) / 2.0F);
  program_.set("half_width", 1.1F * picture.scale);
  program_.set("focal_pixels", static_cast<float>(picture.camera.focal_pixels(picture.size.y)));
  program_.set("scale", picture.scale);
  program_.set("middle", static_cast<float>(picture.camera.distance));
  glBindVertexArray(array_.name());
  glBindBuffer(GL_ARRAY_BUFFER, boxes);
  for (GLuint corner = 0; corner < 2; ++corner) {
    glEnableVertexAttribArray(corner);
    glVertexAttribDivisor(corner, edges);
  }
  const std::size_t levels = TreeLevels(picture.bodies, picture.tree).rows.size();
  for (const CellLevel& level : picture.cells) {
    for (GLuint corner = 0; corner < 2; ++corner)
      glVertexAttribPointer(corner, 4, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(cell_bytes),
                            reinterpret_cast<const void*>(level.first * cell_bytes + corner * sizeof(glm::vec4)));
    program_.set("light", glm::vec4(light_of_level(level.number, levels), 1.0F) *
                              (share * weight_of(level, picture.cells.size() == 1)));
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(edges * level.count));
  }
}

}  // namespace orrery
