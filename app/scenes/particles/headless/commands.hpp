/// Particles without a window, and their benchmark: steps of a Lennard-Jones liquid, the share of each kernel, and how
/// soon a changed law runs. All functions throw Error. See SceneKind::run and SceneKind::bench.
#pragma once

#include <string>

#include "base/files/state_text.hpp"
#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "cli/window_bench.hpp"

namespace orrery::cli {

/// Adds --LAW/NAME, and the options of that form among the arguments, because only the world knows its laws. They are
/// read into `given`, which outlives the parse.
void add_law_numbers(CLI::App& app, const Arguments& arguments, const std::string& group, StateSection& given);
int run_particles(const Arguments& arguments);
void bench_particles(const BenchDevices& devices, const Arguments& arguments, BenchResults& results);

const WindowBench& particles_window_bench();

}  // namespace orrery::cli
