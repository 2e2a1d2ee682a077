/// A process that ends by a fault leaves a line on standard error and a file that says which fault, and where.
#pragma once

#include <filesystem>

namespace orrery {

/// From now on a signal that ends the process (a bad address, an abort …) is told (last_words.hpp); then the process
/// ends by that signal as before. A handler that is there at the first call, such as a sanitizer's, stays. To be called
/// again when drivers have compiled: LLVM puts a handler of its own in place, after which an abort is not told. No
/// effect where the platform has no such signals.
void tell_of_crashes();

/// The same, whatever handler is there; and first writes `file`: version, signal and the calls on the stack. One
/// file a process.
///
/// A stack that overflows is told of where its thread has a second one: give_signal_stack().
void report_crashes_to(const std::filesystem::path& file);

}  // namespace orrery
