#include "scenes/mandelbrot/pictures/published_pictures.hpp"

#include <stdexcept>

namespace orrery::mandelbrot {
namespace {

constexpr double publish_interval = 0.03;  // seconds

}  // namespace

// The picture that is neither base nor latest; both stay the same while it is written.
int PublishedPictures::spare() const {
  int spare = 0;
  while (spare == base_ || spare == latest_) ++spare;
  return spare;
}

void PublishedPictures::enter(PublicationEvent event) {
  const auto next = after(publication_, event);
  if (!next) throw std::logic_error("PublishedPictures: illegal change of phase");
  publication_ = *next;
}

bool PublishedPictures::just_published(std::uint64_t render, double seconds) const {
  return render == render_ && seconds - written_ < publish_interval;
}

PublishedPicture* PublishedPictures::vacant() {
  PublishedPicture* picture = at(spare());
  return picture->surface && !picture->surface->idle() ? nullptr : picture;
}

void PublishedPictures::begin_writing(std::uint64_t render, double seconds) {
  enter(PublicationEvent::write);
  at(spare())->render = render;
  render_ = render;
  written_ = seconds;
}

void PublishedPictures::take_arrival() {
  if (publication_ != Publication::writing && publication_ != Publication::overtaken) return;
  const int arrived = spare();
  if (!at(arrived)->surface->arrived()) return;
  enter(PublicationEvent::arrive);
  if (at(arrived)->stride == 1) {
    base_ = arrived;
    latest_ = none;
    return;
  }
  if (latest_ != none && at(latest_)->render != at(arrived)->render) {
    if (base_ == none || at(latest_)->log2_resolution() < at(base_)->log2_resolution()) base_ = latest_;
  }
  latest_ = arrived;
}

}  // namespace orrery::mandelbrot
