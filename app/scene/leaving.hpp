/// How a scene lets its devices go.
#pragma once

namespace orrery {

enum class Leaving {
  in_order,    ///< the present state is fetched first; to be called each frame until it returns true
  files_only,  ///< the program ends: files that are being written are given up, nothing else
  at_once,     ///< the state is that of the last backup
  unanswered   ///< likewise; the device does not answer, and what only it could release is abandoned
};

}  // namespace orrery
