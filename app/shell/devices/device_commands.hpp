/// The commands that test devices together with OpenGL, in a hidden window.
#pragma once

#include <string>
#include <vector>

#include "scene/scene_kind.hpp"

namespace orrery::shell {

/// `orrery bench interop`: the rate of steps against the length of bursts, for shared and for copied surfaces. The
/// arguments after "bench interop". Throws a failure where there is no display.
int run_bench_interop(const std::vector<std::string>& arguments);

/// `orrery selftest`: checks a device and its driver, and writes a report that can be published. The arguments after
/// the command's name. Returns the exit code: 1 when a check failed.
int run_selftest(SceneKinds kinds, const std::vector<std::string>& arguments);

}  // namespace orrery::shell
