/// The headless commands; each takes the arguments after its name and returns the exit code. They link no window, no
/// OpenGL and no ImGui, and throw Error for all failures.
#pragma once

#include "cli/options.hpp"

namespace orrery::cli {

int run_devices(const Arguments& arguments);
int run_nbody(const Arguments& arguments);
int run_mandelbrot(const Arguments& arguments);
int run_particles(const Arguments& arguments);
/// `orrery bench nbody|mandelbrot …`
int run_bench(const Arguments& arguments);
/// `orrery tune nbody|mandelbrot …`
int run_tune(const Arguments& arguments);

}  // namespace orrery::cli
