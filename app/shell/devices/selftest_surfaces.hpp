/// Both forms of surfaces, checked in a hidden window: what OpenCL writes is what OpenGL reads.
#pragma once

#include "compute/measure/selftest.hpp"

namespace orrery::shell {

/// Main thread. Where there is no display, or no sharing, the check tells so by NotHere.
std::vector<SelftestItem> surface_selftests(const DeviceInfo& info);

}  // namespace orrery::shell
