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

/// The required exactness: a picture may be off in the last digits of ν where it is chaotic anyway, data may not. While
/// a view moves, searches that take milliseconds are skipped.
enum class Purpose { picture, motion, data };

/// A picture near a ladder's point: the pixel at (x, y) from its centre, y up, is w = center + x·right + y·up on level
/// `top` (see LadderTable), and no pixel is farther than ladder_radius_of() from 0. `top` is the highest such level.
struct LadderPlace {
  LadderPoint point = LadderPoint::feigenbaum;
  int top = 0;
  Pair center_re, center_im;
  Pair spacing;               ///< of pixels, where the picture is not stretched …
  double finest_spacing = 0;  ///< … and the smallest spacing
  Pair right_re, right_im, up_re, up_im;
};

/// Nothing where the picture reaches too far from the ladders' points, or is too close to a passage's point for the
/// levels of its ladder.
std::optional<LadderPlace> ladder_place(const View& view, Size size);
/// The bits in which the distance of such a view's points from a ladder's point is right to far less than a pixel.
mpfr_prec_t ladder_bits(const View& view, Size size);

/// The numbers of a device. Single floats distinguish too few pixels.
enum class LadderNumbers { float_pairs, doubles, double_pairs };
inline bool is_pairs(LadderNumbers numbers) {
  return numbers == LadderNumbers::float_pairs || numbers == LadderNumbers::double_pairs;
}
inline bool is_double(LadderNumbers numbers) {
  return numbers == LadderNumbers::doubles || numbers == LadderNumbers::double_pairs;
}

/// The largest error of x by the rounding of a step, with the table's cut, w at the step's level and the change of
/// level: derived at ladder_shift().
double ladder_step_error(LadderNumbers numbers);
/// The maximum of |∂²g/∂x²| at any level, for |x| ≤ 1 + ladder_margin and |w| within the radius.
double ladder_curvature(LadderPoint point = LadderPoint::feigenbaum);
inline constexpr double ladder_margin = 0.05;

/// The distance of the point that is in effect iterated from its pixel, in pixels, by all rounding in such numbers.
/// Stage by stage, with ε the numbers' rounding and every error expressed as the change of w with the same effect:
///
///   1. w = centre + i·spacing, from many bits: 4ε·|w| ≤ 3ε.
///   2. A step evaluates g, |x| ≤ 1, |w| ≤ 0.7: the table's omitted terms are below ε, w·δ^−row is off by 2ε of itself,
///      the recurrences round to some 20ε, and the change of level to 2ε·|x|: x is off by e ≤ 64ε, ladder_step_error().
///   3. An error e of x_k is a change of w by e/|D_k|, D_k = ∂x_k/∂w. Since D_{k+1} = ∂g/∂x·D_k + ∂g/∂w, and |∂g/∂w| is
///      near 1 at x = 0, the first step's is about e. While an orbit is repelled, D grows and later errors count for
///      less: their sum is a geometric series, a few e.
///   4. Where the orbit passes near 0, ∂g/∂x vanishes and cancels the growth of D: the difference of pixels is then
///      carried by ∂g/∂w alone, and the next step costs another few e. An orbit that escapes passes near 0 some times,
///      as often as it goes round a small copy of the set: 16 e are allowed for all of it.
///
/// So the distance of pixels in w counts, not its ratio to |w|; and ν, which changes by 1.44/d a pixel at d pixels from
/// the set, is off by 1.44/d times as much.
///
/// A passage has no 0 to pass near. An error e of x is e/|g(x) − x| of a step in the time of the passage, which equals
/// a change of w by a few e. The outside is a sliver there, about 2^−(top + 9) wide in w where |w| is largest: where
/// pixels are farther apart, it takes the place of their distance.
double ladder_shift(const LadderPlace& place, LadderNumbers numbers);
/// The largest allowed shift for pictures, and for data, whose ν is to be right to 10⁻³ but for one pixel in a
/// thousand: it may be 10⁻³ pixels from the set. Each level from the sixth on adds filaments: distances are a quarter
/// there. So does depth beside c∞: around a copy of the set, distances were found to shrink by 2 for each 2⁴ of it.
double largest_ladder_shift(const LadderPlace& place, Purpose purpose);

/// The tables for doubles and for pairs, made at the first call. Any thread.
const LadderTable& ladder_table_of_doubles(LadderPoint point = LadderPoint::feigenbaum);
const LadderTable& ladder_table_of_pairs(LadderPoint point = LadderPoint::feigenbaum);

/// Iteration beside c∞ ends this many levels below the top: counts then have a relative error of 2^−depth.
inline constexpr int ladder_depth = 40;
/// The highest level with a passage: beyond it, the counts of a few passages exceed 64 bits.
inline constexpr int passage_top = 52;

/// The part of the table that counts for numbers of one kind, in the layout of the kernels.
struct PackedLadder {
  /// Takes the time of a LadderTable. Any thread.
  PackedLadder(LadderPoint ladder_point, LadderNumbers numbers_kind);

  /// -D definitions of the kernels.
  std::map<std::string, std::string> definitions() const;
  /// Multiply-add slots of a step in plain numbers, averaged over the rows.
  double operations_of_step() const;

  LadderPoint point;
  LadderNumbers kind;
  int rows = 0;  ///< rows below the top level
  int levels = 0, orders = 0, terms = 0;
  std::vector<double> numbers;  ///< floats fit their type exactly
  std::vector<std::uint8_t> extents;
};

/// Made at the first call for this pair. Any thread.
const PackedLadder& packed_ladder(LadderPoint point, LadderNumbers numbers);

}  // namespace orrery::mandelbrot
