/// Whether the numbers of a precision tell bodies and their forces apart, in the units that the bodies have. Plain
/// values.
#pragma once

#include <cstdint>
#include <string>

#include "scenes/nbody/bodies/body.hpp"
#include "scenes/nbody/model/settings.hpp"

namespace orrery {

/// Throws a usage Error that names the remedy where squares of the bodies' distances, or their masses or velocities,
/// are no numbers of the precision.
void check_range(const Bodies& bodies, const NbodySettings& settings, Precision precision);

/// "1,000 bodies are at one place, and the softening is 0: ...", for forces that nothing softens, where they see bodies
/// at one place in this precision; else empty.
std::string crowd_among(const Bodies& bodies, Precision precision);

/// A person is advised to try this where bodies have become NaN or infinite at that step of a run.
std::string advice_on_broken(std::int64_t step);

}  // namespace orrery
