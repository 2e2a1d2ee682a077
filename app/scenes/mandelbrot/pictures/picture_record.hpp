/// The notes that the picture engine keeps of its pictures: the numbers that they are computed in, what the device has
/// refused, and how long they take. Plain values: no device is touched here.
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

/// Chooses the numbers of the present view's picture: those that suit the view, and more exact ones where a proof has
/// found errors.
class PictureNumbers {
 public:
  /// Another view begins without what proofs have asked for.
  void choose(const MandelbrotSettings& settings, const View& view, Size size, bool fp64, bool moving);
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
  Precision before_ = Precision::single;  // it was tightened
};

/// Remembers which picture the device has refused, so that it is not asked for again.
class PictureRefusals {
 public:
  /// A picture is asked for.
  void ask(const Frame& frame);
  /// The device has refused a command of the picture asked for last. A launch is worth another try; what lacks memory,
  /// or is asked for wrongly, is not. Throws the refusal where there have been three within ten seconds and this one is
  /// of a launch: the device has failed.
  void note(const Error& refusal, double seconds);
  /// Other settings: everything may be asked for again.
  void forget();

  /// True for a picture that is not to be asked for again.
  bool excludes(const Frame& frame) const { return refused_ == frame; }
  /// The refusal of the picture that was asked for last.
  const std::optional<Error>& last() const { return last_; }

 private:
  std::optional<Frame> asked_, refused_;
  std::optional<Error> last_;
  std::vector<double> times_;  // of the refusals of late, in seconds
};

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
  /// The picture that was completed last took so long.
  double last() const { return last_; }
  double began() const { return began_; }
  /// Seconds since the last picture was begun.
  double elapsed(double seconds) const { return seconds - began_; }

 private:
  double began_ = 0, typical_ = 0.1, last_ = 0;
};

}  // namespace orrery::mandelbrot
