/// Options of a command that shows a scene: the scene's parameters, and options of its kind.
#pragma once

#include "cli/options.hpp"
#include "scene/scene.hpp"

namespace orrery::shell {

/// Adds the options, also to --help. Parsing appends their keys and values to `given`, in the form of Scene::load();
/// `given` and the arguments must outlive the parse.
void add_scene_options(CLI::App& app, const Scene& scene, const cli::Arguments& arguments, StateSection& given);
/// Keeps the last value of each key; CLI11 calls options in the order of declaration.
void keep_last(StateSection& given);

}  // namespace orrery::shell
