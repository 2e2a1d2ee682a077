#include "compute/queue/profiling.hpp"

#include <atomic>

namespace orrery {
namespace {

std::atomic<bool> asked = true;

}  // namespace

void ask_for_times(bool ask) { asked = ask; }
bool asks_for_times() { return asked.load(std::memory_order_relaxed); }

}  // namespace orrery
