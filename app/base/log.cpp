#include "base/log.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <string>

#include "base/printable.hpp"

namespace orrery {

namespace {
std::atomic<Level> least = Level::warning;
}

void print_from(Level level) { least = level; }
bool prints(Level level) { return level >= least; }

void log(Level level, std::string_view line) {
  if (!prints(level)) return;
  constexpr std::size_t most = 1000;
  constexpr std::array<std::string_view, 3> names{"note: ", "warning: ", "error: "};
  std::string text = "orrery: " + std::string(names[static_cast<std::size_t>(level)]);
  for (bool more = true; more;) {
    const std::size_t end = line.find('\n');
    more = end != std::string_view::npos;
    text += printable(line.substr(0, end), most) + "\n";
    line.remove_prefix(more ? end + 1 : line.size());
  }
  std::fputs(text.c_str(), stderr);  // one call: lines of several threads do not mix
}

}  // namespace orrery
