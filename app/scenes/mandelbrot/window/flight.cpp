#include "scenes/mandelbrot/window/flight.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery {
namespace {

using mandelbrot::Decimal;
using mandelbrot::View;

constexpr double rho = 1.3;  // how eagerly a flight zooms out
constexpr double rho2 = rho * rho;
constexpr double ramp_seconds = 0.45;  // from rest to speed, and back to rest

double log_cosh(double x) { return std::abs(x) + std::log1p(std::exp(-2 * std::abs(x))) - std::numbers::ln2; }
/// sinh(x) / cosh(y), x ≥ 0.
double sinh_over_cosh(double x, double y) { return x == 0 ? 0 : std::exp(x - log_cosh(y)) * -std::expm1(-2 * x) * 0.5; }
/// asinh(numerator / e^log_denominator)
double asinh_of(double numerator, double log_denominator) {
  constexpr double large = 20;  // above e^20, asinh(x) is ln(2x) to the last digit
  if (numerator == 0) return 0;
  const double log_size = std::log(std::abs(numerator)) - log_denominator;
  const double size = log_size > large ? log_size + std::numbers::ln2 : std::asinh(std::exp(log_size));
  return std::copysign(size, numerator);
}

}  // namespace

Flight::Flight(const View& from, const View& to, double octaves_per_second)
    : from_(from),
      to_(to),
      log_from_(from.span.log()),
      log_to_(to.span.log()),
      speed_(octaves_per_second * std::numbers::ln2 / rho) {
  const Decimal dx = to.re - from.re, dy = to.im - from.im;
  apart_ = !dx.is_zero() || !dy.is_zero();
  if (apart_) {
    const bool across = dy.log() <= dx.log();
    const double slope = across ? ratio(dy, dx) : ratio(dx, dy);
    const double part = 1 / std::hypot(1, slope);
    const double sign = (across ? dx : dy).text().starts_with('-') ? -1 : 1;
    direction_x_ = sign * part * (across ? 1 : slope);
    direction_y_ = sign * part * (across ? slope : 1);
    const double log_distance = (across ? dx : dy).log() - std::log(part);

    const double unit = std::max({log_from_, log_to_, log_distance});
    const auto squared = [unit](double log_length) { return std::exp(2 * (log_length - unit)); };
    const double difference = squared(log_to_) - squared(log_from_), far = rho2 * rho2 * squared(log_distance);
    const double log_denominator = std::log(2 * rho2) + log_distance - 2 * unit;
    begin_ = asinh_of(-(difference + far), log_denominator + log_from_);
    end_ = asinh_of(-(difference - far), log_denominator + log_to_);
    length_ = (end_ - begin_) / rho;
  } else {
    length_ = std::abs(log_to_ - log_from_) / rho;
  }
  // With a short way there is no time for the full speed.
  ramp_ = std::min(ramp_seconds, std::sqrt(length_ * ramp_seconds / speed_));
  duration_ = length_ > 0 ? length_ / (speed_ * ramp_ / ramp_seconds) + ramp_ : 0;
}

double Flight::way_after(double seconds) const {
  const double speed = speed_ * ramp_ / ramp_seconds;
  if (seconds < ramp_) return speed * seconds * seconds / (2 * ramp_);
  const double left = duration_ - seconds;
  if (left < ramp_) return length_ - speed * left * left / (2 * ramp_);
  return speed * (seconds - 0.5 * ramp_);
}

double Flight::log_span(double r) const {
  return r < 0.5 * (begin_ + end_) ? log_from_ + log_cosh(begin_) - log_cosh(r)
                                   : log_to_ + log_cosh(end_) - log_cosh(r);
}

View Flight::at(double seconds) const {
  if (seconds <= 0) return from_;
  if (seconds >= duration_) return to_;
  const double way = way_after(seconds);
  const mandelbrot::Turn turn = mixed(from_.turn, to_.turn, way / length_);
  if (!apart_) return {to_.re, to_.im, Decimal::exp(std::lerp(log_from_, log_to_, way / length_)), turn};
  const double r = begin_ + rho * way;
  const Decimal span = Decimal::exp(log_span(r));
  // In spans, the way that is behind and the way that is left; the shorter of them loses no digits.
  const double behind = sinh_over_cosh(rho * way, begin_) / rho2;
  const double left = sinh_over_cosh(end_ - r, end_) / rho2;
  const bool near_end = left < behind;
  const View base{near_end ? to_.re : from_.re, near_end ? to_.im : from_.im, span, turn};
  const double offset = near_end ? -left : behind;
  return placed(base, {direction_x_ * offset, direction_y_ * offset, 1});
}

}  // namespace orrery
