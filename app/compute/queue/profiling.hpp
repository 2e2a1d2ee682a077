/// The switch for device timings, which can be off to measure their overhead.
#pragma once

namespace orrery {

/// For queues created later; to be called at the start of the process.
void ask_for_times(bool ask);
bool asks_for_times();

}  // namespace orrery
