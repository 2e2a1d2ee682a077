/// The commands that draw the window's picture into files without a window.
#pragma once

#include <string>
#include <vector>

#include "scene/scene_kind.hpp"

namespace orrery::shell {

/// `orrery picture STATE`: a picture of a file's content, of any size. The arguments after the command's name. Returns
/// the exit code; throws Error.
int run_picture(SceneKinds kinds, const std::vector<std::string>& arguments);

/// `orrery film STATE`: a film by simulated time, or of a guided tour; the same for the same arguments. Likewise.
int run_film(SceneKinds kinds, const std::vector<std::string>& arguments);

}  // namespace orrery::shell
