#include "compute/device/driver_cache.hpp"

namespace orrery {

// No driver for Windows is known to need one.
void give_drivers_a_cache() {}
bool is_own_cache(std::string_view) { return false; }

}  // namespace orrery
