/// Plain loops on all cores.
#pragma once

#include <algorithm>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

#include "base/platform/threads.hpp"

namespace orrery {

/// Calls `work(begin, end)` for consecutive parts of 0 … count on several threads, and waits for all. Rethrows
/// exceptions.
template <class Work>
void in_parallel(std::size_t count, Work&& work) {
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t each = std::max<std::size_t>(1, (count + cores - 1) / cores);
  std::vector<std::future<void>> others;
  for (std::size_t begin = each; begin < count; begin += each)
    others.push_back(std::async(std::launch::async, [&work, begin, end = std::min(begin + each, count)] {
      give_signal_stack();
      work(begin, end);
    }));
  work(std::size_t{0}, std::min(each, count));
  for (std::future<void>& other : others) other.get();
}

}  // namespace orrery
