/// Listing devices loads every OpenCL driver of the machine into the process, and one that crashes or hangs takes it
/// along. So a child process lists them first, within a time limit; drivers that fail there are left out here.
#pragma once

#include <vector>

#include "compute/device/device_info.hpp"

namespace orrery {

/// The program's own command that lists devices and does nothing else, for the child.
inline constexpr const char* listing_command = "list-devices";
/// What it does; returns the exit code. That it has come to its end is in what it prints, whatever a driver exits with.
int list_devices_for_parent();

/// As enumerate_devices(), with an entry that has a fault and no devices for each driver that was left out, and for
/// each whose library cannot be loaded. Which were left out is kept in the state folder until one of their files
/// changes, or the process's limits or variables do: the next start does not try them again. To be called before any
/// other OpenCL call, which binds the process to the drivers it finds. Waits; any thread. ORRERY_DRIVER_SECONDS is the
/// time limit of one listing, 15 s where it is not set. Throws Error where no child can be started: nothing is loaded
/// that has not been tried.
std::vector<PlatformInfo> enumerate_safely();

/// The same, without a child where these very drivers were listed in order the last time, in a process of the same
/// limits and variables: for commands that are started many times. While they are listed that is not remembered, so
/// that a driver that fails only now fails once.
std::vector<PlatformInfo> enumerate_trusting();

}  // namespace orrery
