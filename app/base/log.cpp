#include "base/log.hpp"

#include <cstdio>
#include <string>

namespace orrery {

void log(Level level, std::string_view line) {
  if (level == Level::info) return;
  const std::string text =
      std::string("orrery: ") + (level == Level::warning ? "warning: " : "error: ") + std::string(line) + "\n";
  std::fputs(text.c_str(), stderr);  // one call: lines of several threads do not mix
}

}  // namespace orrery
