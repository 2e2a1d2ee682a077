/// Whether launches have times at all: they do, unless somebody measures what that costs.
#pragma once

namespace orrery {

/// For queues made from now on, and their launches; at the start of the process.
void ask_for_times(bool ask);
bool asks_for_times();

}  // namespace orrery
