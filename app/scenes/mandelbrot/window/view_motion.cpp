#include "scenes/mandelbrot/window/view_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery {
namespace {

using mandelbrot::Placement;
using mandelbrot::Turn;
using mandelbrot::View;

constexpr double rho = 1.3;  // greater values make a flight zoom out farther
constexpr double rho2 = rho * rho;
constexpr double ramp_seconds = 0.45;  // acceleration time from rest, and deceleration time

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
  from_.formula = to.formula;
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
  // A short flight does not reach the full speed.
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
  return on_way(way_after(seconds));
}

std::optional<View> Flight::top() const {
  if (!apart_ || !(begin_ < 0 && end_ > 0)) return std::nullopt;
  return on_way(-begin_ / rho);
}

View Flight::on_way(double way) const {
  const mandelbrot::Turn turn = mixed(from_.turn, to_.turn, way / length_);
  if (!apart_) return {to_.re, to_.im, Decimal::exp(std::lerp(log_from_, log_to_, way / length_)), turn, to_.formula};
  const double r = begin_ + rho * way;
  const Decimal span = Decimal::exp(log_span(r));
  // In spans, the way covered and the way left; the shorter of them loses no digits.
  const double behind = sinh_over_cosh(rho * way, begin_) / rho2;
  const double left = sinh_over_cosh(end_ - r, end_) / rho2;
  const bool near_end = left < behind;
  const View base{near_end ? to_.re : from_.re, near_end ? to_.im : from_.im, span, turn, to_.formula};
  const double offset = near_end ? -left : behind;
  return placed(base, {direction_x_ * offset, direction_y_ * offset, 1});
}

// ---- the motion of the view

namespace {

constexpr double glide_seconds = 0.09;  // time constant of a glide
constexpr double arrived_pixels = 0.05;
constexpr double rest_seconds = 0.35;
constexpr double sharp_octaves = 2,
                 coarse_octaves = 4;  // lag of pictures at which a flight begins to slow down, and is slowest
constexpr double slowest_pace = 0.25;
constexpr double diving_speed = 0.5;  // octaves a second
constexpr double pace_seconds = 0.3;  // time constant of a change of pace
constexpr double longest_return = 2;  // longest flight back or forward, in seconds
constexpr std::size_t most_visited = 500;

}  // namespace

std::optional<double> ViewMotion::flight_seconds_left() const {
  if (!flight_) return std::nullopt;
  return (flight_->duration() - elapsed_) / pace();
}

void ViewMotion::set_first(const View& view) {
  const bool left = !(present_ == first_) || moving();
  first_ = view;
  if (!left) jump_to(view);
}

// Bounded by widening around the centre: the view's centre stays.
View ViewMotion::bounded(const View& view) const {
  View result = view;
  if (view.span < smallest_span()) result.span = smallest_span();
  if (widest_span() < view.span) result.span = widest_span();
  return result;
}

void ViewMotion::zoom(double x, double y, double factor) {
  const Turn turn = flight_ ? present_.turn : target_.turn;
  flight_.reset();
  const double reached = ratio(target_.span, present_.span);
  const double smallest = ratio(smallest_span(), present_.span), widest = ratio(widest_span(), present_.span);
  const double wanted = std::clamp(reached * factor, std::min(smallest, reached), std::max(widest, reached));
  // The point visible there now, so that it stays there all the way.
  if (wanted == reached) return;
  target_ = zoomed(present_, size_, x, y, wanted);
  target_.turn = turn;
}

void ViewMotion::pan(double dx, double dy) {
  flight_.reset();
  present_ = target_ = panned(present_, size_, dx, dy);
  rested_ = 0;
}

void ViewMotion::glide(double dx, double dy) {
  if (flight_) stop();
  target_ = panned(target_, size_, dx, dy);
}

void ViewMotion::center_on(double x, double y) {
  flight_.reset();
  target_ = panned(present_, size_, 0.5 * size_.width - x, 0.5 * size_.height - y);
}

void ViewMotion::zoom_to_box(double x0, double y0, double x1, double y1) {
  const double factor = std::max(std::abs(x1 - x0) / size_.width, std::abs(y1 - y0) / size_.height);
  if (!(factor > 0)) return;
  flight_.reset();
  const double unit = 1.0 / size_.width;
  const double x = unit * 0.5 * (x0 + x1 - size_.width), y = unit * 0.5 * (size_.height - y0 - y1);
  target_ = bounded(placed_in_picture(present_, {x, y, factor}));
}

void ViewMotion::turn(const Turn& turn) {
  flight_.reset();
  present_.turn = turn;
  target_ = present_;
  rested_ = 0;
}

