/// Checks whether a precision can represent bodies and their forces in their units. Plain values.
#pragma once

#include <cstdint>
#include <string>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Throws a usage Error that names the remedy where squares of the bodies' distances, or their masses or velocities,
/// are no numbers of the precision.
void check_range(const Bodies& bodies, const NbodySettings& settings, Precision precision);

/// "1,000 bodies are at one place, and the softening is 0: ...", for unsoftened forces, if bodies are at one place in
/// this precision; else empty.
std::string crowd_among(const Bodies& bodies, Precision precision);

/// Advice for a run whose bodies became NaN or infinite at that step.
std::string advice_on_broken(std::int64_t step);

}  // namespace orrery
