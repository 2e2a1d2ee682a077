/// The user's choices for drawing bodies. None of them repeats a computation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/parameter.hpp"

namespace orrery {

struct NbodyLook {
  std::string cells = "off";    ///< drawn cells of the tree: "levels" down to the chosen one, or that "level" alone
  std::int64_t cell_level = 0;  ///< the root's is 1; 0: the finest level with clear cells
  std::string color_by = "speed";
  std::string palette = "nebula";
  double sprite_size = 9;
  double exposure = 1;
  std::string trails = "auto";
  std::int64_t trail_length = 240;    ///< published frames
  bool ghost = false;                 ///< also draw the other branch of the past
  std::int64_t steps_per_second = 0;  ///< limit; 0: none
  std::int64_t follow = -1;           ///< index of a body; −1: none
  std::string follow_part = "none";   ///< while no body is followed: the centre of "mass", the "densest" part
  double new_mass = 0;                ///< mass of a body added by hand; 0: the mean mass of the present bodies
  std::string new_object = "body";    ///< object added by hand: one of hand_objects
  std::int64_t new_bodies = 1000;     ///< number of bodies of a set added by hand
  bool operator==(const NbodyLook&) const = default;
};

std::vector<Parameter> parameters(NbodyLook& look);

}  // namespace orrery
