/// How fast pictures are computed: iterations a second, and seconds a picture. Plain values.
#pragma once

#include <deque>

namespace orrery::mandelbrot {

/// Measures iterations a second, four times a second, and over all the time in which something was to be computed.
class IterationRate {
 public:
  /// Once a frame: the iterations that the present renderers have done so far. Where a count is below the one before,
  /// another renderer has taken over. `working`: there is something to compute since the frame before.
  void see(double of_picture, double of_samples, double seconds, bool working = true);
  double per_second() const { return rate_; }
  double iterations() const { return pictures_.all + samples_.all; }
  double working_seconds() const { return worked_; }
  /// Per second of work, over the last seconds of it.
  double lately() const;

 private:
  /// The sum over one renderer and those that replace it.
  struct Sum {
    double all = 0, seen = 0;
    void see(double now);
  };
  struct Mark {
    double worked = 0, iterations = 0;
  };
  Sum pictures_, samples_;
  std::deque<Mark> marks_;  // of the last seconds of work, the oldest first
  double rate_ = 0, from_ = 0, before_ = 0;
  double worked_ = 0, seen_ = 0;  // seconds in all, and the time of the last frame
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
