/// The headless commands that belong to no scene; each takes the arguments after its name and returns the exit code.
/// They link no window, no OpenGL and no ImGui, and throw Error for all failures.
#pragma once

#include "cli/options.hpp"
#include "scene/scene_kind.hpp"

namespace orrery::cli {

int run_devices(const Arguments& arguments);
/// `orrery film join FOLDER`: the arguments after "join".
int run_film_join(const Arguments& arguments);
/// `orrery bench NAME …`, for a scene or the device.
int run_bench(SceneKinds kinds, const Arguments& arguments);
/// `orrery tune SCENE …`
int run_tune(SceneKinds kinds, const Arguments& arguments);

}  // namespace orrery::cli
