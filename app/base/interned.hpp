/// Texts that are made while the program runs, and that something which refers to literals is to refer to.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// A copy of the text that lives as long as the program; there is one of equal texts. Any thread.
std::string_view interned(const std::string& text);

}  // namespace orrery
