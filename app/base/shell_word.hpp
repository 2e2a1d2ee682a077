/// Words of a command line. A plain function; any thread.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// The word as a POSIX shell reads it: in quotation marks where it needs them.
std::string shell_word(std::string_view word);

}  // namespace orrery
