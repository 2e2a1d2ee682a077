/// The parameters by which the two sides of a comparison may differ. Plain values; any thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/parameter.hpp"

namespace orrery {

using ChangedParameters = std::vector<std::pair<std::string, std::string>>;

/// Gives those parameters their new values. Throws a usage Error for one that is not among `allowed`, and for a value
/// out of its range.
void change(std::span<Parameter> parameters, std::span<const std::string_view> allowed,
            const ChangedParameters& changed);
/// "A device · single · work-group 64", of the allowed ones.
std::string side_text(std::string_view device, std::span<Parameter> parameters,
                      std::span<const std::string_view> allowed);

}  // namespace orrery
