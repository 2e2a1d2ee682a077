/// Columns of a bifurcation diagram, computed again in many bits.
///
/// A chaotic orbit differs with its numbers, but visits each x equally often: the part of the visits above each row is
/// compared. Near c∞ the ladder's table is evaluated in many bits, as the device does in its own numbers.
#pragma once

#include <span>

#include "scenes/mandelbrot/deep/reference.hpp"
#include "scenes/mandelbrot/model/diagram.hpp"

namespace orrery::mandelbrot {

struct DiagramProof {
  int checked = 0, wrong = 0;  ///< columns
  int left_out = 0;            ///< too few orbits visit these in many bits, or they have not settled
  double largest = 0;          ///< largest difference of the part of visits above a row, beyond two rows
};

/// `values` are Diagram::finished_blocking()'s. Any thread; takes about 0.1 s a column.
DiagramProof prove_diagram(const DiagramFrame& frame, DiagramWay way, std::span<const float> values, int columns,
                           const Watch& watch);

}  // namespace orrery::mandelbrot
