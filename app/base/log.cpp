#include "base/log.hpp"

#include <cstdio>
#include <string>

#include "base/printable.hpp"

namespace orrery {

void log(Level level, std::string_view line) {
  if (level == Level::info) return;
  constexpr std::size_t most = 1000;
  std::string text = std::string("orrery: ") + (level == Level::warning ? "warning: " : "error: ");
  for (bool more = true; more;) {
    const std::size_t end = line.find('\n');
    more = end != std::string_view::npos;
    text += printable(line.substr(0, end), most) + "\n";
    line.remove_prefix(more ? end + 1 : line.size());
  }
  std::fputs(text.c_str(), stderr);  // one call: lines of several threads do not mix
}

}  // namespace orrery
