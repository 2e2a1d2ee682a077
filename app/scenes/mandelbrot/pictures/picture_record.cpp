#include "scenes/mandelbrot/pictures/picture_record.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "compute/device/refusal.hpp"

namespace orrery::mandelbrot {
namespace {

constexpr double tighter_epsilon = 0x1p-52;  // after a failed proof

}  // namespace

void PictureNumbers::choose(const MandelbrotSettings& settings, const View& view, Size size, bool fp64, bool moving) {
  // The search for parabolic points takes too long for every frame: up to 5 ms.
  const Asked asked{settings.precision, view, size, fp64, moving};
  if (asked_ == asked) return follow_tightened(view);
  asked_ = asked;
  const bool offered = settings.precision != "double" || fp64;
  chosen_ = choose_precision(offered ? settings.precision : "auto", view, size, fp64,
                             moving ? Purpose::motion : Purpose::picture);
  follow_tightened(view);
}

void PictureNumbers::follow_tightened(const View& view) {
  choice_ = chosen_;
  if (tightened_ && !(tightened_->view == view)) tightened_.reset();
  if (!tightened_ || !tightened_->precision) return;
  choice_.precision = *tightened_->precision;
  choice_.reason = "a check found errors in the picture in " + std::string(name_of(before_)) + " precision";
}

PictureNumbers::Remedy PictureNumbers::tighten(const MandelbrotSettings& settings, const Doubted& picture) {
  Tightened next = tightened_.value_or(Tightened{.view = picture.frame.view, .precision = {}});
  const bool ladder = is_ladder(picture.precision);
  const bool leaves_ladder = ladder && next.epsilon > 0;  // pairs of numbers were its last step
  const bool has_steps = picture.precision == Precision::perturbation || (ladder && !leaves_ladder);
  if (leaves_ladder) {
    if (settings.precision != "auto" || !perturbation_reaches(picture.frame.view, picture.frame.size))
      return Remedy::none;
    next = {.view = next.view, .precision = Precision::perturbation};
    before_ = picture.precision;
  } else if (has_steps) {
    // Below 0 every step is an iteration already.
    if (next.epsilon < 0 || (ladder && !picture.pairs_worth_it)) return Remedy::none;
    next.epsilon = next.epsilon == 0 ? tighter_epsilon : -1;
  } else if (settings.precision == "auto") {
    next.precision =
        picture.precision == Precision::single && picture.fp64 ? Precision::double_ : Precision::perturbation;
    before_ = picture.precision;
  } else {
    return Remedy::none;
  }
  tightened_ = next;
  return has_steps ? Remedy::finer_steps : Remedy::precision;
}

// ---- refusals

namespace {

constexpr std::size_t most_refusals = 3;  // by a device, …
constexpr double refusal_interval = 10;   // … within this many seconds

// A refused launch may succeed in new buffers.
bool is_of_launch(const Error& refusal) { return refusal.fault() != Fault::usage && !is_memory_refusal(refusal); }

}  // namespace

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

// ---- pace

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

void PictureTime::end(double seconds) {
  last_ = elapsed(seconds);
  typical_ = std::lerp(typical_, last_, 0.5);
}

void PictureTime::give_up(double seconds) { typical_ = std::max(typical_, elapsed(seconds)); }

}  // namespace orrery::mandelbrot
