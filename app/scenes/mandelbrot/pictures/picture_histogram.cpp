#include "scenes/mandelbrot/pictures/picture_histogram.hpp"

#include "base/work/abandon.hpp"

namespace orrery::mandelbrot {

void PictureHistogram::set_wanted(bool wanted) {
  wanted_ = wanted;
  if (!wanted) equalizer_.reset();
}

bool PictureHistogram::take_kernels() {
  auto built = building_.poll();
  if (!built) return false;
  equalizer_ = *built;
  return true;
}

void PictureHistogram::build_missing(ProgramLibrary& programs) {
  if (!equalizer_ && !building_.busy()) building_.start([&programs] { return std::make_shared<Equalizer>(programs); });
}

void PictureHistogram::collect() {
  if (!equalizer_) return;
  if (auto counted = equalizer_->collect()) equalization_ = *counted;
}

void PictureHistogram::reload() {
  building_.forget();
  equalizer_.reset();
}

void PictureHistogram::leave() {
  orrery::leave(building_);
  equalizer_.reset();
}

void PictureHistogram::abandon() {
  orrery::abandon(building_);
  orrery::abandon(equalizer_);
  leave();
}

}  // namespace orrery::mandelbrot
