/// What the rows of `orrery bench mandelbrot` share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/bench.hpp"
#include "compute/program/program.hpp"
#include "scenes/mandelbrot/numbers/view.hpp"

namespace orrery::cli {

struct MandelbrotBenchJob {
  mandelbrot::Size size{1920, 1080};
  std::int64_t iterations = 0;  ///< of the direct rows; 0: what keeps the device busy for a moment
  std::int64_t runs = 7;
  std::int64_t work_group = 0;
  std::string precision = "both";  ///< of the direct rows
  std::string rows = "all";        ///< all, direct, deep or ladder
};

inline std::string text_of(mandelbrot::Size size) {
  return std::to_string(size.width) + "x" + std::to_string(size.height);
}

/// Perturbed orbits at 1e-50 and 1e-300, with and without bilinear approximation.
void bench_deep(ProgramLibrary& programs, const MandelbrotBenchJob& job, BenchResults& results);
/// The ladder at the Feigenbaum point, from 1e-6 to 1e-60.
void bench_ladder(ProgramLibrary& programs, const MandelbrotBenchJob& job, BenchResults& results);

}  // namespace orrery::cli
