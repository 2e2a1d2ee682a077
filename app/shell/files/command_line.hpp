/// What a scene shows, as the command line that shows it. Plain functions; any thread that may read the scene.
#pragma once

#include <string>

#include "base/shell_word.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

/// "orrery --scene nbody --softening 0.1": the choices and the view that differ from their defaults, quoted for a POSIX
/// shell. A simulation that it starts begins at the beginning.
std::string command_line(const Scene& scene);

}  // namespace orrery::shell
