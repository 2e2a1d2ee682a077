/// Requests to end the program, crashes, and functions that handlers may call.
#pragma once

namespace orrery::platform {

/// `handler` is called with the number of each request to end (Ctrl+C, a signal …), on a thread of its own. A request
/// ignored at the program's start stays ignored. Call once, before other threads start.
void on_end_request(void (*handler)(int number));
/// "SIGINT", "the end of the session".
const char* name_of_end_request(int number);

enum class OtherHandlers { keep, replace };
/// `handler` is called on the thread that crashes, with the cause; then the process ends as without it. Handlers that
/// existed at the first call (a sanitizer's) are kept or replaced. Call again after drivers have compiled, because LLVM
/// replaces the handler.
void on_crash(void (*handler)(const char* cause), OtherHandlers others);

/// A file beyond the size limit fails its write instead of ending the program.
void survive_size_limit();

// ---- For handlers: these allocate nothing and take no lock.

void put(int descriptor, const char* text);
void put_on_standard_error(const char* text);
bool standard_error_is_a_terminal();
/// Opens a file for writing from its beginning, readable only by the owner; negative if that fails.
int open_report(const char* path);
void close_report(int descriptor);
/// Writes the known call stack, innermost call first.
void put_call_stack(int descriptor);
void remove_file(const char* path);

}  // namespace orrery::platform
