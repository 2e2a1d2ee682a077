#include "scenes/mandelbrot/pictures/picture_numbers.hpp"

#include <string>

namespace orrery::mandelbrot {
namespace {

constexpr double tighter_epsilon = 0x1p-52;  // after a failed proof

}  // namespace

void PictureNumbers::choose(const MandelbrotSettings& settings, const View& view, Size size, bool fp64) {
  const bool offered = settings.precision != "double" || fp64;
  choice_ = choose_precision(offered ? settings.precision : "auto", view, size, fp64, Purpose::picture);
  if (tightened_ && !(tightened_->view == view)) tightened_.reset();
  if (!tightened_ || !tightened_->precision) return;
  choice_.precision = *tightened_->precision;
  choice_.reason = "a check found errors in the picture in " + std::string(name_of(before_)) + " precision";
}

PictureNumbers::Remedy PictureNumbers::tighten(const MandelbrotSettings& settings, const Doubted& picture) {
  Tightened next = tightened_.value_or(Tightened{.view = picture.frame.view, .precision = {}});
  const bool ladder = is_ladder(picture.precision);
  const bool leaves_ladder = ladder && next.epsilon > 0;  // it has had pairs of numbers, and has no more
  const bool has_steps = picture.precision == Precision::perturbation || (ladder && !leaves_ladder);
  if (leaves_ladder) {
    if (settings.precision != "auto" || !perturbation_reaches(picture.frame.view, picture.frame.size))
      return Remedy::none;
    next = {.view = next.view, .precision = Precision::perturbation};
    before_ = picture.precision;
  } else if (has_steps) {
    // After that every step is an iteration.
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

}  // namespace orrery::mandelbrot
