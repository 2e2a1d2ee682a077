/// How fast pictures are computed: iterations a second, and seconds a picture. Plain values.
#pragma once

namespace orrery::mandelbrot {

/// Measures iterations a second, four times a second.
class IterationRate {
 public:
  /// Once a frame: the iterations that the present renderers have done so far. Where a count is below the one before,
  /// another renderer has taken over.
  void see(double of_picture, double of_samples, double seconds);
  double per_second() const { return rate_; }

 private:
  /// The sum over one renderer and those that replace it.
  struct Sum {
    double all = 0, seen = 0;
    void see(double now);
  };
  Sum pictures_, samples_;
  double rate_ = 0, from_ = 0, before_ = 0;
};

/// Measures how long pictures take lately, in seconds.
class PictureTime {
 public:
  void begin(double seconds) { began_ = seconds; }
  /// The picture is complete.
  void end(double seconds);
  /// The picture has been displaced before it was complete: it takes that long at least.
  void give_up(double seconds);

  double typical() const { return typical_; }
  double began() const { return began_; }
  /// Seconds since the last picture was begun.
  double elapsed(double seconds) const { return seconds - began_; }

 private:
  double began_ = 0, typical_ = 0.1;
};

}  // namespace orrery::mandelbrot
