/// The cells of the bodies' tree as frames of light: which are drawn, in which colours, and the drawing. Window thread.
#pragma once

#include <array>

#include "scenes/nbody/window/picture.hpp"

namespace orrery {

/// The level that a look asks for, of a tree of so many bodies: the finest one where that is none of its levels or has
/// too many cells.
std::size_t chosen_cell_level(const NbodyLook& look, std::size_t bodies, const TreeShape& shape = {});
/// The levels whose cells it asks for, the root's first; none where it asks for none.
std::vector<CellLevel> chosen_cells(const NbodyLook& look, std::size_t bodies, const TreeShape& shape = {});
/// sRGB: levels from the root's to the leaves' are from the dark end of a palette to its bright one.
std::array<std::uint8_t, 3> color_of_level(std::size_t number, std::size_t levels);

class CellFrames {
 public:
  CellFrames();
  /// Adds this share of the light of the picture's cells to the bound framebuffer, blending set up. `boxes`: see
  /// NbodyTree::copy_boxes().
  void draw(const BodyPicture& picture, unsigned boxes, float share) const;

 private:
  gl::ShaderProgram program_;
  gl::VertexArray array_;
};

}  // namespace orrery
