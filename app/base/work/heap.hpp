/// What the C library keeps of memory that has been freed. glibc keeps it in every thread's arena: after a device has
/// been changed a few times, five sixths of what is resident is nobody's (malloc_info). Elsewhere both do nothing.
#pragma once

namespace orrery {

/// From now on what is freed of pictures and bodies goes back to the system at once. To be called once, first.
void return_large_blocks_at_once();

/// Gives back what is free of small blocks, such as a compiler leaves behind. Takes milliseconds, for moments of which
/// allocations wait. Any thread.
void return_free_memory();

}  // namespace orrery
