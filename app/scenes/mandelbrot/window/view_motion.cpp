#include "scenes/mandelbrot/window/view_motion.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

using mandelbrot::Decimal;
using mandelbrot::Placement;
using mandelbrot::Turn;
using mandelbrot::View;

constexpr double glide_seconds = 0.09;  // in which the rest of the way falls to 1/e
constexpr double arrived_pixels = 0.05;
constexpr double rest_seconds = 0.35;
constexpr double sharp_octaves = 2,
                 coarse_octaves = 4;  // a picture that far behind begins to slow a flight, and does most
constexpr double slowest_pace = 0.25;
constexpr double pace_seconds = 0.3;  // in which the way to another pace falls to 1/e
constexpr double longest_return = 2;  // seconds of a flight to a view that has been visited
constexpr std::size_t most_visited = 500;

const Decimal& widest_span() {
  static const Decimal span(1e3);
  return span;
}

}  // namespace

std::optional<double> ViewMotion::flight_seconds_left() const {
  if (!flight_) return std::nullopt;
  return (flight_->duration() - elapsed_) / pace();
}

void ViewMotion::set_bounds(mandelbrot::Size size, const Decimal& smallest_span) {
  size_ = size;
  smallest_span_ = smallest_span;
}

void ViewMotion::set_first(const View& view) {
  const bool left = !(present_ == first_) || moving();
  first_ = view;
  if (!left) jump_to(view);
}

// Bounded by widening around the centre: the view stays where it is.
View ViewMotion::bounded(const View& view) const {
  View result = view;
  if (view.span < smallest_span_) result.span = smallest_span_;
  if (widest_span() < view.span) result.span = widest_span();
  return result;
}

void ViewMotion::zoom(double x, double y, double factor) {
  const Turn turn = flight_ ? present_.turn : target_.turn;
  flight_.reset();
  const double reached = ratio(target_.span, present_.span);
  const double smallest = ratio(smallest_span_, present_.span), widest = ratio(widest_span(), present_.span);
  const double wanted = std::clamp(reached * factor, std::min(smallest, reached), std::max(widest, reached));
  // The point that is seen there now, so that it stays there all the way.
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

// Where nothing but the turn changes, there is no way to fly.
void ViewMotion::fly_to(const View& view) {
  target_ = bounded(view);
  flight_.reset();
  elapsed_ = 0;
  waiting_pace_ = 1;
  return_pace_.reset();
  View turned = present_;
  turned.turn = target_.turn;
  if (!(target_ == turned)) flight_.emplace(present_, target_, octaves_per_second_);
}

void ViewMotion::jump_to(const View& view) {
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
  if (!moving()) return rest(seconds);
  rested_ = 0;
  present_ = ahead(seconds);
  if (!flight_) return;
  elapsed_ += pace() * seconds;
  if (elapsed_ >= flight_->duration()) flight_.reset();
}

// The span follows exponentially and the centre linearly in the span: a point that has the same place in both views
// keeps it all the way, where the view does not turn too.
View ViewMotion::glided(double seconds) const {
  const Placement target = placement(present_, target_);
  const double share = 1 - std::exp(-seconds / glide_seconds);
  const double factor = std::pow(target.factor, share);
  const double part = target.factor == 1 ? share : (factor - 1) / (target.factor - 1);
  const double pixels_left = (1 - part) * std::hypot(target.x, target.y) / target.factor * size_.width +
                             (1 - share) * std::abs(std::log(target.factor)) * size_.width +
                             (1 - share) * distance(present_.turn, target_.turn) * size_.width;
  const bool there = !(pixels_left >= arrived_pixels);  // as well where the target is beyond all numbers
  if (there) return target_;
  View between = placed(present_, {part * target.x, part * target.y, factor});
  between.turn = mixed(present_.turn, target_.turn, share);
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
