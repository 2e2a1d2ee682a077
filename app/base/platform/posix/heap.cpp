#include "base/platform/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>  // defines __GLIBC__ for glibc

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace orrery {

void return_large_blocks_at_once() {
#ifdef __GLIBC__
  // Otherwise glibc raises the threshold up to 32 MiB with the sizes of freed blocks.
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void populate(void* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  // The first and the last page may also hold other data, which is harmless.
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  char* const first = static_cast<char*>(memory) - begin % page;
  (void)::madvise(first, bytes + begin % page, MADV_POPULATE_WRITE);  // Linux before 5.14 cannot
#else
  (void)memory;
  (void)bytes;
#endif
}

}  // namespace orrery
