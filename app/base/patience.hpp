/// Time-outs after which an operation counts as unresponsive.
#pragma once

#include <cstdlib>

#include "base/text.hpp"

namespace orrery {

/// `seconds`, multiplied by ORRERY_PATIENCE, for machines under heavy load where a slow device is not a lost
/// one.
inline double patience(double seconds) {
  const char* text = std::getenv("ORRERY_PATIENCE");
  const auto factor = parse_real(text != nullptr ? text : "");
  return factor && *factor > 0 ? *factor * seconds : seconds;
}

}  // namespace orrery
