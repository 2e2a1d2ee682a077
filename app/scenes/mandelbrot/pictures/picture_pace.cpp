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
  constexpr double between_marks = 0.1, lately = 2.5;  // seconds of work
  if (marks_.empty() || worked_ - marks_.back().worked >= between_marks) marks_.push_back({worked_, iterations()});
  while (marks_.size() > 1 && worked_ - marks_[1].worked >= lately) marks_.pop_front();
  if (seconds - from_ < 0.25) return;
  rate_ = (iterations() - before_) / (seconds - from_);
  before_ = iterations();
  from_ = seconds;
}

double IterationRate::lately() const {
  const double worked = marks_.empty() ? 0 : worked_ - marks_.front().worked;
  return worked > 0 ? (iterations() - marks_.front().iterations) / worked : 0;
}

void PictureTime::end(double seconds) { typical_ = std::lerp(typical_, elapsed(seconds), 0.5); }

void PictureTime::give_up(double seconds) { typical_ = std::max(typical_, elapsed(seconds)); }

}  // namespace orrery::mandelbrot
