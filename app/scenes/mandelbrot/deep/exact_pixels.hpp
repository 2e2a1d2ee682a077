/// Pixels whose c is known to be in the set, although any rounding of it may escape.
#pragma once

#include <cstdint>
#include <vector>

#include "scenes/mandelbrot/deep/kernel_arguments.hpp"

namespace orrery::mandelbrot {

/// The pixels of the frame's rows, by their index there, whose c is exactly −2 or ±i, or, where the picture is not
/// turned, on the real axis in [−2, 1/4]. Any thread.
///
/// −2 and ±i are the only c with rational parts whose orbit ends on a cycle that repels it: zₙ is a monic polynomial of
/// c with whole coefficients, so that both parts of such a c are whole.
std::vector<std::uint32_t> exact_interior(const Frame& frame);

}  // namespace orrery::mandelbrot
