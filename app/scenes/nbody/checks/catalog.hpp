/// The n-body scene's kernels for the tuner, and its part of the self-test.
#pragma once

#include "compute/measure/selftest.hpp"

namespace orrery {

class TuneCatalog;

const TuneCatalog& nbody_tune_catalog();
/// Forces and steps of bodies against references of the host. Any thread; waits for the device. Borrows the library.
std::vector<SelftestItem> nbody_selftests(ProgramLibrary& programs);

}  // namespace orrery
