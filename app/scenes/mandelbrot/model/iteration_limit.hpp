/// The iteration limit that follows the view: raised as long as that finds escapes, without a cap.
#pragma once

#include <cstdint>
#include <optional>

#include "scenes/mandelbrot/model/renderer.hpp"

namespace orrery::mandelbrot {

/// A plain value. Limits are powers of two times a constant, so that neighbouring views agree on theirs.
class AutomaticLimit {
 public:
  /// The first limit for a picture of this view: the limit that its predecessor needed, or more if the view is deep.
  std::uint32_t first(const View& view) const;
  /// After a complete picture: the next limit, or nothing when raising it is not worthwhile.
  std::optional<std::uint32_t> next(const Progress& progress);
  /// Whether enough pixels have escaped shortly before the limit that many more would do so beyond it.
  static bool too_low(const Progress& progress);
  /// Notes the limit that a picture needed when another picture replaces it, complete or not.
  void learn(const Progress& progress);

 private:
  std::uint32_t needed_ = 0;
};

}  // namespace orrery::mandelbrot
