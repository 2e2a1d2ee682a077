/// Words of a command line. A plain function; any thread.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// The word quoted for a POSIX shell, if necessary.
std::string shell_word(std::string_view word);

}  // namespace orrery
