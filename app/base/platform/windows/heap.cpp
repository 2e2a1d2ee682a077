#include "base/platform/heap.hpp"

namespace orrery {

// The system's heap does so by itself.
void return_large_blocks_at_once() {}
void return_free_memory() {}

void populate(void*, std::size_t) {}

}  // namespace orrery
