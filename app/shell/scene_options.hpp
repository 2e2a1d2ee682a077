/// Options of a command that shows a scene: the scene's parameters, and what its kind adds.
#pragma once

#include "cli/options.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

/// Adds them to --help, too. A parse appends their keys and values to `given`, in the form that Scene::load() takes;
/// `given` and the arguments must outlive the parse.
void add_scene_options(CLI::App& app, const Scene& scene, const cli::Arguments& arguments, StateSection& given);
/// CLI11 calls the options in the order of their declaration; the last value of a key counts.
void keep_last(StateSection& given);

}  // namespace orrery::shell
