/// The picture engine's notes on its pictures: their numbers, the device's refusals, and their durations. Plain values:
/// no device is used here.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "scenes/mandelbrot/deep/kernel_arguments.hpp"
#include "scenes/mandelbrot/model/precision.hpp"
#include "scenes/mandelbrot/model/settings.hpp"

namespace orrery::mandelbrot {

/// Chooses the numbers of the present view's picture: suitable for the view, and more exact after a failed proof.
class PictureNumbers {
 public:
  /// Another view begins without the demands of earlier proofs.
  void choose(const MandelbrotSettings& settings, const View& view, Size size, bool fp64, bool moving);
  const PrecisionChoice& choice() const { return choice_; }
  /// The error bound for the steps of perturbed orbits (Renderer::set_epsilon).
  double epsilon() const { return tightened_ ? tightened_->epsilon : 0; }

  /// A picture with errors found by a proof, and the abilities of the device.
  struct Doubted {
    const Frame& frame;
    Precision precision;         ///< of the picture
    bool fp64 = false;           ///< the device has doubles
    bool pairs_worth_it = true;  ///< the user can wait for pairs of numbers
  };
  enum class Remedy {
    none,         ///< there are no better numbers
    finer_steps,  ///< the same numbers, with the new epsilon()
    precision     ///< another precision, from the next choose() on
  };
  Remedy tighten(const MandelbrotSettings& settings, const Doubted& picture);
  /// True where proofs have required better numbers for the present view.
  bool tightened() const { return tightened_.has_value(); }

 private:
  /// The better numbers required by a failed proof, for one view.
  struct Tightened {
    View view;
    std::optional<Precision> precision;  // instead of the one chosen
    double epsilon = 0;
  };

  struct Asked {
    std::string precision;
    View view;
    Size size;
    bool fp64 = false, moving = false;
    bool operator==(const Asked&) const = default;
  };
  void follow_tightened(const View& view);

  std::optional<Asked> asked_;  // chosen_ is for it
  PrecisionChoice chosen_, choice_;
  std::optional<Tightened> tightened_;
  Precision before_ = Precision::single;  // precision before tightening
};

/// Remembers the refused picture, so that it is not requested again.
class PictureRefusals {
 public:
  /// A picture is requested.
  void ask(const Frame& frame);
  /// The device has refused a command of the picture requested last. A refused launch is worth a retry; a lack of
  /// memory, or a faulty request, is not. Throws the refusal if it is the third within ten seconds and from a launch:
  /// the device has failed.
  void note(const Error& refusal, double seconds);
  /// Settings have changed: everything may be requested again.
  void forget();

  /// True for a picture that must not be requested again.
  bool excludes(const Frame& frame) const { return refused_ == frame; }
  /// The refusal of the picture requested last.
  const std::optional<Error>& last() const { return last_; }

 private:
  std::optional<Frame> asked_, refused_;
  std::optional<Error> last_;
  std::vector<double> times_;  // of recent refusals, in seconds
};

/// Measures iterations a second: four times a second, and over all the time with work.
class IterationRate {
 public:
  /// Once a frame: the iterations of the present renderers so far. A count below the previous one comes from a new
  /// renderer. `working`: there has been work since the previous frame.
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
  /// The picture has been displaced before completion: it takes at least that long.
  void give_up(double seconds);

  double typical() const { return typical_; }
  /// The duration of the picture that was completed last.
  double last() const { return last_; }
  double began() const { return began_; }
  /// Seconds since the last picture was begun.
  double elapsed(double seconds) const { return seconds - began_; }

 private:
  double began_ = 0, typical_ = 0.1, last_ = 0;
};

}  // namespace orrery::mandelbrot
