#include "scenes/mandelbrot/pictures/picture_refusals.hpp"

#include "compute/device/refusal.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr std::size_t most_refusals = 3;  // by a device, …
constexpr double refusal_interval = 10;   // … in so many seconds

}  // namespace

bool is_of_launch(const Error& refusal) { return refusal.fault() != Fault::usage && !is_memory_refusal(refusal); }

void PictureRefusals::ask(const Frame& frame) {
  if (!(asked_ == frame)) last_.reset();
  asked_ = frame;
}

void PictureRefusals::note(const Error& refusal, double seconds) {
  std::erase_if(times_, [&](double when) { return seconds - when > refusal_interval; });
  times_.push_back(seconds);
  if (is_of_launch(refusal) && times_.size() >= most_refusals) throw refusal;
  last_ = refusal;
  if (!is_of_launch(refusal) || times_.size() > 1) refused_ = asked_;
}

void PictureRefusals::forget() {
  last_.reset();
  refused_.reset();
}

}  // namespace orrery::mandelbrot
