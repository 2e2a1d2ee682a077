/// Listing devices loads all OpenCL drivers into the process, and a driver that crashes or hangs takes the process
/// along. A child process therefore lists them first, within a time limit; drivers that fail there are left out.
#pragma once

#include <string>
#include <vector>

#include "compute/device/device_info.hpp"

namespace orrery {

/// The program's internal command that only lists devices, for the child.
inline constexpr const char* listing_command = "list-devices";
/// Runs that command and returns the exit code. Its output contains the mark of a normal end, because drivers can
/// change the exit code.
int list_devices_for_parent();

/// Like enumerate_devices(), with an additional entry, with a fault and without devices, for each driver that failed
/// or whose library cannot be loaded. Failed drivers are remembered in the state folder until their files or the
/// limits or variables of the process change, so that the next start does not try them again. Call before any other
/// OpenCL call, which binds the process to the drivers it finds. Waits; any thread. ORRERY_DRIVER_SECONDS is the time
/// limit of one listing, 15 s by default. Throws an Error if no child can be started: untested drivers are not loaded.
std::vector<PlatformInfo> enumerate_safely();

/// The same without a child, if exactly these drivers were listed without fault the last time, in a process with the
/// same limits and variables: for commands that are started often. During the listing this record is removed, so that a
/// driver that begins to fail does so only once.
std::vector<PlatformInfo> enumerate_trusting();

/// The names of the process's variables that drivers and their loader read.
std::vector<std::string> driver_variables();

}  // namespace orrery
