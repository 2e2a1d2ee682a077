/// Control of new and of freed memory. glibc keeps freed memory in each thread's arena: after a few changes of device,
/// five sixths of the resident memory are free (malloc_info). With other libraries, the functions for freed memory do
/// nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "base/platform/parallel.hpp"

namespace orrery {

/// Returns freed pictures and bodies to the system at once. Call once, first.
void return_large_blocks_at_once();

/// Returns free small blocks, such as leftovers of a compiler. Takes milliseconds, during which allocations wait. Any
/// thread.
void return_free_memory();

/// Allocates the pages of this memory now; their content stays. Allocation at the first access to each page takes
/// longer. No effect on systems without such a call. Any thread.
void populate(void* memory, std::size_t bytes);

/// Reserves memory for `count` values and populates it on all cores.
template <class T>
void reserve_at_once(std::vector<T>& values, std::size_t count) {
  constexpr std::size_t worth_it = std::size_t{16} << 20;  // bytes
  values.reserve(count);
  char* const memory = reinterpret_cast<char*>(values.data());
  if (count * sizeof(T) >= worth_it)
    in_parallel(count * sizeof(T), [&](std::size_t begin, std::size_t end) { populate(memory + begin, end - begin); });
}

}  // namespace orrery
