/// Simulations without a window, and their benchmark: steps of bodies, beside plain loops and the device's limit. All
/// functions throw Error. See SceneKind::run and SceneKind::bench.
#pragma once

#include "cli/bench.hpp"
#include "cli/options.hpp"
#include "cli/window_bench.hpp"
#include "scenes/nbody/model/exchange.hpp"

namespace orrery::cli {

/// "host" or "direct", as --exchange has it.
inline Exchange exchange_named(const std::string& name) { return name == "direct" ? Exchange::direct : Exchange::host; }

int run_nbody(const Arguments& arguments);
void bench_nbody(const BenchDevices& devices, const Arguments& arguments, BenchResults& results);

const WindowBench& nbody_window_bench();

}  // namespace orrery::cli
