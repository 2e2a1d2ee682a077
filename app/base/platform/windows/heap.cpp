#include "base/platform/heap.hpp"

namespace orrery {

// Empty: the system's heap returns them itself.
void return_large_blocks_at_once() {}
void return_free_memory() {}

void populate(void*, std::size_t) {}

}  // namespace orrery
