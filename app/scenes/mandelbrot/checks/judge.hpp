/// ν of single pixels, in enough bits that rounding does not matter: the reference values of a proof.
///
/// One thread at a time.
#pragma once

#include <memory>
#include <stop_token>

#include "scenes/mandelbrot/checks/proof.hpp"

namespace orrery::mandelbrot {

struct Verdict {
  enum class Kind { unknown, interior, escapes };
  Kind kind = Kind::unknown;  ///< unknown where the cost would exceed the limit
  double nu = 0;              ///< in units of 2^exponent
  double cost = 0;            ///< in plain iterations in common_bits, by time
};

/// Iterations in more bits cost in proportion to their bits.
inline constexpr double common_bits = 192;

/// Offset from a pixel's own sample, in pixels.
struct Beside {
  double right = 0, down = 0;
};

class Judge {
 public:
  virtual ~Judge() = default;
  /// The most bits that a pixel has needed so far.
  virtual int bits() const = 0;
  /// Unknown where it would cost more than `most_iterations`.
  virtual Verdict judge(const ProofPixel& pixel, Beside beside, double most_iterations,
                        const std::stop_token& stop) = 0;
};

std::unique_ptr<Judge> plain_judge_of(const Frame& frame);
/// Judges by plain iteration where no pixel of the picture takes more than `most_iterations`, else by the ladder.
std::unique_ptr<Judge> judge_of(const Frame& frame, int exponent, double most_iterations);

}  // namespace orrery::mandelbrot
