/// How the Mandelbrot scene's view moves: gliding after the wheel and the keys, following the hand, flying to places,
/// and the visited views. Knows no pixels but its size's, no device and no clock but the seconds it is given.
#pragma once

#include <optional>
#include <vector>

#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery {

/// The path from one view to another, out and in again where it is far: J. J. van Wijk and W. A. A. Nuij, "Smooth and
/// efficient zooming and panning" (2003), in logarithms, so that it leads to any depth.
class Flight {
 public:
  /// All of it is in the plane of `to`. `octaves_per_second`: how fast a flight straight in zooms.
  Flight(const mandelbrot::View& from, const mandelbrot::View& to, double octaves_per_second);

  /// Seconds; the speed is constant but for the first and the last moment.
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
  bool apart_;                                // the centres are not the same
  double direction_x_ = 0, direction_y_ = 0;  // from the one centre to the other
  double begin_ = 0, end_ = 0, length_ = 0;   // r₀, r₁ and S of the paper
  double speed_, ramp_, duration_;            // of S a second; seconds
};

/// The present view, where it is going, and the views that were visited.
class ViewMotion {
 public:
  explicit ViewMotion(const mandelbrot::View& first) : first_(first), present_(first), target_(first) {}

  const mandelbrot::View& present() const { return present_; }
  /// Where it will come to rest.
  const mandelbrot::View& target() const { return target_; }
  const mandelbrot::View& first() const { return first_; }
  bool moving() const { return flight_ || !(present_ == target_); }
  /// On the way to a place: how long yet; nothing when not flying.
  std::optional<double> flight_seconds_left() const;

  /// The picture has this size from now on.
  void set_size(mandelbrot::Size size) { size_ = size; }
  /// Of flights straight in.
  void set_speed(double octaves_per_second) { octaves_per_second_ = octaves_per_second; }
  /// Another first view; the present one too, as long as it has not been left.
  void set_first(const mandelbrot::View& view);

  /// Glides to a view `factor` as wide that keeps the point at (x, y), in pixels.
  void zoom(double x, double y, double factor);
  /// Moves the picture with the hand, at once.
  void pan(double dx, double dy);
  /// Glides by so many pixels of the picture to come.
  void glide(double dx, double dy);
  /// Turns around the middle with the hand, at once.
  void turn(const mandelbrot::Turn& turn);
  /// Glides to that turn.
  void turn_to(const mandelbrot::Turn& turn);
  /// Glides until the point at (x, y) is in the middle.
  void center_on(double x, double y);
  /// Glides until the rectangle with these corners fills the picture.
  void zoom_to_box(double x0, double y0, double x1, double y1);
  /// Flies there, out and in again where it is far.
  void fly_to(const mandelbrot::View& view);
  /// Flies down to that view slowly, out again, and so on until it is moved in another way.
  void dive(const mandelbrot::View& bottom);
  bool dives() const { return dive_.has_value(); }
  /// The same place in another plane, or all of it where the present view is the first one; at once.
  void change(mandelbrot::Formula formula);
  /// Is there at once.
  void jump_to(const mandelbrot::View& view);
  /// Stays where it is.
  void stop();

  bool can_go_back() const { return at_ > 0 || (!visited_.empty() && !(visited_[at_] == target_)); }
  bool can_go_forward() const { return at_ + 1 < visited_.size(); }
  /// Flies there, in two seconds at the most.
  void back();
  void forward();

  /// Where the view will be in `seconds`.
  mandelbrot::View ahead(double seconds) const;
  /// Each frame while pictures are shown: the newest one is so many factors of two too coarse. A flight goes up to four
  /// times more slowly then, so that there is something to see on its way; back and forward do not wait.
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
  double elapsed_ = 0, waiting_pace_ = 1;  // of the flight: seconds of its own time, and those in a second
  std::optional<mandelbrot::View> dive_;   // its bottom
  std::optional<double> return_pace_;      // those of a flight to a view that has been visited
  std::vector<mandelbrot::View> visited_;
  std::size_t at_ = 0;
  double rested_ = 0;
};

}  // namespace orrery
