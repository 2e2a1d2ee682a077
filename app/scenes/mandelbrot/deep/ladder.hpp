/// Where views lie on the renormalisation ladder, and its table as kernels/mandelbrot/mandelbrot_ladder.cl reads it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenes/mandelbrot/deep/ladder_table.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

/// The purpose decides how exact a result is: a picture may be off in the last digits of ν where it is chaotic anyway,
/// data may not. While a view moves, nothing is looked for that takes milliseconds.
enum class Purpose { picture, motion, data };

/// A picture near a ladder's point: the pixel at (x, y) from its centre, y up, is w = center + x·right + y·up on level
/// `top` (see LadderTable), and no pixel is farther than ladder_radius_of() from 0. `top` is the highest level for
/// which that holds.
struct LadderPlace {
  LadderPoint point = LadderPoint::feigenbaum;
  int top = 0;
  Pair center_re, center_im;
  Pair spacing;               ///< of pixels, where the picture is not stretched …
  double finest_spacing = 0;  ///< … and the least one
  Pair right_re, right_im, up_re, up_im;
};

/// Nothing where the picture reaches too far from the ladders' points for one to begin, or is nearer to one with a
/// passage than its ladder goes.
std::optional<LadderPlace> ladder_place(const View& view, Size size);
/// In which the distance of such a view's points from a ladder's point is right to far less than a pixel.
mpfr_prec_t ladder_bits(const View& view, Size size);

/// A device counts in these numbers. Floats alone tell too few pixels apart.
enum class LadderNumbers { float_pairs, doubles, double_pairs };
inline bool is_pairs(LadderNumbers numbers) {
  return numbers == LadderNumbers::float_pairs || numbers == LadderNumbers::double_pairs;
}
inline bool is_double(LadderNumbers numbers) {
  return numbers == LadderNumbers::doubles || numbers == LadderNumbers::double_pairs;
}

/// The most that rounding adds to x in a step, with the table's cut, w at the step's level and the change of level: see
/// the derivation at ladder_shift().
double ladder_step_error(LadderNumbers numbers);
/// The most that |∂²g/∂x²| is at any level, for |x| ≤ 1 + ladder_margin and |w| within the radius.
double ladder_curvature(LadderPoint point = LadderPoint::feigenbaum);
inline constexpr double ladder_margin = 0.05;

/// By how many pixels the point that is iterated seems to lie beside the pixel, for all that such numbers lose. Stage
/// by stage, with ε the numbers' rounding and every error told as the change of w that does the same:
///
///   1. w = centre + i·spacing, from many bits: 4ε·|w| ≤ 3ε.
///   2. A step evaluates g, |x| ≤ 1, |w| ≤ 0.7: what the table leaves out is below ε, w·δ^−row is off by 2ε of itself,
///      the recurrences round to some 20ε, and the change of level to 2ε·|x|: x is off by e ≤ 64ε, ladder_step_error().
///   3. An error e of x_k is a change of w by e/|D_k|, D_k = ∂x_k/∂w. Since D_{k+1} = ∂g/∂x·D_k + ∂g/∂w, and |∂g/∂w| is
///      near 1 at x = 0, the first step's is about e. While an orbit is repelled, D grows and later errors count for
///      less: their sum is a geometric series, a few e.
///   4. Where the orbit passes near 0, ∂g/∂x vanishes and takes what D had grown to with it: what the pixels differ by
///      is then carried by ∂g/∂w alone, and the step after it costs another few e. An orbit that escapes passes near 0
///      some times, as often as it goes round a small copy of the set: 16 e are allowed for all of it.
///
/// So the distance of pixels in w is what counts, and not what part of |w| it is; and ν, which changes by 1.44/d a
/// pixel at d pixels from the set, is off by 1.44/d times as much.
///
/// Where there is a passage there is no 0 to pass near. An error e of x is one of e/|g(x) − x| of a step in the time of
/// the passage, which is the same as a change of w by a few e as well. The outside is a sliver there, about 2^−(top +
/// 9) wide in w where |w| is largest: where pixels are farther apart, it takes the place of their distance.
double ladder_shift(const LadderPlace& place, LadderNumbers numbers);
/// The most that it may be, for pictures and for data, whose ν is to be right to 10⁻³ but for one pixel in a thousand:
/// that one may be 10⁻³ pixels from the set. Each level from the sixth on grows hair: distances are a quarter there. So
/// does depth beside c∞: around a copy of the set, distances were found to shrink by 2 for each 2⁴ of it.
double largest_ladder_shift(const LadderPlace& place, Purpose purpose);

/// The tables for doubles and for pairs, made at the first call. Any thread.
const LadderTable& ladder_table_of_doubles(LadderPoint point = LadderPoint::feigenbaum);
const LadderTable& ladder_table_of_pairs(LadderPoint point = LadderPoint::feigenbaum);

/// Iteration beside c∞ ends so many levels below the top: counts are then right to 2^−depth of themselves.
inline constexpr int ladder_depth = 40;
/// The highest level with a passage: beyond it, counts of a few passages have no room in 64 bits.
inline constexpr int passage_top = 52;

/// The part of the table that counts for numbers of that kind, in the layout of the kernels.
struct PackedLadder {
  /// Takes as long as the table: see LadderTable. Any thread.
  PackedLadder(LadderPoint ladder_point, LadderNumbers numbers_kind);

  /// -D definitions of the kernels.
  std::map<std::string, std::string> definitions() const;
  /// Slots of the units that multiply and add, of a step in plain numbers: the mean over the rows.
  double operations_of_step() const;

  LadderPoint point;
  LadderNumbers kind;
  int rows = 0;  ///< below the top level
  int levels = 0, orders = 0, terms = 0;
  std::vector<double> numbers;  ///< floats fit their type exactly
  std::vector<std::uint8_t> extents;
};

/// Made at the first call for these. Any thread.
const PackedLadder& packed_ladder(LadderPoint point, LadderNumbers numbers);

}  // namespace orrery::mandelbrot
