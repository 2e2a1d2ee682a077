#include "base/interned.hpp"

#include <mutex>
#include <unordered_set>

namespace orrery {

std::string_view interned(const std::string& text) {
  static std::mutex mutex;
  static std::unordered_set<std::string> texts;  // its elements stay where they are
  const std::lock_guard lock(mutex);
  return *texts.insert(text).first;
}

}  // namespace orrery
