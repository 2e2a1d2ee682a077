/// Columns of a bifurcation diagram, computed again in many bits.
///
/// An orbit in chaos is another one in other numbers, but comes by each x as often: what is compared is the part of the
/// visits above each row. Near c∞ the ladder's table is evaluated in many bits, as the device does in its own numbers.
#pragma once

#include <span>

#include "scenes/mandelbrot/deep/reference.hpp"
#include "scenes/mandelbrot/model/diagram.hpp"

namespace orrery::mandelbrot {

struct DiagramProof {
  int checked = 0, wrong = 0;  ///< columns
  int left_out = 0;            ///< in many bits too few orbits come by to tell, or they have not settled
  double largest = 0;          ///< difference of a part of the visits, beyond two rows
};

/// `values` are Diagram::finished_blocking()'s. Any thread; takes about 0.1 s a column.
DiagramProof prove_diagram(const DiagramFrame& frame, DiagramWay way, std::span<const float> values, int columns,
                           const Watch& watch);

}  // namespace orrery::mandelbrot
