/// Control of memory that the system gives, and of freed memory. glibc keeps that in the arena of each thread: after a
/// few changes of device, five sixths of the resident memory is free (malloc_info). With other libraries, the functions
/// for freed memory do nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "base/platform/parallel.hpp"

namespace orrery {

/// Makes freed pictures and bodies return to the system at once. To be called once, first.
void return_large_blocks_at_once();

/// Returns free small blocks, such as a compiler leaves behind. Takes milliseconds, during which allocations wait. Any
/// thread.
void return_free_memory();

/// Has the system give the pages within this allocated memory now, whose content stays. Otherwise it gives each page
/// when it is touched first, which takes longer. No effect on systems without such a call. Any thread.
void populate(void* memory, std::size_t bytes);

/// Reserves memory for so many values, and has the system give it on all cores.
template <class T>
void reserve_at_once(std::vector<T>& values, std::size_t count) {
  constexpr std::size_t worth_it = std::size_t{16} << 20;  // bytes
  values.reserve(count);
  char* const memory = reinterpret_cast<char*>(values.data());
  if (count * sizeof(T) >= worth_it)
    in_parallel(count * sizeof(T), [&](std::size_t begin, std::size_t end) { populate(memory + begin, end - begin); });
}

}  // namespace orrery
