/// The stacks of threads that are begun from now on, those of libraries too.
#pragma once

namespace orrery {

/// Room for a driver that computes a whole work-group on the stack of a thread: PoCL takes 2 KiB a work-item for forces
/// on bodies, so that its largest work-group, 4,096, ended at glibc's 8 MiB in a SIGSEGV. Only what is touched is
/// taken from memory. To be called once, first; does nothing where the system has no such setting.
void make_stacks_large();

}  // namespace orrery
