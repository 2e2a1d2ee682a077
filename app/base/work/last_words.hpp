/// The handler of a signal that ends the process removes unfinished files and says so in a line on standard error.
#pragma once

#include <string_view>

namespace orrery {

/// "orrery nbody": how that line begins; "orrery" until it is called.
void name_program(std::string_view name);

/// "orrery nbody: ended by SIGINT; no half-written file is left". Asks for no memory, takes no lock.
void say_last_words(const char* signal);

}  // namespace orrery
