/// Period doublings on the real axis: the superstable points of a view, estimates of δ and α from them, and the orbit
/// that the bifurcation diagram is computed from.
///
/// At a superstable point 0 is on the cycle. The points of period P, 2P, 4P … close in on a Feigenbaum point:
/// successive distances shrink by δ = 4.669…, and the distances of 0 from the nearest other point of their cycles by α
/// = −2.503…. Other even powers of z have other values of δ and α.
///
/// Source: M. J. Feigenbaum, J. Stat. Phys. 19 (1978) 25.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/mandelbrot/deep/ladder.hpp"
#include "scenes/mandelbrot/deep/reference.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::mandelbrot {

/// All cascades of one even power of z share these numbers.
struct Universal {
  double delta = 0, alpha = 0;
  std::string_view text = {};  ///< names δ and α with all of their known digits
};
/// Nothing for odd powers: their real cycles do not double their periods.
std::optional<Universal> universal_of(Formula formula);

/// A superstable point of period base·2^doublings.
struct Superstable {
  std::size_t base = 1;
  int doublings = 0;
  Decimal c;                   ///< with some digits more than the view needs
  double at = 0;               ///< distance from the view's centre, in spans
  std::string delta, alpha;    ///< estimates from this point and its neighbours; empty without any
  std::string period() const;  ///< "12", from 2²⁰ on "2²⁰"
};

/// The orbit of 0 at a real c: Z_0 = 0 … Z_last, in doubles and their rounding errors.
struct RealOrbit {
  std::vector<double> high{0}, low{0};
  Pair away;  ///< from c to the view's centre
};

/// The cascade on the part of the real axis above and below which the picture lies.
struct RealCascade {
  View view;
  std::vector<Superstable> points;  ///< points in the view, and some beyond; by falling c
  std::size_t period = 0;  ///< the lowest one of a copy of the set in the view; 0: there is none, or nearer c∞
                           ///< than the ladder begins
  /// Magnifications around the nucleus of that copy, against the whole set: of x |∂z_P/∂z_1|, and of c that times
  /// |∂z_P/∂c|; log₂ of both. They are 0 without such a copy, and in the main cascade.
  double log2_x = 0, log2_c = 0;
  RealOrbit orbit;     ///< of the copy's nucleus, or of the centre
  double nearest = 0;  ///< distance from 0 of the attractor at the centre; 0 without one
};

/// A level view of the same width, whose centre is on the axis.
View on_axis(const View& view);
/// The place on the ladder of c∞ where that serves the diagram; `finest` is the least distance of columns in w that the
/// device's numbers distinguish.
std::optional<LadderPlace> cascade_place(const View& view, std::uint32_t columns, double finest);
enum class Depth {
  scales,  ///< without the superstable points
  points   ///< with them; the ladder's table of pairs takes some seconds, the first time
};
/// Takes up to half a second. Nothing when cancelled.
std::optional<RealCascade> find_cascade(const View& view, std::uint32_t columns, Depth depth, const Watch& watch);
/// The distance of the diagram's edges in x from `middle`, for a view of that span: the attractor of a copy of the set
/// grows by α where c does by δ.
double half_height_of(const RealCascade& cascade, const Decimal& span);
/// The same without a copy of the set.
double whole_half_height_of(Formula formula, const Decimal& span);

/// The view, δ times deeper or wider, in which that point lies `at` spans from the centre.
View doubling_view(const View& view, double at, const Superstable& point, bool deeper);

}  // namespace orrery::mandelbrot
