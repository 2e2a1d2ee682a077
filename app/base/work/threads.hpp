/// What the standard library leaves unsaid of threads: their stacks, and the names that profilers and debuggers show.
/// Each thread of ours begins with give_signal_stack(); those of libraries (OpenCL drivers') cannot.
#pragma once

namespace orrery {

/// Of all threads that are begun from now on, those of libraries too. Room for a driver that computes a whole
/// work-group on the stack of a thread: PoCL takes 2 KiB a work-item for forces on bodies, so that its largest
/// work-group, 4,096, ended at glibc's 8 MiB in a SIGSEGV. Only what is touched is taken from memory. To be called
/// once, first; does nothing where the system has no such setting.
void make_stacks_large();

/// Of the calling thread, and of those that it begins. At most 15 bytes; does nothing where threads have no names.
void name_thread(const char* name);

/// A second stack for the calling thread, on which it can still tell that its first one has overflown
/// (crash_report.hpp). Does nothing where it has one, or where there is no such thing.
void give_signal_stack();

}  // namespace orrery
