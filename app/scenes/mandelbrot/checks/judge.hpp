/// ν of single pixels in so many bits that rounding does not matter: what a proof compares a picture with.
///
/// One thread at a time.
#pragma once

#include <memory>
#include <stop_token>

#include "scenes/mandelbrot/checks/proof.hpp"

namespace orrery::mandelbrot {

struct Verdict {
  enum class Kind { unknown, interior, escapes };
  Kind kind = Kind::unknown;  ///< unknown where the cost would exceed what is allowed
  double nu = 0;              ///< in units of 2^exponent
  double cost = 0;            ///< plain iterations in common_bits, or as many as take its time
};

/// An iteration in more bits than these costs as much more.
inline constexpr double common_bits = 192;

/// From a pixel's own sample, in pixels.
struct Beside {
  double right = 0, down = 0;
};

class Judge {
 public:
  virtual ~Judge() = default;
  /// The most that a pixel has needed.
  virtual int bits() const = 0;
  /// Unknown where it would cost more.
  virtual Verdict judge(const ProofPixel& pixel, Beside beside, double most_iterations,
                        const std::stop_token& stop) = 0;
};

std::unique_ptr<Judge> plain_judge_of(const Frame& frame);
/// Plain iteration where a pixel of the picture takes no more iterations than that, else the ladder.
std::unique_ptr<Judge> judge_of(const Frame& frame, int exponent, double most_iterations);

}  // namespace orrery::mandelbrot
