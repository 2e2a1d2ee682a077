/// Plain loops on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

#include "base/platform/threads.hpp"

namespace orrery {

/// Calls `work(begin, end)` for consecutive parts of 0 … count on several threads, and waits for all. There are more
/// parts than cores, because some take longer. Rethrows exceptions.
template <class Work>
void in_parallel(std::size_t count, Work&& work) {
  constexpr std::size_t parts_per_core = 4;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t each = (count + parts_per_core * cores - 1) / (parts_per_core * cores);
  const std::size_t parts = each == 0 ? 0 : (count + each - 1) / each;
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t part = next++; part < parts; part = next++) work(part * each, std::min(count, (part + 1) * each));
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < std::min(cores, parts); ++i)
    others.push_back(std::async(std::launch::async, [&run] {
      give_signal_stack();
      run();
    }));
  run();
  for (std::future<void>& other : others) other.get();
}

}  // namespace orrery
