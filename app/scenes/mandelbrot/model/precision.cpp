#include "scenes/mandelbrot/model/precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/written_number.hpp"
#include "scenes/mandelbrot/deep/ladder.hpp"
#include "scenes/mandelbrot/deep/parabolic.hpp"

namespace orrery::mandelbrot {
namespace {

// Rounding in an orbit acts like a change of c by some units in its last place, and ν magnifies it near the set. At
// these spacings, relative to |c|, nine pixels of ten of busy views are still within 0.1 of their ν.
constexpr double single_spacing = 1e-4, double_spacing = 1e-12;
// Data must be right wherever possible: at this spacing, doubles are within 1e-3 but for one pixel in a thousand of a
// view that is not among the busiest.
constexpr double double_spacing_of_data = 1e-7;
// The range of direct iteration in floats and in doubles, whatever the spacing relative to |c|.
constexpr double smallest_of_single = 1e-30, smallest_of_double = 1e-290, largest_of_double = 1e100;

// From this level on, 10⁻⁴ from c∞, the ladder is faster than iteration: each step is up to 2^level iterations, and the
// discs of the cascade need none.
constexpr int ladder_begins = 6;
constexpr double ladder_ends = 1e-4;  // at that level, no picture's centre is farther from the point
// A passage has fewer iterations, some 40·2^level at the cusp and 150·2^level in the valley, for more steps, 10·level
// and 30·level: it pays from 5·10⁴ and 3·10⁵ iterations on, 4·10⁻⁹ from the cusp and 10⁻⁵ from −3/4.
constexpr int passage_begins = 11;
constexpr int begins_at(LadderPoint point) { return has_passage(point) ? passage_begins : ladder_begins; }
// A picture that is much smaller than its distance from the point (its pixels are closer than this in w) has orbits of
// some hundred times 2^level iterations, however deep it is. Up to the first of these levels a reference orbit of that
// length takes no quarter of a second, and perturbation has digits to spare; beyond the last one its orbit does not
// fit devices.
constexpr double small_picture = 0x1p-30;
constexpr int perturbation_suits = 12, perturbation_ends = 16, perturbation_ends_at_cusp = 19;
constexpr int perturbation_ends_at(LadderPoint point) {
  return point == LadderPoint::cusp ? perturbation_ends_at_cusp : perturbation_ends;
}
constexpr double feigenbaum = -1.4011551890920506, cusp = 0.25, valley = -0.75;

// log₁₀ of the least spacing of pixels, absolute and relative to the picture's numbers.
struct Spacing {
  double absolute = 0, relative = 0;
};

Spacing spacing_of(const View& view, Size size) {
  const double stretch = std::log10(view.turn.reach());
  const double span = view.span.log() / std::numbers::ln10 + stretch;
  const double absolute = span - std::log10(static_cast<double>(size.width)) - 2 * stretch;
  const double center = std::max(view.re.log(), view.im.log()) / std::numbers::ln10;
  return {absolute, absolute - std::max(center, span + std::log10(0.5))};
}

double epsilon(Precision precision) {
  return precision == Precision::single ? std::numeric_limits<float>::epsilon()
                                        : std::numeric_limits<double>::epsilon();
}

std::string warning_for(Precision precision, double relative_spacing) {
  if (precision != Precision::single && precision != Precision::double_) return {};
  const double units = relative_spacing / epsilon(precision);
  if (units >= 16) return {};
  return "the limit of " + std::string(name_of(precision)) + " precision: the pixel spacing is " + brief(units, 2) +
         (units < 1 ? " of the smallest difference of two numbers" : " times the smallest difference of two numbers");
}

// "3.2e-1234"
std::string power_text(double log10) {
  const double exponent = std::floor(log10);
  return brief(std::pow(10, log10 - exponent), 2) + "e" + std::to_string(static_cast<std::int64_t>(exponent));
}

Precision smallest_that_serves(const Spacing& spacing, bool fp64, Purpose purpose) {
  const double relative = std::pow(10, spacing.relative), absolute = std::pow(10, spacing.absolute);
  const bool data = purpose == Purpose::data;
  const bool single = relative >= single_spacing && absolute > smallest_of_single && absolute < 1 / smallest_of_single;
  if (single && !(data && fp64)) return Precision::single;
  const bool double_ = relative >= (data ? double_spacing_of_data : double_spacing) && absolute > smallest_of_double &&
                       absolute < largest_of_double;
  return fp64 && double_ ? Precision::double_ : Precision::perturbation;
}

LadderNumbers longest_numbers(bool fp64) { return fp64 ? LadderNumbers::double_pairs : LadderNumbers::float_pairs; }

bool ladder_is_valid(const LadderPlace& place, bool fp64, Purpose purpose) {
  return ladder_shift(place, longest_numbers(fp64)) <= largest_ladder_shift(place, purpose);
}

// The place where a ladder serves; with `asked_for`, from its first level on.
std::optional<LadderPlace> served_by_ladder(const View& view, Size size, bool fp64, Purpose purpose, bool asked_for) {
  const double re = view.re.value(), im = view.im.value();
  const auto is_near = [&](double point) { return std::hypot(re - point, im) <= ladder_ends; };
  if (!asked_for && !is_near(feigenbaum) && !is_near(cusp) && !is_near(valley)) return {};
  std::optional<LadderPlace> place = ladder_place(view, size);
  if (!place || place->top < (asked_for ? 1 : begins_at(place->point))) return {};
  // No other method works there, and the choice's warning says so.
  if (place->top > perturbation_ends_at(place->point)) return place;
  if (!ladder_is_valid(*place, fp64, purpose)) return {};
  const bool wanted = place->spacing.high >= small_picture || place->top > perturbation_suits;
  return wanted || asked_for ? place : std::nullopt;
}

PrecisionChoice ladder_choice(const LadderPlace& place, const Spacing& spacing, bool asked_for, bool fp64,
                              Purpose purpose) {
  PrecisionChoice choice;
  const bool passage = has_passage(place.point);
  const std::string near = !passage                           ? "the Feigenbaum point"
                           : place.point == LadderPoint::cusp ? "the cusp at 1/4"
                                                              : "the valley at −3/4";
  choice.precision = precision_of(place.point);
  choice.reason =
      asked_for ? "set by you" : near + " is near: a step is up to 2" + superscript(place.top) + " iterations";
  if (!passage && spacing.absolute < std::log10(feigenbaum_point_error))
    choice.warning = "the Feigenbaum point is known to 158 digits: the picture is off by " +
                     power_text(std::log10(feigenbaum_point_error)) + " in position";
  else if (!ladder_is_valid(place, fp64, purpose))
    choice.warning = "ν depends on more digits here than are computed: its error may exceed 1e-3";
  return choice;
}

std::string reason_for(Precision precision, const Spacing& spacing, bool fp64, Purpose purpose) {
  const std::string apart = "relative pixel spacing " + power_text(spacing.relative);
  switch (precision) {
    case Precision::single:
      return fp64 ? "single is enough: " + apart + " ≥ " + brief(single_spacing)
                  : apart + ", and the device has no double precision";
    case Precision::double_:
      return purpose == Purpose::data ? "the values are saved as data"
                                      : "single is not enough: " + apart + " < " + brief(single_spacing);
    default:
      return apart + " < " +
             brief(!fp64                      ? single_spacing
                   : purpose == Purpose::data ? double_spacing_of_data
                                              : double_spacing) +
             (fp64 ? "" : ", and the device has no double precision");
  }
}

}  // namespace

std::string_view name_of(Precision precision) {
  if (is_ladder(precision)) return "renormalised";
  if (precision == Precision::perturbation) return "perturbation";
  return precision == Precision::single ? "single" : "double";
}

PrecisionChoice choose_precision(std::string_view requested, const View& view, Size size, bool fp64, Purpose purpose) {
  const Spacing spacing = spacing_of(view, size);
  if (requested == "auto" || requested == "ladder") {
    const bool asked_for = requested == "ladder";
    const auto place = served_by_ladder(view, size, fp64, purpose, asked_for);
    if (place) return ladder_choice(*place, spacing, asked_for, fp64, purpose);
    if (asked_for) {
      PrecisionChoice other = choose_precision("auto", view, size, fp64, purpose);
      other.warning = "--precision ladder works near the Feigenbaum point, 1/4 and −3/4, within known digits; " +
                      std::string(name_of(other.precision)) + " is used instead";
      return other;
    }
  }
  PrecisionChoice choice{.formula = view.formula};
  if (requested == "double" && !fp64) {
    throw usage_error("--precision", "double",
                      "auto | single | perturbation | ladder (this device has no double precision)");
  }
  if (requested == "auto") {
    choice.precision = smallest_that_serves(spacing, fp64, purpose);
    choice.reason = reason_for(choice.precision, spacing, fp64, purpose);
    const bool direct = choice.precision != Precision::perturbation;
    const auto point = direct && fp64 && purpose == Purpose::picture
                           ? parabolic_near(view, size, PassagesWorth::leaving_doubles)
                           : std::nullopt;
    if (point) {
      choice.precision = Precision::perturbation;
      choice.reason = "a parabolic point of period " + std::to_string(point->iterations()) + " is near";
    }
  } else {
    choice.precision = requested == "single"   ? Precision::single
                       : requested == "double" ? Precision::double_
                                               : Precision::perturbation;
    choice.reason = "set by you";
  }
  choice.exact =
      purpose == Purpose::data && fp64 && (choice.precision == Precision::perturbation || requested == "auto");
  choice.warning = warning_for(choice.precision, std::pow(10, spacing.relative));
  return choice;
}

bool resolves(Precision precision, const View& view, Size size) {
  if (precision != Precision::single && precision != Precision::double_) return true;
  const Spacing spacing = spacing_of(view, size);
  const double smallest = precision == Precision::single ? smallest_of_single : smallest_of_double;
  return std::pow(10, spacing.relative) >= epsilon(precision) && spacing.absolute > std::log10(smallest);
}

bool perturbation_reaches(const View& view, Size size) {
  const auto place = ladder_place(view, size);
  return !place || place->top <= perturbation_ends_at(place->point);
}

}  // namespace orrery::mandelbrot
