/// `orrery selftest`: checks a device and its driver, and writes a report that can be published.
#pragma once

#include <string>
#include <vector>

#include "scene/scene_kind.hpp"

namespace orrery::shell {

/// The arguments after the command's name. Returns the exit code: 1 when a check failed.
int run_selftest(SceneKinds kinds, const std::vector<std::string>& arguments);

}  // namespace orrery::shell
