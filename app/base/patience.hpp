/// How long something may take before a person is told that it does not answer.
#pragma once

#include <cstdlib>

#include "base/text.hpp"

namespace orrery {

/// So many seconds; on a machine that has far too much else to do, where a slow device is no hung one,
/// ORRERY_PATIENCE=20 in the environment makes it twenty times as many.
inline double patience(double seconds) {
  const char* text = std::getenv("ORRERY_PATIENCE");
  const auto factor = parse_real(text != nullptr ? text : "");
  return factor && *factor > 0 ? *factor * seconds : seconds;
}

}  // namespace orrery
