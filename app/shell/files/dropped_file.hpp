/// What a file that is dropped onto the window means: bodies, a session, or a view. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "shell/files/state_file.hpp"

namespace orrery::shell {

/// Bodies to start from (.csv, .npy, .tipsy).
struct DroppedBodies {
  std::string path;
  std::size_t count = 0;
};

/// A state file (.toml with tables), or a view as a state of the Mandelbrot scene alone (.toml, .kfr, .txt, .png).
struct DroppedState {
  std::string path;
  State state;
  std::string scene;                 ///< to be shown; empty: the present one
  std::vector<std::string> unknown;  ///< what no scene knows, as load_scenes tells
};

using Dropped = std::variant<DroppedBodies, DroppedState>;

/// Reads and tries all of it, without touching the session that runs. Throws a usage Error that says what is wrong with
/// the file, or which kinds there are.
Dropped examine_dropped(const std::vector<std::string>& paths);

/// The file's name without its folders.
std::string short_name(const std::string& path);

}  // namespace orrery::shell
