/// A colour for each kernel, the same in every panel.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ui/theme.hpp"

namespace orrery::ui {

/// Maps kernels to inks, in the order in which they were first drawn.
using Inks = std::map<std::string, std::size_t, std::less<>>;

/// Transfers and hand-overs, which are no kernels, are grey.
Color ink_of(Inks& inks, std::string_view kernel);

}  // namespace orrery::ui
