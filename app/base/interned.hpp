/// Texts made at run time for members that refer to literals.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

/// A copy of the text that lives as long as the program; equal texts share one. Any thread.
std::string_view interned(const std::string& text);

}  // namespace orrery
