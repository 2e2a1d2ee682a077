/// A crash leaves a line on standard error and a file with the fault and its place.
#pragma once

#include <filesystem>

namespace orrery {

/// Installs handlers for signals that end the process (a bad address, an abort …): they report (last_words.hpp), then
/// the process ends by that signal as before. A handler that exists at the first call, such as a sanitizer's, stays.
/// Call again after drivers have compiled, because LLVM replaces the handler, which would hide an abort. No effect on
/// platforms without such signals.
void tell_of_crashes();

/// The same, replacing any handler; it also writes `file` with version, signal and call stack. One file per
/// process.
///
/// A stack overflow is reported only on threads with a second stack: give_signal_stack().
void report_crashes_to(const std::filesystem::path& file);

}  // namespace orrery
