/// Pictures without a window, and their benchmark. They throw Error for any failure. See SceneKind::run and
/// SceneKind::bench.
#pragma once

#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "cli/window_bench.hpp"

namespace orrery::cli {

int run_mandelbrot(const Arguments& arguments);
/// Logs the contents of a file as a warning unless they are empty.
void warn_of_contents(const std::string& contents, const std::string& file);
void bench_mandelbrot(const BenchDevices& devices, const Arguments& arguments, BenchResults& results);

const WindowBench& mandelbrot_window_bench();

}  // namespace orrery::cli
