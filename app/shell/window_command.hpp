/// The command `orrery` without a name: parses the window's options and runs it.
#pragma once

#include <string>
#include <vector>

#include "scene/scene_kind.hpp"

namespace orrery::shell {

/// `launched` is when the process began (now_seconds). Returns the exit code; throws Error.
int run_window(SceneKinds kinds, const std::vector<std::string>& arguments, double launched);

}  // namespace orrery::shell
