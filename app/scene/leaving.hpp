/// How a scene lets its devices go.
#pragma once

namespace orrery {

enum class Leaving {
  in_order,    ///< the present state is fetched first; to be called each frame until it returns true
  files_only,  ///< the program ends: only cancels files being written
  at_once,     ///< the state is that of the last backup
  unanswered   ///< as at_once, but the device does not answer: its objects are abandoned
};

}  // namespace orrery