void ViewMotion::turn_to(const Turn& turn) {
  if (flight_) stop();
  target_.turn = turn;
}

// With only a change of turn, there is no distance to fly.
void ViewMotion::fly_to(const View& view) {
  dive_.reset();
  start_flight(view, octaves_per_second_);
}

void ViewMotion::start_flight(const View& view, double octaves_per_second) {
  target_ = bounded(view);
  flight_.reset();
  elapsed_ = 0;
  waiting_pace_ = 1;
  return_pace_.reset();
  View turned = present_;
  turned.turn = target_.turn;
  turned.formula = target_.formula;
  if (!(target_ == turned)) flight_.emplace(present_, target_, octaves_per_second);
}

void ViewMotion::dive(const View& bottom) {
  start_flight(bottom, diving_speed);
  dive_ = target_;
}

// Down, up, and down again; another motion ends the dive.
void ViewMotion::go_on_diving() {
  if (!dive_ || flight_) return;
  if (moving() || !(present_ == *dive_ || present_ == first_)) return dive_.reset();
  const View bottom = *dive_;
  present_ == bottom ? start_flight(first_, octaves_per_second_) : dive(bottom);
}

void ViewMotion::change(mandelbrot::Formula formula) {
  View changed = target_;
  changed.formula = formula;
  const bool whole = !moving() && present_ == first_;
  jump_to(whole ? mandelbrot::whole_set(formula) : changed);
  if (whole) first_ = present_;
}

void ViewMotion::jump_to(const View& view) {
  dive_.reset();
  flight_.reset();
  present_ = target_ = bounded(view);
  rested_ = 0;
}

void ViewMotion::stop() {
  flight_.reset();
  target_ = present_;
}

void ViewMotion::back() {
  if (!can_go_back()) return;
  visit(target_);
  return_to(visited_[--at_]);
}
void ViewMotion::forward() {
  if (can_go_forward()) return_to(visited_[++at_]);
}
void ViewMotion::return_to(const View& view) {
  fly_to(view);
  if (flight_) return_pace_ = std::max(1.0, flight_->duration() / longest_return);
}

View ViewMotion::ahead(double seconds) const {
  if (flight_) return flight_->at(elapsed_ + pace() * seconds);
  return present_ == target_ ? present_ : glided(seconds);
}

void ViewMotion::wait_for_pictures(double octaves_behind, double seconds) {
  const double part = std::clamp((octaves_behind - sharp_octaves) / (coarse_octaves - sharp_octaves), 0.0, 1.0);
  const double wanted = std::lerp(1.0, slowest_pace, part);
  waiting_pace_ += (wanted - waiting_pace_) * (1 - std::exp(-seconds / pace_seconds));
}

void ViewMotion::advance(double seconds) {
  go_on_diving();
  if (!moving()) return rest(seconds);
  rested_ = 0;
  present_ = ahead(seconds);
  if (!flight_) return;
  elapsed_ += pace() * seconds;
  if (elapsed_ >= flight_->duration()) flight_.reset();
}

// The span follows exponentially and the centre linearly in the span: a point with the same place in both views keeps
// it all the way, unless the view also turns.
View ViewMotion::glided(double seconds) const {
  const Placement target = placement(present_, target_);
  const double share = 1 - std::exp(-seconds / glide_seconds);
  const double factor = std::pow(target.factor, share);
  const double part = target.factor == 1 ? share : (factor - 1) / (target.factor - 1);
  const double pixels_left = (1 - part) * std::hypot(target.x, target.y) / target.factor * size_.width +
                             (1 - share) * std::abs(std::log(target.factor)) * size_.width +
                             (1 - share) * distance(present_.turn, target_.turn) * size_.width;
  const bool there = !(pixels_left >= arrived_pixels);  // also where the target is beyond all numbers
  if (there) return target_;
  View between = placed(present_, {part * target.x, part * target.y, factor});
  between.turn = mixed(present_.turn, target_.turn, share);
  between.formula = target_.formula;
  return between;
}

void ViewMotion::rest(double seconds) {
  if (rested_ >= rest_seconds) return;
  rested_ += seconds;
  if (rested_ < rest_seconds) return;
  visit(present_);
}

void ViewMotion::visit(const View& view) {
  if (!visited_.empty() && visited_[at_] == view) return;
  if (!visited_.empty()) visited_.resize(at_ + 1);
  visited_.push_back(view);
  if (visited_.size() > most_visited) visited_.erase(visited_.begin());
  at_ = visited_.size() - 1;
}

}  // namespace orrery
