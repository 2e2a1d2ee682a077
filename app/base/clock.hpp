/// Monotonic time in seconds, and in nanoseconds.
#pragma once

#include <chrono>
#include <cstdint>

namespace orrery {

/// Seconds since an arbitrary moment; never goes back.
inline double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The same clock in nanoseconds.
inline std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace orrery
