/// The numbers that a picture is computed in: those that suit its view, and more exact ones where a proof has found
/// errors. Plain values: no device is touched here.
#pragma once

#include <optional>

#include "scenes/mandelbrot/deep/kernel_arguments.hpp"
#include "scenes/mandelbrot/model/precision.hpp"
#include "scenes/mandelbrot/model/settings.hpp"

namespace orrery::mandelbrot {

/// Chooses the numbers of the present view's picture.
class PictureNumbers {
 public:
  /// Another view begins without what proofs have asked for.
  void choose(const MandelbrotSettings& settings, const View& view, Size size, bool fp64);
  const PrecisionChoice& choice() const { return choice_; }
  /// The error bound for the steps of perturbed orbits (Renderer::set_epsilon).
  double epsilon() const { return tightened_ ? tightened_->epsilon : 0; }

  /// A picture in which a proof has found errors, and what the device offers.
  struct Doubted {
    const Frame& frame;
    Precision precision;         ///< in which it was computed
    bool fp64 = false;           ///< the device has doubles
    bool pairs_worth_it = true;  ///< a person can wait for pairs of numbers
  };
  enum class Remedy {
    none,         ///< there are no better numbers
    finer_steps,  ///< the same numbers, with the new epsilon()
    precision     ///< another precision, from the next choose() on
  };
  Remedy tighten(const MandelbrotSettings& settings, const Doubted& picture);
  /// True where proofs have asked for better numbers for the present view.
  bool tightened() const { return tightened_.has_value(); }

 private:
  /// The better numbers that a failed proof asks for, for one view.
  struct Tightened {
    View view;
    std::optional<Precision> precision;  // instead of the one chosen
    double epsilon = 0;
  };

  PrecisionChoice choice_;
  std::optional<Tightened> tightened_;
  Precision before_ = Precision::single;  // it was tightened
};

}  // namespace orrery::mandelbrot
