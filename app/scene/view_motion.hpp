/// How the Mandelbrot scene's view moves: gliding after the wheel, following the hand, flying to places, and the
/// visited views. Knows no pixels but its size's, no device and no clock but the seconds it is given.
#pragma once

#include <optional>
#include <vector>

#include "model/mandelbrot/view.hpp"

namespace orrery {

class ViewMotion {
 public:
  explicit ViewMotion(const mandelbrot::View& first) : first_(first), present_(first), target_(first) {}

  const mandelbrot::View& present() const { return present_; }
  const mandelbrot::View& first() const { return first_; }
  bool moving() const { return flight_ || !(present_ == target_); }

  /// The size of the picture, and the span below which zooming in does nothing.
  void set_bounds(mandelbrot::Size size, double smallest_span);
  /// Another first view; the present one too, as long as it has not been left.
  void set_first(const mandelbrot::View& view);

  /// Glides to a view `factor` as wide that keeps the point at (x, y), in pixels.
  void zoom(double x, double y, double factor);
  /// Moves the picture with the hand, at once.
  void pan(double dx, double dy);
  /// Glides until the point at (x, y) is in the middle.
  void center_on(double x, double y);
  /// Glides until the rectangle with these corners fills the picture.
  void zoom_to_box(double x0, double y0, double x1, double y1);
  /// Flies there, out and in again where it is far.
  void fly_to(const mandelbrot::View& view);
  /// Is there at once.
  void jump_to(const mandelbrot::View& view);

  bool can_go_back() const { return at_ > 0; }
  bool can_go_forward() const { return at_ + 1 < visited_.size(); }
  void back();
  void forward();

  /// Where the view will be in `seconds`.
  mandelbrot::View ahead(double seconds) const;
  /// Moves on by `seconds`. A view that has rested for a moment counts as visited.
  void advance(double seconds);

 private:
  /// The path of J. J. van Wijk and W. A. A. Nuij, "Smooth and efficient zooming and panning" (2003).
  struct Flight {
    Flight(const mandelbrot::View& from, const mandelbrot::View& to);
    mandelbrot::View at(double part) const;

    mandelbrot::View from, to;
    double distance = 0, begin = 0, length = 0;  // between the centres; r₀ and S of the paper
    double duration = 0, elapsed = 0;
  };

  mandelbrot::View glided(double seconds) const;
  void rest(double seconds);
  mandelbrot::View bounded(const mandelbrot::View& view) const;

  mandelbrot::View first_, present_, target_;
  mandelbrot::Size size_{1280, 720};
  double smallest_span_ = 1e-13;
  std::optional<Flight> flight_;
  std::vector<mandelbrot::View> visited_;
  std::size_t at_ = 0;
  double rested_ = 0;
};

}  // namespace orrery
