/// Messages of signal handlers, one line each: the process ends, after its unfinished files are removed, or will end.
#pragma once

#include <string_view>

namespace orrery {

/// "orrery nbody": the beginning of that line; "orrery" until it is called.
void name_program(std::string_view name);

/// "orrery nbody: ended by SIGINT; no half-written file is left". Allocates nothing, takes no lock.
void say_last_words(const char* signal);

/// "orrery nbody: the command ends after the current step; press Ctrl+C again to end it now". Likewise.
void promise_to_end(const char* last_work);

}  // namespace orrery
