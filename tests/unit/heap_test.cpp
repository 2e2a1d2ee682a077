// Free memory is returned to the system. Only glibc keeps it, and the sanitizers have their own allocator.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <vector>

#include "base/platform/heap.hpp"

namespace orrery {
namespace {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

constexpr std::size_t mib = 1 << 20;

std::size_t resident() {
  std::size_t pages_in_all = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> pages_in_all >> pages;
  return pages * 4096;
}

TEST(Heap, FreeMemoryBetweenSmallBlocksIsReturned) {
  return_free_memory();  // otherwise the blocks reuse the memory of earlier tests
  const std::size_t before = resident();
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t i = 0; i < 64 * 1024; ++i) blocks.push_back(std::make_unique<char[]>(1024));
  EXPECT_GT(resident(), before + 60 * mib);
  blocks.erase(blocks.begin(), blocks.end() - 1);  // the last one holds the top of the heap
  return_free_memory();
  EXPECT_LT(resident(), before + 10 * mib);
}

TEST(Heap, LargeBlocksAreReturnedAtOnce) {
  return_large_blocks_at_once();
  (void)std::make_unique<char[]>(24 * mib);  // by default, glibc raises its mmap threshold to this size
  const std::size_t before = resident();
  auto large = std::make_unique<char[]>(24 * mib);
  const auto above = std::make_unique<char[]>(1024);
  EXPECT_GT(resident(), before + 20 * mib);
  large.reset();
  EXPECT_LT(resident(), before + 4 * mib);
}

#endif

}  // namespace
}  // namespace orrery
