#include "scenes/mandelbrot/pictures/picture_pace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace orrery::mandelbrot {

void IterationRate::Sum::see(double now) {
  all += now < seen ? now : now - seen;
  seen = now;
}

void IterationRate::see(double of_picture, double of_samples, double seconds, bool working) {
  pictures_.see(of_picture);
  samples_.see(of_samples);
  const double before = std::exchange(seen_, seconds);
  if (working && before > 0) worked_ += seconds - before;
  if (seconds - from_ < 0.25) return;
  rate_ = (iterations() - before_) / (seconds - from_);
  before_ = iterations();
  from_ = seconds;
}

void PictureTime::end(double seconds) { typical_ = std::lerp(typical_, elapsed(seconds), 0.5); }

void PictureTime::give_up(double seconds) { typical_ = std::max(typical_, elapsed(seconds)); }

}  // namespace orrery::mandelbrot
