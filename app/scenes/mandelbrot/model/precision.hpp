/// The numbers that a view needs, and their limits.
#pragma once

#include <string>
#include <string_view>

#include "scenes/mandelbrot/deep/ladder.hpp"
#include "scenes/mandelbrot/deep/ladder_table.hpp"

namespace orrery::mandelbrot {

/// `ladder` renormalises at the Feigenbaum point, `cusp` at 1/4 and `valley` at −3/4.
enum class Precision { single, double_, ladder, perturbation, cusp, valley };
constexpr bool is_ladder(Precision precision) {
  return precision == Precision::ladder || precision == Precision::cusp || precision == Precision::valley;
}
constexpr LadderPoint point_of(Precision precision) {
  return precision == Precision::cusp     ? LadderPoint::cusp
         : precision == Precision::valley ? LadderPoint::valley
                                          : LadderPoint::feigenbaum;
}
constexpr Precision precision_of(LadderPoint point) {
  return point == LadderPoint::cusp     ? Precision::cusp
         : point == LadderPoint::valley ? Precision::valley
                                        : Precision::ladder;
}
std::string_view name_of(Precision precision);

struct PrecisionChoice {
  Precision precision = Precision::single;
  Formula formula = {};
  bool exact = false;        ///< pixels that doubles do not decide are to be computed in pairs of doubles
  std::string reason = {};   ///< one line
  std::string warning = {};  ///< limits of the numbers; empty within them
};

/// A ladder (ladder_table.hpp) is chosen where a picture lies so near to its point that other methods would take more
/// iterations than it takes steps, as long as ladder_shift() stays within the purpose's limit. Beyond that, and where a
/// picture is much smaller than its distance from the point while orbits are short, perturbation is used. Beside other
/// parabolic points (parabolic.hpp) perturbation takes the steps of passages, for pictures. `requested` is auto,
/// single, double, perturbation or ladder; the last means auto where no ladder reaches. Throws a usage Error when
/// doubles are requested and the device has none.
PrecisionChoice choose_precision(std::string_view requested, const View& view, Size size, bool fp64, Purpose purpose);

/// Whether neighbouring pixels of the view are different numbers of that precision.
bool resolves(Precision precision, const View& view, Size size);

/// Whether a reference orbit for the view fits devices: next to a ladder's point it does not.
bool perturbation_reaches(const View& view, Size size);

}  // namespace orrery::mandelbrot
