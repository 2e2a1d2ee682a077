/// Histogram equalisation: smooth values by their rank, so that equal areas get equal parts of the palette.
///
/// Plain values; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery::mandelbrot {

/// Bins are even steps of log₂(1 + ν − origin): fine where most pixels are, at any depth of the view.
struct Equalization {
  static constexpr std::size_t bins = 2048;
  static constexpr double octaves = 32;

  double origin = 0;         ///< approximately the smallest ν of the picture
  std::vector<float> ranks;  ///< the part of the pixels below the middle of each bin, 0 … 1; empty: not yet known

  static double bin_of(double nu, double origin);
  /// The part of the pixels below ν; 0 while none is known.
  double rank(double nu) const;
  bool operator==(const Equalization&) const = default;
};

/// `counts` has one number for each bin.
Equalization equalization(double origin, std::span<const std::uint32_t> counts);
/// The equalization of a picture's values; negative ones are interior and left out.
Equalization equalization_of(std::span<const double> values);
/// Interpolates between two equalizations; `part` is 0 … 1.
Equalization mixed(const Equalization& from, const Equalization& to, double part);

}  // namespace orrery::mandelbrot
