/// Tunes the kernels that iterate: their search spaces, and how results are checked.
///
/// The digits of a picture follow from the pixels that a work-item holds; work-group and unrolling leave them alone,
/// which the check makes sure of. Direct iteration is compared with the host's wherever rounding does not decide;
/// perturbation and the ladder at some pixels with orbits in many bits.
#pragma once

#include <memory>

#include "compute/tuning/tune_target.hpp"
#include "scenes/mandelbrot/model/kernels.hpp"

namespace orrery::mandelbrot {

/// What is iterated: pixels beside each other that escape at very different n, or pixels that all take the same steps.
enum class TuneView { boundary, interior };

/// `standard`, with the work-group and unrolling that tuning found best, where they are of the same digits.
Variant tuned_variant(const DeviceInfo& device, const Variant& standard);

/// `programs` must outlive it. Throws Error for what the device cannot do or hold, and a usage Error for the inside of
/// the set but by direct iteration.
std::unique_ptr<TuneTarget> tune_target(ProgramLibrary& programs, Precision precision, TuneView view);

/// The kernel that publishes: only its work-group can be tuned.
inline constexpr std::string_view tuned_publish = "mandelbrot publish";
TuneSubject publish_tune_subject();
std::unique_ptr<TuneTarget> publish_tune_target(ProgramLibrary& programs);
/// The same as tune_target(), of perturbation or the ladder.
std::unique_ptr<TuneTarget> deep_tune_target(ProgramLibrary& programs, Precision precision);

}  // namespace orrery::mandelbrot
