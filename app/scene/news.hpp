/// Whether a scene would show another picture than the last one, and how soon it should be seen.
#pragma once

namespace orrery {

enum class News {
  none,
  progress,  ///< the computation advanced; drawing these less often leaves more time to compute
  motion     ///< the view moves, or a person's change is not visible yet
};

/// Default for the most pictures of a simulation that become visible per frame.
inline constexpr int all_pictures = 2;

}  // namespace orrery
