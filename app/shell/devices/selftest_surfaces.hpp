/// Checks both forms of surfaces in a hidden window: OpenGL must read the values that OpenCL has written.
#pragma once

#include "compute/measure/selftest.hpp"

namespace orrery::shell {

/// Main thread. The check throws NotHere where there is no display, or no sharing.
std::vector<SelftestItem> surface_selftests(const DeviceInfo& info);

}  // namespace orrery::shell
