/// The iteration limit that follows the view: raised while raising it still finds escapes, without a cap of its own.
#pragma once

#include <cstdint>
#include <optional>

#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {

/// A plain value. Limits are powers of two times a constant, so that neighbouring views agree on theirs.
class AutomaticLimit {
 public:
  /// To begin a picture of this view with: what its predecessor needed, or more if the view is deep.
  std::uint32_t first(const View& view) const;
  /// After a complete picture: the limit to raise it to, or nothing when that promises nothing.
  std::optional<std::uint32_t> next(const Progress& progress);
  /// Whether so many pixels have escaped shortly before the limit that many more would do so beyond it.
  static bool too_low(const Progress& progress);
  /// Takes note of what a picture has needed that another one takes the place of, complete or not.
  void learn(const Progress& progress);

 private:
  std::uint32_t needed_ = 0;
};

}  // namespace orrery::mandelbrot
