#include "compute/device/driver_cache.hpp"

namespace orrery {

// No driver for Windows is known to need one.
void give_drivers_a_cache() {}

}  // namespace orrery
