/// Stacks, names and priorities of threads, which the standard library does not control. Each thread of this program
/// begins with give_signal_stack(); threads of libraries (OpenCL drivers) cannot.
#pragma once

namespace orrery {

/// Sets the stack size of all threads started from now on, including those of libraries. Drivers need room to compute a
/// whole work-group on one stack: PoCL takes 2 KiB per work-item for forces on bodies, so its largest work-group,
/// 4,096, overflowed glibc's 8 MiB. Only touched pages use memory. Call once, first; no effect on systems without such
/// a setting.
void make_stacks_large();

/// Names the calling thread and those it starts. At most 15 bytes; no effect on systems without thread names.
void name_thread(const char* name);

/// Lowers the priority of the calling thread and of threads that it starts, permanently. No effect on systems without
/// thread priorities.
void lower_priority();

/// Gives the calling thread a second stack, on which a stack overflow can be reported (crash_report.hpp). No effect if
/// it has one, or if the system does not support it.
void give_signal_stack();

}  // namespace orrery
