/// The keys of the window, whichever scene it shows.
#pragma once

#include "protocol/key_binding.hpp"

namespace orrery::shell {

KeyBindings window_keys();

}  // namespace orrery::shell
