/// Control of freed memory. glibc keeps it in the arena of each thread: after a few changes of device, five sixths of
/// the resident memory is free (malloc_info). With other libraries both functions do nothing.
#pragma once

namespace orrery {

/// Makes freed pictures and bodies return to the system at once. To be called once, first.
void return_large_blocks_at_once();

/// Returns free small blocks, such as a compiler leaves behind. Takes milliseconds, during which allocations wait. Any
/// thread.
void return_free_memory();

}  // namespace orrery
