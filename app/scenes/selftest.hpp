/// Each kernel against a reference of the host's. Any thread; waits for the device.
#pragma once

#include "compute/measure/selftest.hpp"

namespace orrery {

/// Forces and steps of bodies, and pictures in every kind of numbers that the device has. Borrows the library.
std::vector<SelftestItem> kernel_selftests(ProgramLibrary& programs);

}  // namespace orrery
