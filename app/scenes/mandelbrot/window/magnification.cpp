#include "scenes/mandelbrot/window/magnification.hpp"

#include <cmath>

namespace orrery {
namespace {

constexpr double largest_magnification = 1e308;  // a decimal that is typed has no greater magnitude
constexpr int digits_of_logarithm = 12;

}  // namespace

Decimal span_of_magnification(const Decimal& magnification, double aspect) {
  return Decimal::exp(std::log(4 * aspect) - magnification.log()).significant(digits_of_logarithm);
}

Parameter magnification_row(Decimal& magnification, double aspect) {
  const double least = 4 * aspect / mandelbrot::widest_span().value(), thousandth = 1e-3;
  return {{.name = "magnification",
           .label = "Magnification",
           .help = "4 divided by the height of the picture in the plane, as Kalles Fraktaler counts",
           .minimum = std::ceil(least / thousandth) * thousandth,
           .maximum = largest_magnification,
           .place = ParameterPlace::view},
          &magnification};
}

}  // namespace orrery
