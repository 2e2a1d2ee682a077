#include "base/log.hpp"

#include <cstdio>
#include <deque>
#include <mutex>

namespace orrery {
namespace {

struct Journal {
  std::mutex mutex;
  std::deque<std::string> lines;
  Level threshold = Level::warning;
};

Journal& journal() {
  static Journal instance;
  return instance;
}

constexpr std::size_t kept_lines = 200;

}  // namespace

void log(Level level, std::string_view line) {
  static constexpr const char* prefixes[] = {"", "warning: ", "error: "};
  Journal& j = journal();
  const std::lock_guard lock(j.mutex);
  j.lines.emplace_back(prefixes[static_cast<int>(level)] + std::string(line));
  if (j.lines.size() > kept_lines) j.lines.pop_front();
  if (level >= j.threshold) std::fprintf(stderr, "orrery: %s\n", j.lines.back().c_str());
}

void set_log_threshold(Level level) {
  const std::lock_guard lock(journal().mutex);
  journal().threshold = level;
}

std::vector<std::string> recent_log_lines() {
  const std::lock_guard lock(journal().mutex);
  return {journal().lines.begin(), journal().lines.end()};
}

}  // namespace orrery
