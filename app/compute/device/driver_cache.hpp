/// Where OpenCL drivers keep what they compile. Some (PoCL) have no device where they cannot write there.
#pragma once

#include <string_view>

namespace orrery {

/// PoCL's own; the only driver that is known to need it.
inline constexpr std::string_view cache_variable = "POCL_CACHE_DIR";

/// Sets it to a folder of temporary files, which is this user's alone, where the usual folder cannot be written or has
/// no room left; what a full disk is to a person is told on standard error. Before the first thread.
void give_drivers_a_cache();

}  // namespace orrery
