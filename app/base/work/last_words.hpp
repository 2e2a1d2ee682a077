/// The signal handler that removes unfinished files and reports the end of the process in one line.
#pragma once

#include <string_view>

namespace orrery {

/// "orrery nbody": the beginning of that line; "orrery" until it is called.
void name_program(std::string_view name);

/// "orrery nbody: ended by SIGINT; no half-written file is left". Allocates nothing, takes no lock.
void say_last_words(const char* signal);

}  // namespace orrery
