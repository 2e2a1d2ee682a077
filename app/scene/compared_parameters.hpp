/// Comparisons, and the parameters by which their two sides may differ: those declared as compared. Plain values; any
/// thread.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parameter.hpp"
#include "compute/measure/side_by_side.hpp"

namespace orrery {

class ProgramLibrary;

/// Computes a state twice, on these devices; for a worker thread. Throws Error.
using ComparisonJob =
    std::function<Comparison(const std::array<ProgramLibrary*, 2>& sides, const BetweenSlices& between)>;

using ChangedParameters = std::vector<std::pair<std::string, std::string>>;

/// Gives those parameters their new values. Throws a usage Error for one that is not compared, and for a value out of
/// its range.
void change(std::span<Parameter> parameters, const ChangedParameters& changed);
/// "A device · single · work-group 64", of the compared ones.
std::string side_text(std::string_view device, std::span<const Parameter> parameters);

}  // namespace orrery
