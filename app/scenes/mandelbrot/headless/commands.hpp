/// Pictures without a window, and their benchmark.
/// They throw Error for whatever goes wrong. See SceneKind::run and SceneKind::bench.
#pragma once

#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "cli/window_bench.hpp"

namespace orrery::cli {

int run_mandelbrot(const Arguments& arguments);
/// Tells what a person should know of the contents of a file, unless that is nothing.
void warn_of_contents(const std::string& contents, const std::string& file);
void bench_mandelbrot(const BenchDevices& devices, const Arguments& arguments, BenchResults& results);

const WindowBench& mandelbrot_window_bench();

}  // namespace orrery::cli
