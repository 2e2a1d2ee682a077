/// The cache folder of OpenCL drivers. Some drivers (PoCL) offer no device if they cannot write to it.
#pragma once

#include <string_view>

namespace orrery {

/// PoCL's variable; no other driver is known to need one.
inline constexpr std::string_view cache_variable = "POCL_CACHE_DIR";

/// True if "NAME=value" is that variable with a folder chosen by give_drivers_a_cache().
bool is_own_cache(std::string_view variable);

/// Sets the variable to a private temporary folder if the usual folder cannot be written or has no space left. A full
/// disk is reported on standard error. Call before any thread starts.
void give_drivers_a_cache();

}  // namespace orrery
