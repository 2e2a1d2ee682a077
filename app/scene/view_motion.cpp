#include "scene/view_motion.hpp"

#include <algorithm>
#include <cmath>

namespace orrery {
namespace {

using mandelbrot::Complex;
using mandelbrot::Decimal;
using mandelbrot::View;

constexpr double glide_seconds = 0.09;  // in which the rest of the way falls to 1/e
constexpr double arrived_pixels = 0.05;
constexpr double rest_seconds = 0.35;
constexpr double widest_span = 1e3;
constexpr std::size_t most_visited = 500;
constexpr double rho = 1.3;  // of van Wijk and Nuij: how eagerly a flight zooms out
constexpr double flight_speed = 3.2;

double eased(double part) { return part * part * (3 - 2 * part); }

}  // namespace

void ViewMotion::set_bounds(mandelbrot::Size size, double smallest_span) {
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
  const double span = view.span.value();
  if (span < smallest_span_) return {view.re, view.im, Decimal(smallest_span_)};
  if (span > widest_span) return {view.re, view.im, Decimal(widest_span)};
  return view;
}

void ViewMotion::zoom(double x, double y, double factor) {
  flight_.reset();
  const double span = target_.span.value();
  const double wanted = std::clamp(span * factor, std::min(smallest_span_, span), std::max(widest_span, span));
  // The point that is seen there now, so that it stays there all the way.
  const View aim = mandelbrot::zoomed(present_, size_, x, y, wanted / present_.span.value());
  target_ = wanted == span ? target_ : aim;
}

void ViewMotion::pan(double dx, double dy) {
  flight_.reset();
  present_ = target_ = mandelbrot::panned(present_, size_, dx, dy);
  rested_ = 0;
}

void ViewMotion::center_on(double x, double y) {
  flight_.reset();
  const Complex c = mandelbrot::point_at(present_, size_, x, y);
  target_ = {Decimal(c.re), Decimal(c.im), target_.span};
}

void ViewMotion::zoom_to_box(double x0, double y0, double x1, double y1) {
  const double factor = std::max(std::abs(x1 - x0) / size_.width, std::abs(y1 - y0) / size_.height);
  if (!(factor > 0)) return;
  flight_.reset();
  const Complex c = mandelbrot::point_at(present_, size_, 0.5 * (x0 + x1), 0.5 * (y0 + y1));
  target_ = bounded({Decimal(c.re), Decimal(c.im), Decimal(present_.span.value() * factor)});
}

void ViewMotion::fly_to(const View& view) {
  target_ = bounded(view);
  if (target_ == present_) return;
  flight_ = Flight(present_, target_);
}

void ViewMotion::jump_to(const View& view) {
  flight_.reset();
  present_ = target_ = bounded(view);
  rested_ = 0;
}

void ViewMotion::back() {
  if (can_go_back()) fly_to(visited_[--at_]);
}
void ViewMotion::forward() {
  if (can_go_forward()) fly_to(visited_[++at_]);
}

View ViewMotion::ahead(double seconds) const {
  if (!flight_) return present_ == target_ ? present_ : glided(seconds);
  const double part = (flight_->elapsed + seconds) / flight_->duration;
  return part >= 1 ? target_ : flight_->at(eased(part));
}

void ViewMotion::advance(double seconds) {
  if (!moving()) return rest(seconds);
  rested_ = 0;
  present_ = ahead(seconds);
  if (!flight_) return;
  flight_->elapsed += seconds;
  if (flight_->elapsed >= flight_->duration) flight_.reset();
}

// The span follows exponentially and the centre linearly in the span: a point that has the same place in both views
// keeps it all the way.
View ViewMotion::glided(double seconds) const {
  const double here = present_.span.value(), there = target_.span.value();
  const double share = 1 - std::exp(-seconds / glide_seconds);
  const double span = here * std::pow(there / here, share);
  const double part = here == there ? share : (span - here) / (there - here);
  const double re = std::lerp(present_.re.value(), target_.re.value(), part);
  const double im = std::lerp(present_.im.value(), target_.im.value(), part);
  const double unit = there / size_.width;
  const double far = std::hypot(re - target_.re.value(), im - target_.im.value()) / unit +
                     std::abs(std::log(span / there)) * size_.width;
  return far < arrived_pixels ? target_ : View{Decimal(re), Decimal(im), Decimal(span)};
}

void ViewMotion::rest(double seconds) {
  if (rested_ >= rest_seconds) return;
  rested_ += seconds;
  if (rested_ < rest_seconds) return;
  if (!visited_.empty() && visited_[at_] == present_) return;
  if (!visited_.empty()) visited_.resize(at_ + 1);
  visited_.push_back(present_);
  if (visited_.size() > most_visited) visited_.erase(visited_.begin());
  at_ = visited_.size() - 1;
}

ViewMotion::Flight::Flight(const View& a, const View& b) : from(a), to(b) {
  const double w0 = from.span.value(), w1 = to.span.value();
  distance = std::hypot(to.re.value() - from.re.value(), to.im.value() - from.im.value());
  constexpr double rho2 = rho * rho;
  if (distance < 1e-6 * std::max(w0, w1)) {
    length = std::abs(std::log(w1 / w0)) / rho;
    distance = 0;
  } else {
    const double b0 = (w1 * w1 - w0 * w0 + rho2 * rho2 * distance * distance) / (2 * w0 * rho2 * distance);
    const double b1 = (w1 * w1 - w0 * w0 - rho2 * rho2 * distance * distance) / (2 * w1 * rho2 * distance);
    begin = -std::asinh(b0);
    length = (-std::asinh(b1) - begin) / rho;
  }
  duration = std::clamp(length / flight_speed, 0.3, 8.0);
}

View ViewMotion::Flight::at(double part) const {
  const double s = part * length;
  const double w0 = from.span.value(), w1 = to.span.value();
  if (distance == 0) {
    const double span = w0 * std::pow(w1 / w0, part);
    const double share = w0 == w1 ? part : (span - w0) / (w1 - w0);
    return {Decimal(std::lerp(from.re.value(), to.re.value(), share)),
            Decimal(std::lerp(from.im.value(), to.im.value(), share)), Decimal(span)};
  }
  const double way = w0 / (rho * rho) * (std::cosh(begin) * std::tanh(rho * s + begin) - std::sinh(begin));
  const double share = std::clamp(way / distance, 0.0, 1.0);
  return {Decimal(std::lerp(from.re.value(), to.re.value(), share)),
          Decimal(std::lerp(from.im.value(), to.im.value(), share)),
          Decimal(w0 * std::cosh(begin) / std::cosh(rho * s + begin))};
}

}  // namespace orrery
