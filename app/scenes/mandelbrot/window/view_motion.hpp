/// The motion of the Mandelbrot scene's view: gliding after the wheel and the keys, following the mouse, flying to
/// places, and the visited views. Uses only the picture's size and the seconds passed to it.
#pragma once

#include <optional>
#include <vector>

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

/// The path from one view to another, zooming out and in again if it is far: J. J. van Wijk and W. A. A. Nuij, "Smooth
/// and efficient zooming and panning" (2003), in logarithms, so that it leads to any depth.
class Flight {
 public:
  /// All of it is in the plane of `to`. `octaves_per_second`: zoom speed of a flight straight in.
  Flight(const mandelbrot::View& from, const mandelbrot::View& to, double octaves_per_second);

  /// Seconds; the speed is constant except near both ends.
  double duration() const { return duration_; }
  /// The widest view on the way; nothing where that is one of its ends.
  std::optional<mandelbrot::View> top() const;
  /// The view after that time; exactly `from` before the beginning and `to` after the end.
  mandelbrot::View at(double seconds) const;

 private:
  double way_after(double seconds) const;
  mandelbrot::View on_way(double way) const;
  double log_span(double r) const;

  mandelbrot::View from_, to_;
  double log_from_, log_to_;                  // of the spans
  bool apart_;                                // the centres differ
  double direction_x_ = 0, direction_y_ = 0;  // from the first centre to the second
  double begin_ = 0, end_ = 0, length_ = 0;   // r₀, r₁ and S of the paper
  double speed_, ramp_, duration_;            // in S a second; seconds
};

/// The present view, its target, and the visited views.
class ViewMotion {
 public:
  explicit ViewMotion(const mandelbrot::View& first) : first_(first), present_(first), target_(first) {}

  const mandelbrot::View& present() const { return present_; }
  /// The view at which it will come to rest.
  const mandelbrot::View& target() const { return target_; }
  const mandelbrot::View& first() const { return first_; }
  bool moving() const { return flight_ || !(present_ == target_); }
  /// Seconds left of the flight to a place; nothing when not flying.
  std::optional<double> flight_seconds_left() const;

  /// Sets the size of the picture.
  void set_size(mandelbrot::Size size) { size_ = size; }
  /// Sets the speed of flights straight in.
  void set_speed(double octaves_per_second) { octaves_per_second_ = octaves_per_second; }
  /// Sets another first view; the present one too, as long as it is the first.
  void set_first(const mandelbrot::View& view);

  /// Glides to a view `factor` as wide that keeps the point at (x, y), in pixels.
  void zoom(double x, double y, double factor);
  /// Moves the picture at once, with the mouse.
  void pan(double dx, double dy);
  /// Glides by that many pixels of the target's picture.
  void glide(double dx, double dy);
  /// Turns around the middle at once, with the mouse.
  void turn(const mandelbrot::Turn& turn);
  /// Glides to that turn.
  void turn_to(const mandelbrot::Turn& turn);
  /// Glides until the point at (x, y) is in the middle.
  void center_on(double x, double y);
  /// Glides until the rectangle with these corners fills the picture.
  void zoom_to_box(double x0, double y0, double x1, double y1);
  /// Flies there, zooming out and in again if it is far.
  void fly_to(const mandelbrot::View& view);
  /// Flies down to that view slowly, out again, and so on until another motion begins.
  void dive(const mandelbrot::View& bottom);
  bool dives() const { return dive_.has_value(); }
  /// Shows the same place in another plane, or all of it where the present view is the first one; at once.
  void change(mandelbrot::Formula formula);
  /// Shows that view at once.
  void jump_to(const mandelbrot::View& view);
  /// Stops all motion.
  void stop();

  bool can_go_back() const { return at_ > 0 || (!visited_.empty() && !(visited_[at_] == target_)); }
  bool can_go_forward() const { return at_ + 1 < visited_.size(); }
  /// Flies to the previous view, in at most two seconds.
  void back();
  void forward();

  /// The view in `seconds`.
  mandelbrot::View ahead(double seconds) const;
  /// Each frame while pictures are shown: the newest one is too coarse by that many factors of two. A flight then slows
  /// down up to four times, so that its way is visible; back and forward do not wait.
  void wait_for_pictures(double octaves_behind, double seconds);
  /// Moves on by `seconds`. A view that has rested for a moment counts as visited.
  void advance(double seconds);

 private:
  double pace() const { return return_pace_.value_or(waiting_pace_); }
  void return_to(const mandelbrot::View& view);
  void start_flight(const mandelbrot::View& view, double octaves_per_second);
  void go_on_diving();
  mandelbrot::View glided(double seconds) const;
  void rest(double seconds);
  void visit(const mandelbrot::View& view);
  mandelbrot::View bounded(const mandelbrot::View& view) const;

  mandelbrot::View first_, present_, target_;
  mandelbrot::Size size_{1280, 720};
  double octaves_per_second_ = 6;
  std::optional<Flight> flight_;
  double elapsed_ = 0, waiting_pace_ = 1;  // of the flight: seconds of its own time, and those per second
  std::optional<mandelbrot::View> dive_;   // its bottom
  std::optional<double> return_pace_;      // pace of a flight to a visited view
  std::vector<mandelbrot::View> visited_;
  std::size_t at_ = 0;
  double rested_ = 0;
};

}  // namespace orrery
