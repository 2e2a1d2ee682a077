#include "base/platform/heap.hpp"

#include <cstdlib>  // which says whether the library is glibc

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

}  // namespace orrery
