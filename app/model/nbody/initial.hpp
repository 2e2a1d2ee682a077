/// Initial conditions: named distributions of bodies, the same on every platform for the same seed.
///
/// G = 1 throughout, and the centre of mass rests at the origin. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compute/device_info.hpp"
#include "model/nbody/body.hpp"

namespace orrery {

/// A named initial condition, and the settings it looks right with.
struct InitialInfo {
  std::string_view name;
  std::string_view description;
  double dt;
  double softening;
  std::int64_t burst;
  std::int64_t fixed_bodies = 0;  ///< 0: any number
};

std::vector<std::string_view> initial_names();
/// Nothing for a file's name.
const InitialInfo* find_initial(std::string_view name);

/// How many bodies `auto` means: the condition's own number, else what a device of that class steps at once.
std::int64_t automatic_bodies(std::string_view initial, DeviceClass device_class);

/// The bodies of a named condition, or of a file (.csv, .npy). `count` 0 asks for `automatic`, or for all of a file's;
/// a number that the condition or the file cannot have is a usage Error.
Bodies make_bodies(const std::string& initial, std::int64_t count, std::int64_t automatic, std::uint64_t seed);

/// Throws what make_bodies would throw, for the cost of reading the file.
void check_initial(const std::string& initial, std::int64_t count);

/// Moves the bodies so that their centre of mass rests at the origin.
void centre(Bodies& bodies);

}  // namespace orrery
