/// What the device has refused of pictures. Plain values: no device is touched here.
#pragma once

#include <optional>
#include <vector>

#include "base/error.hpp"
#include "scenes/mandelbrot/deep/kernel_arguments.hpp"

namespace orrery::mandelbrot {

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

/// True for the refusal of a launch: the same may succeed in new buffers.
bool is_of_launch(const Error& refusal);

}  // namespace orrery::mandelbrot
