/// `orrery bench interop`: the rate of steps against the length of bursts, for shared and for copied surfaces.
#pragma once

#include <string>
#include <vector>

namespace orrery::shell {

/// The arguments after "bench interop". Needs a display for its GL context, whose window is never shown; throws a
/// failure where there is none.
int run_bench_interop(const std::vector<std::string>& arguments);

}  // namespace orrery::shell
