#include "base/platform/child.hpp"

namespace orrery::platform {

std::string ChildStatus::fault() const {
  if (crashed) return "crashed (" + crash + ")";
  return code == 0 ? std::string() : "ended with exit code " + std::to_string(code);
}

}  // namespace orrery::platform
