/// The bifurcation diagram in the lowest rows of a written picture.
///
/// Any thread; the constructor waits for a compiler and the device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/program/program.hpp"
#include "scenes/mandelbrot/checks/diagram_proof.hpp"
#include "scenes/mandelbrot/model/diagram_settings.hpp"
#include "scenes/mandelbrot/output/picture.hpp"

namespace orrery::mandelbrot {

class DiagramRows {
 public:
  /// `proved`: number of columns that are computed again in many bits. Throws Cancelled, or an Error.
  DiagramRows(ProgramLibrary& programs, const View& view, Size size, const DiagramSettings& settings, int proved,
              const ShowProgress& show);

  /// Overlays whole rows of the picture, RGB triples, from row `first` on.
  void lay_over(std::uint32_t first, std::span<std::uint8_t> rgb) const;
  const DiagramProof& proof() const { return proof_; }
  /// The diagram does not reach this depth.
  bool empty() const { return values_.empty(); }

 private:
  void color_row(std::uint32_t row, std::span<std::uint8_t> rgb) const;

  Size size_;
  double axis_;  // the row of the real axis
  DiagramFrame frame_;
  std::vector<float> values_;
  std::vector<double> lines_;  // each column's coverage by the lines at superstable points
  DiagramProof proof_;
};

}  // namespace orrery::mandelbrot
