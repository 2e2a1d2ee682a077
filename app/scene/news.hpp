/// Whether a scene would show another picture than the last one, and how soon it should be seen.
#pragma once

namespace orrery {

enum class News {
  none,
  progress,  ///< what is computed has gone on: the fewer of such pictures are drawn, the more is computed
  motion     ///< the view moves, or what a person has changed is not seen yet
};

/// So many pictures of a simulation come to the front in a frame, unless each of them is wanted.
inline constexpr int all_pictures = 2;

}  // namespace orrery
