/// Where views lie on the renormalisation ladder, and its table as kernels/mandelbrot_ladder.cl reads it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/mandelbrot/ladder_table.hpp"
#include "model/mandelbrot/view.hpp"

namespace orrery::mandelbrot {

/// A picture near c∞: the pixel at (x, y) from its centre, y up, is w = center + spacing·(x, y), w = (c − c∞)·δ^top,
/// and no pixel is farther than ladder_radius from 0. `top` is the highest level for which that holds.
struct LadderPlace {
  int top = 0;
  Pair center_re, center_im;
  Pair spacing;

  /// Digits (binary) that tell neighbouring pixels apart.
  double bits() const;
};

/// Nothing where the picture reaches too far from c∞ for the ladder to begin.
std::optional<LadderPlace> ladder_place(const View& view, Size size);

/// What a device counts in.
enum class LadderNumbers { floats, float_pairs, doubles, double_pairs };
inline bool is_pairs(LadderNumbers numbers) {
  return numbers == LadderNumbers::float_pairs || numbers == LadderNumbers::double_pairs;
}
inline bool is_double(LadderNumbers numbers) {
  return numbers == LadderNumbers::doubles || numbers == LadderNumbers::double_pairs;
}

/// The most that LadderPlace::bits() may be for such numbers: seven bits are left for what rounding does on the way.
double most_bits(LadderNumbers numbers);
/// What such numbers are told apart by where they are too short: pairs of them.
inline LadderNumbers pairs_of(LadderNumbers numbers) {
  return is_double(numbers) ? LadderNumbers::double_pairs : LadderNumbers::float_pairs;
}

/// The table for pairs, made at the first call. Any thread.
const LadderTable& ladder_table_of_pairs();

/// Iteration ends so many levels below the top: counts are then right to 2^−depth of themselves.
inline constexpr int ladder_depth = 40;

/// The part of the table that counts for numbers of that kind, in the layout of the kernels.
struct PackedLadder {
  /// Takes as long as the table: see LadderTable. Any thread.
  explicit PackedLadder(LadderNumbers numbers);

  /// -D definitions of the kernels.
  std::map<std::string, std::string> definitions() const;
  /// Slots of the units that multiply and add, of a step in plain numbers: the mean over the rows.
  double operations_of_step() const;

  LadderNumbers kind;
  int levels = 0, orders = 0, terms = 0;
  std::vector<double> numbers;  ///< floats fit their type exactly
  std::vector<std::uint8_t> extents;
};

/// Made at the first call for that kind. Any thread.
const PackedLadder& packed_ladder(LadderNumbers numbers);

}  // namespace orrery::mandelbrot
