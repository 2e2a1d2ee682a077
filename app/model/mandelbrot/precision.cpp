#include "model/mandelbrot/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"

namespace orrery::mandelbrot {
namespace {

// Rounding in an orbit acts like a change of c by some units in its last place, and ν magnifies it near the set.
// At this spacing, relative to |c|, nine pixels of ten of busy views are still within 0.1 of their ν.
constexpr double single_spacing = 1e-4;

double magnitude(const View& view) {
  const double half = 0.5 * view.span.value();
  return std::max(std::abs(view.re.value()), std::abs(view.im.value())) + half;
}

double epsilon(Precision precision) {
  return precision == Precision::single ? std::numeric_limits<float>::epsilon()
                                        : std::numeric_limits<double>::epsilon();
}

std::string warning_for(Precision precision, double relative_spacing) {
  const double units = relative_spacing / epsilon(precision);
  if (units >= 16) return {};
  return "the end of " + std::string(name_of(precision)) + " precision: pixels are " + brief(units, 2) +
         (units < 1 ? " of the smallest difference of two numbers apart" : " times the smallest difference apart");
}

}  // namespace

std::string_view name_of(Precision precision) {
  if (precision == Precision::ladder) return "renormalised";
  if (precision == Precision::perturbation) return "perturbation";
  return precision == Precision::single ? "single" : "double";
}

PrecisionChoice choose_precision(std::string_view requested, const View& view, Size size, bool fp64, Purpose purpose) {
  const double relative = spacing(view, size) / magnitude(view);
  PrecisionChoice choice;
  if (requested == "double" && !fp64) {
    throw usage_error("--precision cannot be", "double",
                      "this device computes in single precision only: auto | single");
  }
  if (requested == "single" || requested == "double") {
    choice.precision = requested == "single" ? Precision::single : Precision::double_;
    choice.reason = "as asked for";
  } else if (!fp64) {
    choice.reason = "the device has no double precision";
  } else if (purpose == Purpose::data) {
    choice.precision = Precision::double_;
    choice.reason = "the values are data";
  } else {
    const bool wide = relative >= single_spacing;
    choice.precision = wide ? Precision::single : Precision::double_;
    choice.reason =
        "pixel spacing is " + brief(relative, 2) + " of the centre, " + (wide ? "≥ " : "< ") + brief(single_spacing);
  }
  choice.warning = warning_for(choice.precision, relative);
  return choice;
}

double smallest_span(const View& view, Size size, bool fp64) {
  const double unit = std::max(std::abs(view.re.value()), std::abs(view.im.value()));
  const double smallest = epsilon(fp64 ? Precision::double_ : Precision::single);
  return size.width * std::max(0.25 * unit * smallest, std::numeric_limits<float>::min() * 1.0);
}

}  // namespace orrery::mandelbrot
